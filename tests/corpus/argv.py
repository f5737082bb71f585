# args: add 3 4 --verbose "two words"
import sys

def main(args):
    verbose = "--verbose" in args
    args = [a for a in args if a != "--verbose"]
    command, *rest = args
    if verbose:
        print("command", command)
    if command == "add":
        numbers = [int(n) for n in rest if n.isdigit()]
        words = [n for n in rest if not n.isdigit()]
        print(sum(numbers), words)
    else:
        print("unknown")
    return len(sys.argv)

print(sys.argv[0], main(sys.argv[1:]))

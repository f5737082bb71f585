# exit: 3
import sys

def main(argv):
    for i, step in enumerate(["load", "check", "store"]):
        print(step)
        if step == "check":
            return 3
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv))

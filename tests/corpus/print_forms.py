import sys
print()
print("a", 1, None, [2], sep="|", end="<\n")
print("to stderr", file=sys.stderr)
print("no flush", end=""); print(" then flush", flush=True)
sys.stdout.write("written\n")
print(*range(5), sep=",")
print("%s %d %r" % ("s", 3, "r"), "{} {0!r}".replace("{} ", "").format("z"))
old = sys.stdout
class Upper:
    def __init__(self, out): self.out = out
    def write(self, s): return self.out.write(s.upper())
    def flush(self): pass
sys.stdout = Upper(old)
print("shouted")
sys.stdout = old
print("quiet")
sys.stderr.write("err line\n")
import os
sys.stdout.flush(); os.write(1, b"direct to the descriptor\n")
print("multi\nline", "tab\t", r"raw\n")
save = print
def print(*a): save("[", *a, "]")
print("shadowed")
del print
print("builtin again")

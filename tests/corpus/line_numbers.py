import sys, inspect

def line():
    return sys._getframe(1).f_lineno

print(line())
print(
    line(),
    line(),
)
x = [
    line()
    for _ in range(2)
]; print(x, line())
def f(): return line()
print(f()); print(line())
class C:
    here = line()
    def m(self):
        here = line(); there = line()
        return here, there

print(C.here, C().m())
if line() and \
        line():
    print(line())
for n in [line()]: print(n, line())
def caller(): return sys._getframe(1).f_lineno
value = caller(
) + caller()
print(value)
with open(__file__) as fh: lines = fh.readlines()
print(lines[line() - 1].strip())

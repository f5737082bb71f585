square = lambda x: x * x
add = lambda *a, k=0, **kw: sum(a) + k + len(kw)
print(square(3), add(1, 2, k=3, z=0))
table = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}
for op in table: print(op, table[op](7, 2))
print((lambda: (yield))().send(None))
print(sorted(["bb", "a", "ccc"], key=lambda s: -len(s)))
compose = lambda *fs: lambda x: x if not fs else compose(*fs[:-1])(fs[-1](x))
print(compose(square, lambda x: x + 1)(2))
def noisy(x): print("noisy", x); return x
lazy = lambda: noisy("late")
print("before"); print(lazy())
multi = lambda x: (
    noisy(x)
    and
    noisy(x * 2)
)
print(multi(0), multi(4))
class C: m = lambda self, x=5: (self.__class__.__name__, x)
print(C().m(), (lambda x: lambda y: lambda z: x + y + z)(1)(2)(3))

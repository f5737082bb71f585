import functools

@functools.lru_cache(maxsize=None)
def fib(n):
    print("computing", n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(fib(6), fib(5), fib.cache_info().hits)
print(functools.reduce(lambda acc, x: print(acc, x) or acc * 10 + x, [1, 2, 3]))
add = lambda a, b, c=0: a + b + c
plus5 = functools.partial(add, 5, c=1)
print(plus5(1), plus5(1, c=0))

@functools.singledispatch
def show(x): return f"object {x!r}"
@show.register
def _(x: int): return f"int {x}"
@show.register(list)
def _(x): return "[" + ", ".join(show(i) for i in x) + "]"
print(show([1, "a", [2.5]]))

class Report:
    @functools.cached_property
    def data(self):
        print("loading")
        return [1, 2]
    @functools.singledispatchmethod
    def put(self, x): print("any", x)
    @put.register
    def _(self, x: str): print("str", x)
r = Report()
print(r.data, r.data)
r.put(1); r.put("s")

@functools.total_ordering
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): print("lt"); return self.n < o.n
print(V(1) >= V(2), V(3) > V(2))

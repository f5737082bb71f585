def outer(n):
    if n > 1:
        def helper(x):
            return x * n
    else:
        def helper(x): return -x
    for k in range(2):
        def by_loop(x, k=k):
            def inner():
                return x + k + helper(1)
            return inner()
    class Local:
        value = n
        def get(self): return self.value + n
    return helper(10), by_loop(1), Local().get(), Local.__qualname__, by_loop.__qualname__

print(outer(3))
print(outer(1))
try:
    def broken(x=undefined): pass
except NameError as e:
    print(e, "broken" in globals())
def redefined(): return 1
first = redefined
def redefined(): return 2
print(first(), redefined())
def attrs(): attrs.count += 1; return attrs.count
attrs.count = 0
attrs(); print(attrs(), attrs.__dict__)
def _f():
    return (lambda: (lambda: "deep")())()
print(_f())

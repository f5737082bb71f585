def count(n):
    print("start")
    for i in range(n):
        print("before", i)
        yield i
        print("after", i)
    print("end")
    return "returned"

g = count(2)
print("created")
print(next(g))
print(next(g))
try:
    next(g)
except StopIteration as stop:
    print("stop", stop.value)
print(next(g, "default"))
for x in count(1): print("got", x)
def naturals():
    n = 0
    while True:
        yield n
        n += 1
ns = naturals()
print([next(ns) for _ in range(5)])
for n in ns:
    if n > 7: break
print(n, next(ns))
def two(): yield "a"; yield "b"
print(list(two()), dict(zip(two(), two())), [*two(), *two()])
a, b = two()
print(a, b, "b" in two(), max(two()))
def empty(): return; yield
print(list(empty()))
unfinished = count(3)
next(unfinished)
unused = count(9)
print("end of module")

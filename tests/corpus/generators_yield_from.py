def leaf(n):
    got = yield n
    print("leaf got", got)
    return n * 10

def branch():
    a = yield from leaf(1)
    b = yield from leaf(2)
    print("values", a, b)
    yield from [3, 4]
    yield from "xy"
    return a + b

def root():
    try:
        result = yield from branch()
    except LookupError as e:
        print("root caught", e)
        result = None
    yield ("result", result)

r = root()
print(next(r), r.send("A"), r.send("B"), list(r))
r = root()
next(r)
print(r.throw(KeyError("thrown")), list(r))

def flatten(xs):
    for x in xs:
        if isinstance(x, list): yield from flatten(x)
        else: yield x
print(list(flatten([1, [2, [3, [4]], 5], [[6]]])))
def tree(depth):
    if depth:
        yield from tree(depth - 1)
        yield depth
        yield from tree(depth - 1)
print(*tree(4))
class It:
    def __iter__(self): return iter((7, 8))
def delegate(): x = yield from It(); yield x
print(list(delegate()))

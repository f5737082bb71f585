def leaky():
    yield 1
    raise StopIteration("inside")
try:
    list(leaky())
except RuntimeError as e:
    print(e, repr(e.__cause__))
def forgot_default(it):
    while True:
        yield next(it), next(it)
try:
    print(list(forgot_default(iter([1, 2, 3]))))
except RuntimeError as e:
    print(type(e.__cause__).__name__)
def pairs(it):
    while True:
        try:
            yield next(it), next(it)
        except StopIteration:
            return
print(list(pairs(iter("abcde"))))
g = (x for x in [1, 2])
print(list(g), list(g))
def self_ref():
    try:
        yield next(me)
    except ValueError as e:
        yield str(e)
me = self_ref()
print(next(me))
it = iter([1, 2, 3])
print(list(zip(it, it)), next(it, None))
try:
    next(iter([]))
except StopIteration as e:
    print("empty", e.value)
print([*map(lambda x, y: x + y, [1, 2, 3], [10, 20])])
def raises():
    yield "one"
    raise OSError("mid")
try:
    for x in raises(): print(x)
    else: print("no else")
except OSError as e: print(e)

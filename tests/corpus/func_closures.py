def counter(start=0):
    n = start
    def up(by=1):
        nonlocal n
        n += by
        return n
    def reset():
        nonlocal n
        n = start
    return up, reset

up, reset = counter(5)
other, _ = counter()
print(up(), up(10), other())
reset()
print(up())
late = [lambda: i for i in range(3)]
print([f() for f in late])
early = [lambda i=i: i for i in range(3)]
print([f() for f in early])
def outer():
    x = "outer"
    def middle():
        def inner():
            nonlocal x
            x = "changed by inner"
            return x
        before = x
        return before, inner(), x
    return middle(), x
print(outer())
def free_unbound():
    def inner(): return value
    try:
        inner()
    except NameError as e:
        print(e)
    value = 3
    print(inner())
    del value
    try: inner()
    except NameError as e: print(type(e).__name__)
free_unbound()

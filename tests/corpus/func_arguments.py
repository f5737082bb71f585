def f(a, b=2, /, c=3, *rest, d, e=5, **extra):
    return a, b, c, rest, d, e, extra

print(f(1, d=4))
print(f(1, 20, 30, 40, 50, d=60, z=70))
print(f(*[1, 2], **{"d": 1, "c": 9}))
print(f(0, d=1, a="keyword named like a positional"))
def bad(call):
    try:
        call()
    except TypeError as e:
        print(e)
bad(lambda: f(1))
bad(lambda: f(d=1))
bad(lambda: f(1, 2, 3, d=1, **{"d": 2}))
def swap(*, left, right): return {"left": right, "right": left}
print(swap(**swap(left=1, right=2)))
def only_rest(*args, **kwargs):
    args = args + ("added",)
    kwargs["n"] = len(args)
    return args, kwargs
print(only_rest(*"ab", *range(2), k=1, **{"m": 2}))
def annotated(x: int, *y: str, z: "list" = None) -> dict: return annotated.__annotations__
print(annotated(1))

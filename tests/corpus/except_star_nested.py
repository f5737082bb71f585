# exit: 1
tree = ExceptionGroup("top", [
    ValueError("v1"),
    ExceptionGroup("inner", [TypeError("t1"), ValueError("v2")]),
    ExceptionGroup("deep", [ExceptionGroup("deeper", [KeyError("k")])]),
])

def show(group, depth=0):
    print("  " * depth + repr(group.message))
    for e in group.exceptions:
        if isinstance(e, BaseExceptionGroup):
            show(e, depth + 1)
        else:
            print("  " * (depth + 1) + repr(e))

try:
    try:
        raise tree
    except* ValueError as values:
        show(values)
    except* KeyError as keys:
        show(keys)
        raise RuntimeError("while handling keys")
except* RuntimeError as r:
    show(r)
except* TypeError as rest:
    show(rest)
    raise

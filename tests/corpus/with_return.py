class Trace:
    def __enter__(self): print("enter"); return self
    def __exit__(self, *a): print("exit", a[0] is None); return True

def plain():
    with Trace():
        return "value"

def swallowed():
    with Trace():
        raise ValueError
    return "after"

def swallowed_no_return():
    with Trace():
        return 1 / 0

def nested():
    with Trace() as a:
        with Trace() as b:
            try:
                return "nested"
            finally:
                print("finally")

def override():
    try:
        with Trace():
            return "with"
    finally:
        return "finally"

def generator():
    with Trace():
        yield 1
        yield 2
    yield 3

def loop():
    for i in range(3):
        with Trace():
            if i == 1: return i
            raise KeyError

for f in (plain, swallowed, swallowed_no_return, nested, override, loop):
    print(f.__name__, f())
print(list(generator()))

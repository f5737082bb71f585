from contextlib import contextmanager, suppress, closing, ExitStack, redirect_stdout, nullcontext
import io

@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name
    except ValueError as e:
        print("tag swallowed", e)
    finally:
        print(f"</{name}>")

with tag("p") as p:
    print(p)
with tag("q"):
    raise ValueError("inside")
try:
    with tag("r"):
        raise KeyError("through")
except KeyError as e:
    print("out", e)
with suppress(KeyError, IndexError):
    [][3]
    print("never")
class Door:
    def close(self): print("door closed")
with closing(Door()) as d:
    print(type(d).__name__)
with ExitStack() as stack:
    names = [stack.enter_context(tag(n)) for n in "xyz"]
    stack.callback(print, "callback", 1)
    print(names)
buffer = io.StringIO()
with redirect_stdout(buffer):
    print("captured")
print(repr(buffer.getvalue()))
with nullcontext(5) as five: print(five)
@tag("decorated")
def f(): print("in f")
f()
f()

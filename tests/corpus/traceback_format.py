import traceback, sys

def inner(x):
    return 10 / x

def outer(x):
    return inner(
        x
    )

try:
    outer(0)
except ZeroDivisionError:
    print(traceback.format_exc().splitlines()[-1])
    tb = sys.exc_info()[2]
    for frame in traceback.extract_tb(tb):
        print(frame.lineno, frame.name, frame.line)
    traceback.print_exc()
try:
    try:
        [][0]
    except IndexError as e:
        raise KeyError("k") from e
except KeyError as e:
    print("".join(traceback.format_exception_only(e)).strip())
    print(len(traceback.format_exception(e)) > 4)
    te = traceback.TracebackException.from_exception(e)
    print(str(te.__cause__), [s.lineno for s in te.stack])

def stack():
    return [(s.name, s.lineno) for s in traceback.extract_stack()][-2:]
print(stack())
traceback.print_stack(limit=1)

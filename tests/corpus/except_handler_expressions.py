def kinds(label, *types):
    print("evaluate", label)
    return types

def go(exc):
    try:
        raise exc
    except kinds("first", KeyError):
        return "first"
    except kinds("second", ValueError, TypeError):
        return "second"
    except kinds("third", Exception):
        return "third"

print(go(TypeError()), go(KeyError()), go(OSError()))
ERRORS = (ValueError, (KeyError,))
for name in ("ValueError", "IndexError"):
    try:
        raise getattr(__import__("builtins"), name)(name)
    except ERRORS[0] as e:
        print("listed", e)
    except LookupError as e:
        print("lookup", e)
try:
    try:
        raise ValueError("v")
    except "not a class":
        pass
except TypeError as e:
    print(e, "| during", repr(e.__context__))
try:
    try:
        raise ValueError("v")
    except undefined_error:
        pass
except NameError as e:
    print(type(e.__context__).__name__)

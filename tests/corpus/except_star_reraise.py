def handle(errors):
    out = []
    for n in range(3):
        try:
            raise ExceptionGroup(f"g{n}", errors)
        except* ValueError:
            out.append("v")
            if n == 1:
                raise
        except* OSError as eg:
            out.append("o")
            e = "rebound"
        finally:
            out.append("f")
    return out

try:
    handle([ValueError(1), OSError(2)])
except ExceptionGroup as g:
    print(g, g.exceptions)
match_, rest = ExceptionGroup("x", [ValueError(1), KeyError(2)]).split(KeyError)
print(match_.exceptions, rest.exceptions)
try:
    try:
        raise ExceptionGroup("wrap", [KeyError("k")])
    except* KeyError as g:
        raise g.exceptions[0] from None
except* LookupError as e:
    print(repr(e))
print("g" in globals(), "e" in globals())

def run(*errors):
    try:
        raise ExceptionGroup("batch", list(errors))
    except* ValueError as group:
        print("values", [str(e) for e in group.exceptions])
    except* (TypeError, KeyError) as group:
        print("types", [repr(e) for e in group.exceptions])
    else:
        print("else")
    finally:
        print("finally")

run(ValueError("a"), TypeError("b"), ValueError("c"))
run(KeyError("k"))
try:
    run(ValueError("a"), OSError("rest"))
except ExceptionGroup as rest:
    print("left over", rest.exceptions)
try:
    raise ValueError("plain")
except* ValueError as group:
    print(type(group).__name__, repr(group.message), group.exceptions)
try:
    pass
except* Exception:
    print("never")
else:
    print("nothing raised")

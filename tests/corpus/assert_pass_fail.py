def check(value):
    assert value
    assert value > 0, "must be positive"
    assert isinstance(value, int), f"not an int: {value!r}"
    return value * 2

for candidate in [4, 0, -3, 2.5, "x"]:
    try:
        print(candidate, check(candidate))
    except AssertionError as e:
        print(candidate, "failed:", e.args)
    except TypeError as e:
        print(candidate, "type error")
assert True, print("not evaluated")
try:
    assert False, print("evaluated once")
except AssertionError as e:
    print(repr(e))
assert (1, "a tuple is true")[0]
if __debug__:
    print("debug is on")

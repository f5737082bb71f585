def nothing(): return
def implicit(): pass
def several(): return 1, "two", [3]
def starred(xs): return *xs, "end"
def early(x):
    if x < 0:
        return "negative"
    if x == 0: return "zero"
    for i in range(10):
        if i == x:
            return f"found {i}"
    else:
        return "big"
    return "unreachable"
def conditional(x): return "even" if x % 2 == 0 else "odd"
def nested():
    def inner():
        return "inner"
    inner()
    return "outer " + inner()
def while_return():
    n = 0
    while True:
        n += 1
        if n > 4:
            return n

print(nothing(), implicit(), several(), starred("ab"))
print([early(x) for x in (-1, 0, 3, 99)])
print(conditional(3), conditional(8), nested(), while_return())

# exit: 1
rows = [("a", 3), ("b", 0), ("c", 2)]
def ratio(x): return 12 / x
print({k: ratio(v) for k, v in rows if v})
print([
    (k, ratio(v))
    for k, v in rows
])

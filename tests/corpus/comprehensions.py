print([x * y for x in range(3) for y in range(x, 3) if x != y])
print({w[0]: len(w) for w in "the quick brown fox".split() if len(w) > 3})
print(sorted({c for c in "mississippi"}))
print([[r * c for c in range(3)] for r in range(3)])
print([[row[i] for row in [[1, 2], [3, 4], [5, 6]]] for i in range(2)])
gen = (print("lazy", n) or n for n in range(3))
print("created")
print(next(gen), list(gen))
print(sum(x for x in range(10) if x % 2 if x > 3))
x = "outer"
print([x for x in "ab"], x)
fs = [lambda: x for x in range(2)]
print([f() for f in fs])
def noisy(v): print("noisy", v); return v
print([noisy(a) + noisy(b) for a in noisy([1, 2]) for b in noisy([10])])
print({k: v for k, v in zip("abc", [1, 2, 3]) if v != 2}, {**{i: i for i in range(2)}})
print(dict((k, [v for v in range(k)]) for k in range(3)))
class C:
    n = 3
    xs = [i for i in range(n)]
    try:
        ys = [n for i in range(2)]
    except NameError as e:
        ys = str(e)
print(C.xs, C.ys)
print([(a, b) for a, *b in ["xyz", "pq"]])
try:
    [1 // (2 - i) for i in range(4)]
except ZeroDivisionError as e:
    print(e)
def inside(): return [locals_ for locals_ in [1]] + [y for y in (lambda: [2])()]
print(inside(), any(v > 2 for v in [1, 2, 3, print]))

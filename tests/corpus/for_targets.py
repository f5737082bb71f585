class Record: pass
r = Record()
for r.value in range(3): print(r.value, end=" ")
print(r.value)
slots = [None, None]
for slots[0], slots[1] in [(1, 2), (3, 4)]:
    print(slots)
d = {}
for i, d[i] in enumerate("xyz"): pass
print(d)
for first, *rest in [(1, 2, 3), "ab", [9]]:
    print(first, rest)
for [a, (b, c)] in [[1, (2, 3)]]: print(a + b + c)
for i in 1, 2, 3: print(i, end="")
for i in *range(2), "end": print(i, end="")
print()
for i in range(3):
    i = i * 10
    print(i, end=" ")
print(i)
for (x) in {"k": 1}.items(): print(x)
for i in range(3):
    for i in "ab":
        pass
    print(i, end="")
print()

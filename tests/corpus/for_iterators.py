class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        print("iter", self.n)
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n

class Old:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError(i)
        return i * "#"

for x in Countdown(3):
    print(x)
for x in Old():
    print(repr(x))
it = iter(range(10))
for x in it:
    print(x, next(it), end="; ")
    if x >= 4:
        break
print(list(it))
for x in iter(lambda: len(seen) < 3 and not seen.append(1), False) if (seen := []) is not None else ():
    print("call", len(seen))
xs = [1, 2, 3]
for x in xs:
    if x < 3:
        xs.append(x + 2)
print(xs)
d = {"a": 1}
try:
    for k in d:
        d["b"] = 2
except RuntimeError as e:
    print(e)
for a, b in zip("ab", reversed([1, 2])): print(a, b)
for i, ch in enumerate("xy", start=5): print(i, ch)

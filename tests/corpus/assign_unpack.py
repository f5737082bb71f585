first, second = "ab"
print(first, second)
(x, y), z = (1, 2), 3
print(x, y, z)
[p, [q, r]] = 10, (20, 30)
print(p, q, r)
x, y = y, x
print(x, y)
head, *tail = range(5)
*init, last = "hello"
left, *middle, right = [1, 2]
print(head, tail, init, last, left, middle, right)
for key, (low, *rest) in {"a": (1, 2, 3), "b": (4,)}.items():
    print(key, low, rest)
try:
    one, two = 1, 2, 3
except ValueError as error:
    print("error:", error)
try:
    one, two, *more = [1]
except ValueError as error:
    print("error:", error)
print(*[1, 2], *"xy", sep="-")

class Vector:
    def __init__(self, *xs):
        self.xs = list(xs)

    def __iadd__(self, other):
        print("in place", other.xs)
        self.xs = [a + b for a, b in zip(self.xs, other.xs)]
        return self

    def __sub__(self, other):
        print("new object")
        return Vector(*[a - b for a, b in zip(self.xs, other.xs)])

    def __imatmul__(self, other):
        self.xs = [sum(a * b for a, b in zip(self.xs, other.xs))]
        return self

v = alias = Vector(1, 2, 3)
v += Vector(10, 10, 10)
print(v.xs, alias is v)
v -= Vector(1, 1, 1)
print(v.xs, alias.xs, alias is v)
v @= Vector(1, 0, 2)
print(v.xs)
t = ([1],)
try:
    t[0] += [2]
except TypeError as error:
    print(type(error).__name__, t)

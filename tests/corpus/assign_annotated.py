import sys

count: int = 3
name: str
total: "float" = 0.5
print(count, total)
try:
    name
except NameError as error:
    print(error)

class Point:
    x: int
    y: int = 7
    z: list[int] = [1]

p = Point()
p.label: str = "here"
table = {}
table["k"]: int = 4
(count): int = 9
print(p.y, p.z, p.label, table, count)
print(list(Point.__annotations__))

def noisy(tag):
    print("annotation", tag)
    return int

def local():
    value: noisy("never evaluated") = 5
    other: noisy("nor this")
    return value

print(local())
at_module: noisy("evaluated") = 1
slot: noisy("evaluated too")
print(sorted(sys.modules[__name__].__annotations__))

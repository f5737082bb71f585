class Point:
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x = x
        self.y = y
class Point3(Point):
    __slots__ = "z",
p = Point3(1, 2)
try:
    p.z
except AttributeError as e:
    print(e)
p.z = 3
print(p.x, p.y, p.z, hasattr(p, "__dict__"))
try:
    p.w = 4
except AttributeError:
    print("no attribute w")
del p.z
print(hasattr(p, "z"))
class Open(Point): pass
o = Open(5, 6); o.anything = 7
print(o.__dict__, o.x)
for cls in (Point, Point3): print(cls.__slots__)

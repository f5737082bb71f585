class Manager:
    def __init__(self, name, suppress=False):
        self.name, self.suppress = name, suppress
    def __enter__(self):
        print("enter", self.name)
        return self.name.upper()
    def __exit__(self, kind, value, tb):
        print("exit", self.name, kind and kind.__name__, value)
        return self.suppress

with Manager("a"):
    print("body")
with Manager("b") as b, Manager("c") as c:
    print(b, c)
with Manager("s", suppress=True):
    raise ValueError("hidden")
    print("never")
print("after suppressed")
try:
    with Manager("outer"), Manager("inner"):
        1 / 0
except ZeroDivisionError:
    print("propagated")
with Manager("outer", True) as o, Manager("inner"):
    {}["missing"]
with (Manager("p") as p, Manager("q")): print(p)
with Manager("x") as [first, *rest]: print(first, rest)
with Manager("y") as y: pass
box = {}
with Manager("z") as box["z"]: print(box)
with Manager("one"): print("liner"); print("two")

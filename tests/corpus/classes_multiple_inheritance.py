class Base:
    def __init__(self, **kw):
        print("Base", kw)
    def hello(self): return ["Base"]
class Left(Base):
    def __init__(self, left=0, **kw):
        print("Left", left)
        super().__init__(**kw)
        self.left = left
    def hello(self): return ["Left"] + super().hello()
class Right(Base):
    def __init__(self, right=0, **kw):
        print("Right", right)
        super().__init__(**kw)
        self.right = right
    def hello(self): return ["Right"] + super().hello()
class Both(Left, Right):
    def hello(self): return ["Both"] + super().hello()

b = Both(left=1, right=2)
print(b.hello(), [c.__name__ for c in Both.__mro__], vars(b))
try:
    class Impossible(Base, Left): pass
except TypeError as e:
    print(str(e).splitlines()[0])
class Mixin:
    def describe(self): return f"{self.__class__.__name__}: " + ", ".join(f"{k}={v}" for k, v in sorted(vars(self).items()))
class Item(Mixin, Both): pass
print(Item(right=5).describe())
print(super(Left, b).hello())

from enum import Enum, IntEnum, Flag, auto, unique

class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    def shout(self): return self.name + "!"
    @classmethod
    def default(cls): return cls.GREEN

class Level(IntEnum):
    LOW = auto()
    HIGH = auto()

class Perm(Flag):
    R = auto(); W = auto(); X = auto()

class Planet(Enum):
    EARTH = (5.9, 6.3)
    MARS = (0.6, 3.3)
    def __init__(self, mass, radius):
        print("init", self.name)
        self.mass, self.radius = mass, radius

print(list(Color), Color.CRIMSON is Color.RED, Color(2), Color["RED"].shout(), Color.default())
print(Level.HIGH > Level.LOW, Level.HIGH + 1, sorted(Level, reverse=True))
rw = Perm.R | Perm.W
print(rw, Perm.X in rw, ~rw, [p.name for p in rw])
print(Planet.MARS.radius)
try:
    Color(9)
except ValueError as e:
    print(e)
try:
    @unique
    class Dup(Enum):
        A = 1
        B = 1
except ValueError as e:
    print(e)

from dataclasses import dataclass

@dataclass
class Point:
    x: int
    y: int

class Shape:
    __match_args__ = ("kind", "size")
    def __init__(self, kind, size): self.kind, self.size = kind, size

def what(v):
    match v:
        case {"type": "circle", "r": r}:
            return f"circle {r}"
        case {"type": t, **rest} if rest:
            return f"{t} with {rest}"
        case {}:
            return f"mapping of {len(v)}"
        case Point(x=0, y=0):
            return "origin"
        case Point(0, y):
            return f"on y at {y}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point():
            return "point"
        case Shape("box", size=int(s) | float(s)):
            return f"box {s}"
        case Shape(kind, (w, h)):
            return f"{kind} {w}x{h}"
        case [Point(x, _), Point(_, y)]:
            return f"pair {x} {y}"
        case list() | tuple() as seq:
            return f"sequence {len(seq)}"
        case object(): return type(v).__name__

for v in ({"type": "circle", "r": 3}, {"type": "sq", "a": 1}, {"type": "e"}, {}, Point(0, 0), Point(0, 5), Point(2, 2),
          Point(1, 2), Shape("box", 3), Shape("box", "s"), Shape("rect", (2, 3)), [Point(1, 2), Point(3, 4)], (1,), 4.5):
    print(what(v))

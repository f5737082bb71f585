from enum import Enum
class Color(Enum):
    RED = 1
    BLUE = 2
class Limits:
    top = 100

def describe(x):
    match x:
        case 0:
            return "zero"
        case -1 | 1:
            return "unit"
        case 2.5:
            return "float"
        case "yes" | "y":
            return "affirmative"
        case True:
            return "true"
        case None:
            return "none"
        case Color.RED:
            return "red"
        case Limits.top:
            return "limit"
        case 1 + 2j:
            return "complex"
        case b"raw":
            return "bytes"
        case str() as s if s.isdigit():
            return f"digits {s}"
        case str(s):
            return f"text {s}"
        case int(n) if n > 50:
            return f"big {n}"
        case _:
            return f"other {x!r}"

for x in (0, 1, -1, 2.5, "y", True, None, Color.RED, Color.BLUE, 100, 1+2j, b"raw", "42", "abc", 77, 7, [1]):
    print(describe(x))

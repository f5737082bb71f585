def route(command):
    match command.split():
        case []:
            return "nothing"
        case ["quit" | "exit"]:
            return "bye"
        case ["go", ("north" | "south") as way]:
            return f"walk {way}"
        case ["go", *ways] if len(ways) > 1:
            return f"tour {ways}"
        case ["take", thing]:
            return f"got {thing}"
        case [first, *_, last] if first == last:
            return f"loop {first}"
        case [verb, *rest]:
            return f"? {verb} {len(rest)}"

for c in ("", "quit", "go north", "go east west", "take lamp", "a b a", "sing", "go up"):
    print(repr(c), route(c))

def points(p):
    match p:
        case (0, 0): return "origin"
        case (x, 0) | (0, x): return f"axis {x}"
        case [x, y]: return f"{x},{y}"
        case [[a, b], [c, d]]: return "never: two items matched above"
        case (x, y, *z): return f"{len(z)} more"
    return "no point"

for p in ((0, 0), (3, 0), (0, 4), [1, 2], [[1, 2], [3, 4]], (1, 2, 3, 4), "ab", 5):
    print(points(p))

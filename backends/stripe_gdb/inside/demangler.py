"""Names of functions for people, from what a demangler says of their symbols."""

BEHIND = (" const", " volatile", " &&", " &")
HASH = len("::h0123456789abcdef")


def is_rust(symbol):
    """Whether only Rust makes such symbols: the new ones, and the old ones with a hash."""
    return symbol.startswith("_R") or (
        symbol.startswith("_ZN") and symbol[-20:-17] == "17h" and symbol[-1] == "E"
    )


def short(said):
    """Without parameters and the type of what is returned, and without Rust's hash."""
    if said[-HASH:].startswith("::h"):
        return said[:-HASH]
    name = said
    for _ in BEHIND:
        for each in BEHIND:
            name = name.removesuffix(each)
    if not name.endswith(")"):
        return said
    name = name[: _opening(name)]
    at = name.find("operator")
    start, depth, nested = 0, 0, 0
    for place, letter in enumerate(name[: at if at >= 0 else len(name)]):
        nested += (letter == "(") - (letter == ")")
        if not nested:  # else these are signs of a calculation
            depth += (letter == "<") - (letter == ">")
        if letter == " " and not depth and not nested:
            start = place + 1
    return name[start:]


def _opening(name):
    """Where the list of parameters begins that a name ends with."""
    depth = 0
    for place in range(len(name) - 1, 0, -1):
        depth += (name[place] == ")") - (name[place] == "(")
        if not depth:
            return place
    return len(name)

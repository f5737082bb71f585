"""Measures with units: "3.5 km/h" is read, converted, added, and shown with a fitting prefix."""

import re

UNITS = {
    "m": (1.0, {"length": 1}),
    "ft": (0.3048, {"length": 1}),
    "mi": (1609.344, {"length": 1}),
    "g": (0.001, {"mass": 1}),
    "lb": (0.45359237, {"mass": 1}),
    "s": (1.0, {"time": 1}),
    "min": (60.0, {"time": 1}),
    "h": (3600.0, {"time": 1}),
    "l": (0.001, {"length": 3}),
    "N": (1.0, {"mass": 1, "length": 1, "time": -2}),
    "Hz": (1.0, {"time": -1}),
}
PREFIXES = {"n": -9, "u": -6, "m": -3, "c": -2, "k": 3, "M": 6, "G": 9}
MEASURE = re.compile(r"\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(.*?)\s*")
PART = re.compile(r"([A-Za-z]+)(?:\^(-?\d+))?")
OFFSETS = {"C": (1.0, 273.15), "F": (5 / 9, 459.67 * 5 / 9), "K": (1.0, 0.0)}


def unit(name):
    """The factor and the dimension of a unit that may have a prefix."""
    if name in UNITS:
        return UNITS[name]
    prefix, rest = name[:1], name[1:]
    if prefix in PREFIXES and rest in UNITS:
        factor, dimension = UNITS[rest]
        return factor * 10 ** PREFIXES[prefix], dimension
    raise ValueError(f"no unit {name}")


def combined(text):
    """Of units with powers, as in "kg*m/s^2": what follows a stroke is divided by."""
    factor, dimension = 1.0, {}
    sign = 1
    for piece in re.split(r"([*/])", text):
        if piece == "/":
            sign = -1
            continue
        if piece == "*":
            sign = 1
            continue
        match = PART.fullmatch(piece.strip())
        if match is None:
            raise ValueError(f"no unit {piece}")
        power = sign * int(match[2] or 1)
        size, own = unit(match[1])
        factor *= size**power
        for name, exponent in own.items():
            dimension[name] = dimension.get(name, 0) + power * exponent
    return factor, {name: power for name, power in dimension.items() if power}


def read(text):
    """A number in base units and its dimension."""
    match = MEASURE.fullmatch(text)
    if match is None:
        raise ValueError(f"no measure: {text}")
    number = float(match[1])
    if not match[2]:
        return number, {}
    factor, dimension = combined(match[2])
    return number * factor, dimension


def converted(text, target):
    """The number in another unit of the same dimension."""
    number, dimension = read(text)
    factor, wanted = combined(target)
    if dimension != wanted:
        raise ValueError(f"{text} is not in {target}")
    return number / factor


def total(texts, target):
    """The sum; an entry with several measures, such as "5 ft 11 ft", counts with all of them."""
    found = 0.0
    for text in texts:
        for part in re.findall(r"[+-]?[\d.]+\s*[^\d\s+-][^\s]*", text):
            found += converted(part, target)
    return found


def degrees(number, source, target):
    """Temperatures: they have a zero of their own."""
    factor, offset = OFFSETS[source]
    kelvin = number * factor + offset
    factor, offset = OFFSETS[target]
    if kelvin < 0:
        raise ValueError("below the absolute zero")
    return round((kelvin - offset) / factor, 6)


def shown(number, base):
    """With the prefix that leaves from 1 to 999 in front of the point."""
    if number == 0:
        return f"0 {base}"
    best = ""
    power = 0
    for prefix, exponent in sorted(PREFIXES.items(), key=lambda pair: pair[1]):
        if prefix == "c":
            continue
        if abs(number) >= 10**exponent and (exponent < 0 or exponent > power):
            if exponent < 0 and abs(number) >= 1:
                continue
            best, power = prefix, exponent
    return f"{number / 10**power:.4g} {best}{base}"


def duration(seconds):
    """As in "2 h 5 min", the two largest units that are not zero; the rest is dropped."""
    parts = []
    for name, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts[:2]) or "0 s"


def feet(metres):
    """Feet and inches, to the nearest inch."""
    inches = round(metres / 0.0254)
    whole, rest = divmod(inches, 12)
    if rest == 0:
        return f"{whole} ft"
    if whole == 0:
        return f"{rest} in"
    return f"{whole} ft {rest} in"

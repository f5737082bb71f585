"""Documents made wrong at random, always in the same way for the same seed."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

type Place = tuple[Any, Any]
"""A container of a document, and a key or index in it."""

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 119, 1000, 2**31 - 1, 2**31, 2**63, 10**30, -(10**30)),
    *(0.0, 1.0, 2.5, -0.5, 1e300, float("nan"), float("inf"), float("-inf")),
    *("", "x", "3", "\0", "\x1b[31m", "\u202e", "\ud800", "\udc80", "../..", "/", "x" * 200_000),
    *("cmd:true", "stdout:/(/", "é" * 50, "\n" * 3000),
    *([], [[]], [0], [1, 0], [None], ["x"], list(range(3000)), {}, {"x": 1}, {"": []}),
)
"""Values put in the place of others."""


def places(data: Any) -> Iterator[Place]:
    """Every place of a document where there is a value."""
    keys: Any = ()
    if isinstance(data, dict):
        keys = data
    elif isinstance(data, list):
        keys = range(len(data))
    for key in keys:
        yield data, key
        yield from places(data[key])


def mutant(written: str, random_: random.Random) -> str:
    """One document with one to three faults."""
    if random_.random() < 0.08:
        return torn(written, random_)
    data = json.loads(written)
    for _ in range(random_.choice((1, 1, 1, 2, 3))):
        change(data, random_)
    return json.dumps(data)


def torn(written: str, random_: random.Random) -> str:
    """The text damaged as text."""
    cut = random_.randrange(len(written))
    end = min(len(written), cut + random_.randrange(1, 40))
    kind = random_.randrange(6)
    if kind == 0:
        return written[:cut]
    if kind == 1:
        return written[:cut] + written[end:]
    if kind == 2:
        return written[:end] + written[cut:]
    if kind == 3:
        return written[:cut] + "[" * 5000 + written[cut:]
    if kind == 4:  # a key that comes twice
        name = random_.choice(("events", "line", "statement", "format", "text", "check"))
        return written.replace(f'"{name}":', f'"{name}":0,"{name}":', 1)
    return written.replace("0", "9" * random_.choice((12, 400, 5000)), 1)


def change(data: Any, random_: random.Random) -> None:
    """Make one fault.  Kinds of places count alike, however many events there are."""
    by_name: dict[Any, list[Place]] = {}
    for container, key in places(data):
        by_name.setdefault(key if isinstance(key, str) else len(container), []).append(
            (container, key)
        )
    container, key = random_.choice(random_.choice(list(by_name.values())))
    value = container[key]
    kind = random_.randrange(10)
    if kind < 5:
        container[key] = copy.deepcopy(random_.choice(ODD))
    elif kind == 5:
        if isinstance(value, int) and not isinstance(value, bool):
            container[key] = value + random_.choice((-2, -1, 1, 100, 10**7, 10**8, 2**30))
        elif isinstance(value, str):
            container[key] = value * random_.choice((2, 50))
        else:
            container[key] = [value]
    elif kind == 6:
        del container[key]
    elif kind == 7:
        if isinstance(container, list):
            container.insert(random_.randrange(len(container) + 1), copy.deepcopy(value))
        else:
            container[random_.choice(("x", "", "line", "events"))] = copy.deepcopy(value)
    elif kind == 8:
        other, place = random_.choice(list(places(data)))
        container[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(value)
    elif isinstance(value, list):
        size = random_.choice((0, 1, max(0, len(value) - 1), len(value) * 2, len(value) * 100))
        container[key] = (value * 100)[:size]
    else:
        container[key] = str(value)

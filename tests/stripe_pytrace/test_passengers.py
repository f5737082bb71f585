"""What the run of one change decides of others is what their own runs come to."""

from __future__ import annotations

import re
import sys
from types import FunctionType
from typing import Any

import pytest

from stripe_pytrace.agent.deltas import REPLACE, Parsed, key, pairs
from stripe_pytrace.agent.offers import offers
from stripe_pytrace.agent.operations import Unknown, atom, attribute, equal, within
from stripe_pytrace.agent.operations import key as told_by
from stripe_pytrace.agent.orders import read, written
from stripe_pytrace.agent.passengers import Sharing, Task
from stripe_pytrace.agent.views import Views

MOST_LINES = 4000
ADDRESS = re.compile("0x[0-9a-f]+")
PATH = "/nowhere/m.py"

PROGRAMS = {
    "numbers": """
def f(a, b):
    total = 0
    for each in a:
        if each > b and each != 3:
            total += each * 2
        elif each == b:
            total -= 1
    return total
out = [f([1, 2, 3, 4], 2), f([], 1), f([5, 5], 5)]
""",
    "floats": """
def f(a, b):
    scale = 1.0
    if a < 0.0:
        scale = -0.0
    rest = a % 3 if b else a / 2
    return scale * rest, round(a, 1), a == rest
out = [f(1.5, 1), f(-2.25, 0), f(0.0, 2)]
""",
    "texts": """
def f(text, words):
    found = ""
    for index in range(len(text)):
        letter = text[index]
        if letter.isupper() or letter in words:
            found = found + letter.lower()
        else:
            found = f"{found}-"
    return found.strip("-"), text[1:-1]
out = [f("aBcD", "c"), f("", ""), f("xyz", "z")]
""",
    "objects": """
class Shop:
    rate = 3
    def __init__(self, limit):
        self.limit = limit
        self.items = []
        self.log = []
    @property
    def size(self):
        self.log.append("size")
        return len(self.items)
    def __len__(self):
        self.log.append("len")
        return 2
    def add(self, item, count=1):
        if self.size >= self.limit or item is None:
            return False
        while count > 0:
            self.items.append(item)
            count -= 1
            if len(self) < self.limit - self.rate:
                break
        return bool(self)
shop = Shop(3)
out = [shop.add("a"), shop.add(None), shop.add("b", 2), shop.add("c"), shop.items, shop.log]
""",
    "dictionaries": """
LIMIT = 2
def f(pairs, unit):
    seen = {}
    last = None
    for name, count in pairs:
        if name in seen and count < LIMIT:
            continue
        if last is not None and last == name:
            seen[name] = seen.get(name, 0) + unit
        last = name
        seen.setdefault(name, count)
        if len(seen) > LIMIT:
            return seen, last
    return seen, name
out = [f([("a", 1), ("a", 2), ("b", 0)], 1), f([("x", 5), ("y", 6), ("z", 7)], 2)]
""",
    "nested": """
def f(rows, low):
    step = 1
    def inside(value):
        nonlocal step
        step = step + 1
        return value > low + step
    picked = [row for row in rows if row > low]
    low = low - 1
    more = sum(row - low for row in rows if inside(row))
    return picked, more, {row: low for row in picked if row % 2}, step
out = [f([1, 5, 9, 4], 3), f([], 0)]
""",
    "unbound": """
def f(values):
    for value in values:
        if value:
            best = value
            break
    else:
        first = 1
    try:
        return best, value
    except UnboundLocalError as error:
        return str(error), values[0]
out = [f([0, 2]), f([0])]
""",
    "generators": """
def f(many, least):
    kept = None
    for each in many:
        if kept is None or each < kept:
            kept = each
        if each >= least:
            yield each, kept
    return
out = [list(f([3, 1, 2], 2)), list(f((), 1))]
""",
    "the same to compare, but not the same": """
class Odd:
    seen = []
    def __eq__(self, other):
        Odd.seen.append("eq")
        return True
    def __bool__(self):
        Odd.seen.append("bool")
        return False
    __hash__ = None
def f(one, two, three):
    kind = 1
    if one == two:
        kind = True
    elif two:
        kind = 0
    return kind, [one, two] == [two, one], three is True, one in (two, three)
out = [f(Odd(), Odd(), 1), f(1, True, 1.0), f(0.0, -0.0, True), len(Odd.seen)]
""",
}


def run(file: Parsed, task: Task | None) -> str:
    """What the program comes to, with other code; a hang is one by its lines."""
    watcher = None if task is None else task.watcher
    count = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        if frame.f_code.co_filename != PATH:
            return None
        count += event == "line"
        if count > MOST_LINES:
            raise KeyboardInterrupt
        return trace

    names: dict[str, Any] = {"__name__": "m"}
    body, _, last = file.source.decode().rpartition("\nout")
    exec(compile(body, PATH, "exec"), names)
    if task is not None:
        _, old, new = task.change
        codes = {key(one): other for one, other in pairs(old, new)}
        for each in list(names.values()):
            for function in [each, *vars(each).values()] if isinstance(each, type) else [each]:
                if isinstance(function, property):
                    function = function.fget
                if isinstance(function, FunctionType) and key(function.__code__) in codes:
                    function.__code__ = codes[key(function.__code__)]
    if watcher is not None:
        watcher.install()
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        exec("out" + last, names)
        return ADDRESS.sub("0x", repr(names["out"]))
    except KeyboardInterrupt:
        return "hangs"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_what_is_carried_comes_to_what_it_comes_to_alone(name: str) -> None:
    file = Parsed(PATH, PROGRAMS[name].encode())
    lines = set(range(1, len(PROGRAMS[name].splitlines())))
    deltas = [(PATH, each.number, each.how, each.text) for each in offers(file, lines, {})]
    sharing = Sharing({PATH: file})
    runs = 0
    for first in sharing.firsts(deltas, ()):
        assert run(file, first) == run(file, None)
        assert first.watcher is not None
        first.learn({"end": "exited", "told": first.watcher.told(), "out": run(file, None)})
    for delta in deltas:
        if sharing.decided(delta) is None:
            try:
                task = sharing.task(delta)
            except (SyntaxError, ValueError):
                continue
            told = read(written(task, {PATH: file}), {PATH: file})  # as a worker hears of it
            out = run(file, told)
            runs += 1
            if told.watcher is not None:
                end = "timeout" if out == "hangs" else "exited"
                task.learn({"end": end, "told": told.watcher.told(), "out": out})
    carried = [each for each in deltas if sharing.decided(each) is not None]
    for delta in carried:
        path, number, how, text = delta
        decided = sharing.decided(delta)
        assert decided is not None
        alone = run(file, Task((path, *file.changed(number, how, text))))
        assert (delta, alone) == (delta, decided["out"])
    assert len(carried) > runs / 10


def test_reading_asks_no_object_of_the_program() -> None:
    class Loud:
        shared = 1

        def __init__(self) -> None:
            self.own = 2

        def __eq__(self, other: object) -> bool:
            raise AssertionError

        def __hash__(self) -> int:
            raise AssertionError

        @property
        def computed(self) -> int:
            raise AssertionError

    class Watched(Loud):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError

    class Number(int):
        pass

    loud = Loud()
    assert attribute(loud, "own") == 2
    for reading in (
        lambda: attribute(loud, "shared"),
        lambda: attribute(loud, "computed"),
        lambda: attribute(Watched.__new__(Watched), "own"),
        lambda: equal(loud, 1),
        lambda: equal([loud], [loud]),
        lambda: within(1, [loud]),
        lambda: atom(Number(1)),
        lambda: atom("x" * 10**6),
        lambda: atom((1, (2, loud))),
    ):
        with pytest.raises(Unknown):
            reading()


def test_values_are_told_apart_by_more_than_what_is_equal() -> None:
    values = [1, True, 1.0, 0, False, 0.0, -0.0, "1", b"1", None, (), (0,), (False,), (0.0,)]
    assert len({told_by(each) for each in values}) == len(values)
    assert told_by(float("nan")) == told_by(float("nan"))


def test_a_change_that_binds_other_names_is_not_carried() -> None:
    """Without its only assignment a variable is one of the module."""
    file = Parsed(PATH, b"x = 5\ndef f(a):\n    if a:\n        x = 1\n    return x\nout = f(1)\n")
    sharing = Sharing({PATH: file})
    statement = next(
        number for number, each in enumerate(file.nodes) if getattr(each, "lineno", 0) == 4
    )
    deltas = [(PATH, statement, REPLACE, text) for text in ("pass", "a = 1", "x = a", "x = 1 + 0")]
    views = Views(file)
    assert [views.view(*each[1:]) is None for each in deltas] == [True, True, False, False]
    assert sharing.firsts(deltas, ()) == []  # too few

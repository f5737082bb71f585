"""How fast changes are tried: per second of a processor, with all that the host does for them."""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, Sizes, value
from stripe.interventions import Case
from stripe.suspects.suspect_search import find_suspects

FUNCTION = '''\
def schedule(tasks, limit):
    """The order in which tasks end, and when each does; `limit` run at once."""
    order = []
    waiting = dict(tasks)
    done = {}
    clock = 0
    running = []
    while waiting or running:
        ready = sorted(
            name for name, (_, needs) in waiting.items() if all(need in done for need in needs)
        )
        for name in ready:
            if len(running) > limit:
                break
            length, _ = waiting.pop(name)
            running.append((clock + length, name))
        if not running:
            raise ValueError("a circle")
        running.sort()
        end, name = running.pop(0)
        clock = max(clock, end)
        done[name] = end
        order.append(name)
        if clock - end == 1:
            clock += 1
    return order, done
'''

HELPERS = """
def some(count):
    return {str(n): (n % 7 + 1, [str(n // 2)] if n > 2 else []) for n in range(1, count)}


def width(tasks, limit):
    done = schedule(tasks, limit)[1]
    ends = [(done[n] - tasks[n][0], done[n]) for n in done]
    return max(sum(a <= t < b for a, b in ends) for t, _ in ends)
"""

FILES = {
    "shop.py": FUNCTION,
    "test_shop.py": "import pytest\nfrom shop import schedule\n"
    + HELPERS
    + """

@pytest.fixture
def tasks():
    return some(40)


def test_one(tasks):
    assert width(tasks, 1) == 1


def test_none():
    assert schedule({}, 1) == ([], {})


def test_all(tasks):
    assert set(schedule(tasks, 2)[0]) == set(tasks)


def test_circle():
    with pytest.raises(ValueError):
        schedule({"a": (1, ["a"])}, 1)
""",
    "test_unit.py": "import unittest\nfrom shop import schedule\n"
    + HELPERS
    + """

class Schedules(unittest.TestCase):
    def setUp(self):
        self.tasks = some(40)

    def test_one(self):
        self.assertEqual(width(self.tasks, 1), 1)

    def test_none(self):
        self.assertEqual(schedule({}, 1), ([], {}))

    def test_all(self):
        self.assertEqual(set(schedule(self.tasks, 2)[0]), set(self.tasks))
""",
    "prog.py": "import sys\nfrom shop import schedule\n"
    + HELPERS
    + "\ncount, limit = map(int, sys.argv[1:])\nprint(width(some(count), limit))\n",
}

CASES = [
    Case("one", ("40", "1"), b"", b"1"),
    Case("few", ("2", "2"), b"", b"1"),
]

KINDS: dict[str, tuple[tuple[Any, ...], dict[str, Any], list[str]]] = {
    "pytest": (
        ("pytest", ["test_shop.py"]),
        {"module": True},
        ["-m", "pytest", "-q", "test_shop.py::test_one"],
    ),
    "unittest": (
        ("unittest", ["test_unit"]),
        {"module": True},
        ["-m", "unittest", "test_unit.Schedules.test_one"],
    ),
    "a program": (("prog.py",), {"cases": CASES}, ["prog.py", "40", "1"]),
}


def run(sizes: Sizes) -> list[Row]:
    """Changes of a function of 25 lines, by tests that take about a millisecond."""
    few, many = 20, sizes.choose(620, 120)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text)
        for kind, (words, options, command) in KINDS.items():
            rounds = sizes.choose(3, 1)
            first = [_measured(folder, words, options, few) for _ in range(rounds)]
            # To begin is the same in all rounds: one that was disturbed is not to count twice.
            begin = statistics.median(spent for spent, _ in first)
            _, tried = first[0]
            figures: list[tuple[float, float, float, float]] = []
            for beginning, _ in first:
                whole, all_tried = _measured(folder, words, options, many)
                each = max(whole - begin, 1e-9) / max(all_tried - tried, 1)
                anew = _processor(
                    lambda command=command: subprocess.run(  # type: ignore[misc]
                        [sys.executable, *command], cwd=folder, capture_output=True, check=False
                    )
                )
                figures.append(
                    (
                        1 / each,
                        beginning - tried * each,
                        anew / each,
                        _answered(folder, words, options),
                    )
                )
            rates, starts, times, seconds = map(list, zip(*figures, strict=True))
            rows += [
                value("suspects", f"{kind}: changes tried, a second of a processor", rates, "/s",
                      500, at_least=True),
                value("suspects", f"{kind}: processor, until the first change", starts, "s"),
                value("suspects", f"{kind}: instead of a command for each", times, "x"),
                value("suspects", f"{kind}: processor, until the place is told", seconds, "s", 10),
            ]  # fmt: skip
    return rows


def _measured(folder: Path, words: Any, options: Any, tests: int) -> tuple[float, int]:
    """Seconds of a processor, and the changes tried in them."""
    tried = 0

    def find() -> None:
        nonlocal tried
        found = find_suspects(*words, **options, directory=folder, max_tests=tests, max_time=600)
        tried = found.tried

    return _processor(find), tried


def _answered(folder: Path, words: Any, options: Any) -> float:
    """Seconds of a processor that an answer takes which names the line that is wrong."""
    line = FUNCTION.split("\n").index("            if len(running) > limit:") + 1
    known = False

    def find(most: int) -> None:
        nonlocal known
        found = find_suspects(*words, **options, directory=folder, max_tests=most, max_time=600)
        known = any(place.line == line for place in found.places)

    for most in (100, 200, 400, 800):
        seconds = _processor(partial(find, most))
        if known:
            return seconds
    return math.inf


def _processor(action: Callable[[], object]) -> float:
    """Seconds of a processor that an action takes, with all processes that it starts."""
    before = os.times()
    action()
    return sum(after - each for after, each in zip(os.times()[:4], before[:4], strict=True))

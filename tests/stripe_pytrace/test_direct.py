"""Programs that note themselves where they are: traced as by events, and else recorded by these."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.trace import Trace
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording

CALLS = """\
from functools import reduce


class Number:
    "Its methods are called by operators, by C, and amid a run of statements."

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        value = self.value
        total = value + other.value
        return Number(total)

    def __lt__(self, other):
        return self.value < other.value

    @property
    def twice(self):
        return self + self


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def silent():
    "Only this."


def count(n):
    while n:
        n -= 1
        yield n
    return n


def check(n):
    if n % 2:
        raise ValueError(n)


def caught(n):
    try:
        check(n)
    except ValueError:
        return silent()
    else:
        return n
    finally:
        n += 1


def default(given=fib(3)):
    class Local:
        value = given
    return Local.value


numbers = [Number(n) for n in count(5)]
a, b = numbers[:2]; c = a + b; d = c.twice; e = d.value
print(fib(6), e, [n.value for n in sorted(numbers)], reduce(Number.__add__, numbers).value)
print([caught(n) for n in range(4)], default(), list(map(fib, range(4))), sum(count(3)))
for each in count(9):
    if each < 7: break
else:
    print("all")
"""

ROUNDS = """\
def double(n):
    return 2 * n


class Guard:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        double(0)


def cleaned(items):
    for each in items:
        try:
            if each % 2:
                continue
            double(each)
        finally:
            double(each)
    return "cleaned"


def guarded(items):
    for each in items:
        with Guard():
            if each % 2:
                continue
        double(each)


def chosen(items):
    for each in items:
        match each:
            case 0:
                continue
            case 1 | 2:
                double(each)
                continue
        try:
            each.missing
        except AttributeError as error:
            if each == 3:
                continue
            double(each)
        else:
            pass
        if each == 5:
            break
        while each:
            each -= 3
            if each < 0:
                break
        else:
            continue
        for inner in double(each), 1:
            if inner:
                continue
            double(inner)
    else:
        return "all"
    return "left"


def once(items):
    for each in items:
        return each


def failing(items):
    try:
        for first, second in items:
            double(first)
    except (TypeError, ValueError) as error:
        return str(error)


def evens(items):
    for each in items:
        if each % 2:
            continue
        yield each


class Body:
    for each in range(3):
        value = double(each)
    else:
        value = double(value)


class Own:
    def __init__(self):
        self.left = 3

    def __iter__(self):
        return self

    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return double(self.left)


print(cleaned(range(4)), guarded(range(4)), chosen(range(5)), chosen(range(9)), once([3, 4]))
print(failing([(1, 2), 3]), failing([(1, 2), (3,)]), failing(4), list(evens(evens(range(9)))))
for each in Own(): print(each, end=" ")
for each in [double(n) for n in range(3)]:
    for other in evens(range(3)): continue
print(Body.value, each, other)
"""

UNFIT = {
    "a finalizer": "class A:\n    def __del__(self): print(1)\n",
    "a generator that sees to its end": """\
def f():
    try:
        yield
    finally:
        print(1)
""",
    "one with a context": "def f():\n    with open('x') as file:\n        yield\n",
    "a module": "import other\n",
}
WATCHING = """\
import sys
def watch(frame, event, argument):
    global seen
    seen += 1
def f():
    return 1
seen = 0
getattr(sys, "settra" + "ce")(watch)
f()
getattr(sys, "settra" + "ce")(None)
print(seen)
"""
LIMIT = """\
def f(n):
    try:
        return f(n + 1)
    except RecursionError:
        return n
print(f(0))
"""


def recorded(folder: Path, source: str) -> tuple[bool, Trace]:
    """Whether a program was recorded by its own notes, and the trace."""
    (folder / "program.py").write_text(source, "utf-8")
    (folder / "other.py").write_text("import weakref\n", "utf-8")
    recording = PythonBackend().record(Target("program.py", directory=folder))
    assert isinstance(recording, PythonRecording)
    with_notes = recording.direct
    recording.close()
    return with_notes, recording.trace


def by_events(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> Trace:
    monkeypatch.setattr("stripe_pytrace.recording.direct_first", lambda target: False)
    direct, trace = recorded(folder, source)
    assert not direct
    return trace


def told(trace: Trace) -> list[tuple[int, ...]]:
    columns = trace.statement, trace.activation, trace.caller, trace.scope, trace.control
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("source", [CALLS, ROUNDS], ids=["calls", "rounds"])
def test_the_trace_is_that_of_events(tmp_path, monkeypatch, source):
    direct, trace = recorded(tmp_path, source)
    assert direct
    assert told(trace) == told(by_events(tmp_path, source, monkeypatch))


@pytest.mark.parametrize("source", UNFIT.values(), ids=UNFIT)
def test_what_may_run_in_the_middle_of_callbacks_is_recorded_by_events(tmp_path, source):
    direct, _ = recorded(tmp_path, source + "print(2)\n")
    assert not direct


@pytest.mark.parametrize("source", [WATCHING, LIMIT], ids=["watching", "recursion"])
def test_so_is_what_turns_out_while_it_runs(tmp_path, monkeypatch, source):
    direct, trace = recorded(tmp_path, textwrap.dedent(source))
    assert not direct
    assert told(trace) == told(by_events(tmp_path, source, monkeypatch))


@pytest.mark.parametrize("where", ["_is_unlike", "_calibrate"])
def test_so_is_a_program_that_notes_disturb(tmp_path, monkeypatch, where):
    usual = getattr(PythonRecording, where)

    def disturbed(self, *arguments):
        found = usual(self, *arguments)
        if self.direct and where == "_calibrate":
            self._engines.drop_all()
        return found if not self.direct else where == "_is_unlike"

    monkeypatch.setattr(PythonRecording, where, disturbed)
    direct, trace = recorded(tmp_path, "def f(n):\n    return n\nprint(f(2))\n")
    assert not direct
    assert len(trace) == 3

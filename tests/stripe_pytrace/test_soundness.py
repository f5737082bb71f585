"""A replay executes exactly the kept events, by the effects of random programs.

The oracle (``tests/support/effects.py``) is independent of how replays work: each statement of
the generated programs writes labels of its own through a library that is not the user's code,
and all decisions come from a script, so that no statement depends on what another computed.
For a closed configuration that keeps definitions, imports and yields, the labels written must
be those of the kept events, in the order of time, no more and no less.  That the oracle itself
is right is seen on each program: for all events it must give what the plain run wrote.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stripe.backend import End, Recording, Target
from stripe_pytrace.backend import PythonBackend
from tests.support.effects import LIBRARY, LIBRARY_NAME, Case, Oracle, programs
from tests.support.leftovers import nothing_left
from tests.support.tables import tables

RAISED = tables(__file__)["raised"]

CONFIGURATIONS = 40
LONGEST = 1500
KEEP = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)


@pytest.fixture(autouse=True)
def _library(tmp_path_factory, monkeypatch):
    library = tmp_path_factory.mktemp("library")
    (library / f"{LIBRARY_NAME}.py").write_text(LIBRARY)
    with nothing_left(tmp_path_factory.mktemp("outer") / "tmp", monkeypatch):
        monkeypatch.setenv("PYTHONPATH", str(library))
        yield


@contextmanager
def recorded(case: Case) -> Iterator[tuple[Recording, Oracle]]:
    with tempfile.TemporaryDirectory(prefix="case-") as folder:
        (Path(folder) / "program.py").write_text(case.source)
        # record() itself compares the plain run, the recorded run and the full replay.
        recording = PythonBackend().record(
            Target("program.py", [case.script], directory=Path(folder))
        )
        try:
            yield recording, Oracle(recording.trace, case.source)
        finally:
            recording.close()


def lines(output: bytes) -> list[str]:
    return output.decode().split()


def draw_events(chance: random.Random, size: int) -> list[int]:
    share = chance.choice(KEEP)
    return [event for event in range(size) if chance.random() < share]


def described(case: Case, recording: Recording, kept: tuple[int, ...]) -> str:
    dropped = sorted(set(range(len(recording.trace))) - set(kept))
    return (
        f"script {case.script!r}, kept {[recording.trace.name(each) for each in kept]}, "
        f"dropped {[recording.trace.name(each) for each in dropped]}\n{case.source}"
    )


@given(programs(), st.integers(0, 1 << 32))
@settings(max_examples=12)
def test_exactly_the_kept_events_take_effect(case, seed):
    with recorded(case) as (recording, oracle):
        trace = recording.trace
        assume(len(trace) <= LONGEST)
        everything = range(len(trace))
        assert oracle.writes(everything) == lines(recording.plain.stdout)
        forced = oracle.forced(control=False)
        chance = random.Random(seed)
        for _ in range(CONFIGURATIONS):
            kept = trace.close(forced.union(draw_events(chance, len(trace))))
            with recording.replay(kept) as run:
                assert run.end is End.EXITED, described(case, recording, kept)
                assert lines(run.stdout) == oracle.writes(kept), described(case, recording, kept)


def test_a_generator_that_was_over_does_not_begin_anew():
    """Its only resumption is left out; the next one found it exhausted when recorded."""
    source = (
        "def numbers():\n    print('in')\n    if True:\n        return\n    yield\n"
        "it = numbers()\nnext(it, None)\nnext(it, None)\nprint('end')\n"
    )
    with recorded(Case(source, "")) as (recording, _):
        trace = recording.trace
        kept = trace.close(
            event for event in range(len(trace)) if not trace.name(event).startswith("7_")
        )
        assert [trace.name(event) for event in kept] == ["1_1", "6_2", "8_7", "9_8"]
        with recording.replay(kept) as run:
            assert run.stdout == b"end\n"


@pytest.mark.parametrize("source", RAISED.values(), ids=RAISED)
def test_what_raised_when_recorded_leaves_as_it_did_when_it_is_left_out(source):
    """All subsets of the events: of a return, of what stands before another try, of headers."""
    with recorded(Case(f"from {LIBRARY_NAME} import *\n{source}", "")) as (recording, oracle):
        trace = recording.trace
        everything = range(len(trace))
        assert oracle.writes(everything) == lines(recording.plain.stdout)
        forced = oracle.forced(control=False)
        free = [event for event in everything if event not in forced]
        subsets = chain.from_iterable(combinations(free, size) for size in range(len(free) + 1))
        for kept in sorted({trace.close(forced.union(each)) for each in subsets}):
            with recording.replay(kept) as run:
                assert run.end is End.EXITED, [trace.name(event) for event in kept]
                assert lines(run.stdout) == oracle.writes(kept)


DELEGATED = """\
def inner():
    yield
    print("inner")
    yield
def outer():
    yield from inner()
    print("outer")
    yield
it = outer()
next(it)
next(it)
print("between")
next(it)
print("end")
"""
SENT = """\
def helper(value):
    print("helper")
def outer():
    yield
    helper((yield))
    print("outer")
    yield
it = outer()
next(it)
next(it)
next(it)
print("between")
next(it, None)
print("end")
"""


@pytest.mark.parametrize(
    ("source", "left_out", "gone", "written"),
    [(DELEGATED, 11, {11, 3, 4}, "between outer end"), (SENT, 11, {11, 2, 6, 7}, "between end")],
    ids=["yield from", "yield in a call"],
)
def test_what_is_called_by_a_suspended_statement_goes_with_what_resumed_it(
    source, left_out, gone, written
):
    """Else the next resumption would make up for it, later than when it was recorded."""
    with recorded(Case(source, "")) as (recording, _):
        trace = recording.trace
        lines_of = [int(trace.name(event).partition("_")[0]) for event in range(len(trace))]
        kept = trace.close(event for event in range(len(trace)) if lines_of[event] != left_out)
        assert {lines_of[event] for event in range(len(trace)) if event not in kept} == gone
        with recording.replay(kept) as run:
            assert lines(run.stdout) == written.split()


EXHAUSTED = """\
import asyncio

class Numbers:
    left = 2
    def __iter__(self):
        return self
    def __next__(self):
        self.left -= 1
        if self.left:
            return self.left
        raise StopIteration
    def __aiter__(self):
        return self
    async def __anext__(self):
        self.left -= 1
        if self.left:
            return self.left
        raise StopAsyncIteration

def generator():
    try:
        yield from Numbers()
    finally:
        print("delegated")

async def coroutine():
    try:
        async for number in Numbers():
            print(number)
    finally:
        print("awaited")

try:
    for number in Numbers():
        print(number)
finally:
    print("looped")
print(list(generator()))
asyncio.run(coroutine())
raise SystemExit(1)
"""


def test_an_iterator_that_is_exhausted_right_before_a_finally():
    """The exception that says so is noticed like any other, but goes nowhere."""
    # To record includes that the full replay does the same.
    with recorded(Case(EXHAUSTED, "")) as (recording, _):
        assert recording.plain.stdout == b"1\nlooped\ndelegated\n[1]\n1\nawaited\n"


def test_who_raised_what_came_out_of_a_generator():
    source = (
        "def numbers():\n    raise ValueError\n    yield\n"
        "try:\n    for number in numbers():\n        pass\n"
        "except ValueError:\n    print('caught')\n"
    )
    with recorded(Case(source, "")) as (recording, _):
        trace = recording.trace
        names = {trace.name(event): event for event in range(len(trace))}
        assert trace.scope[names["8_4"]] == names["2_3"]

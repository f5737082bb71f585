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
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stripe.backend import End, Recording, Target
from stripe_pytrace.backend import PythonBackend
from tests.support.effects import LIBRARY, LIBRARY_NAME, Case, Oracle, programs
from tests.support.leftovers import nothing_left

CONFIGURATIONS = 20
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
@settings(max_examples=40)
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

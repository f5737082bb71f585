"""Nothing but the kept events takes effect, by the logs of random programs (``support/logged.py``).

``STRIPE_TEST_PROGRAMS=1000`` tries as many programs, ``STRIPE_TEST_CONFIGURATIONS=100`` so many
configurations of each (to record takes as long as a hundred); ``STRIPE_TEST_SEED`` where to begin.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from stripe.backend import End, Target
from stripe.errors import StripeError
from stripe_pytrace.backend import PythonBackend
from tests.support.leftovers import nothing_left
from tests.support.logged import LIBRARY, Log, Program, Writer

PROGRAMS = int(os.environ.get("STRIPE_TEST_PROGRAMS", "4"))
FIRST = int(os.environ.get("STRIPE_TEST_SEED", "0"))
CONFIGURATIONS = int(os.environ.get("STRIPE_TEST_CONFIGURATIONS", "10"))
SHARES = (0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998)
LONGEST = 2000
DEFINITIONS = ("FunctionDef", "ClassDef", "Import", "ImportFrom")


def place(program: Program, folder: Path, libraries: Path) -> Target:
    for place, files in ((folder, program.files), (libraries, program.libraries)):
        place.mkdir(exist_ok=True)
        for name, text in files.items():
            (place / name).write_text(text)
    return Target("program.py", directory=folder)


def differences(program: Program, folder: Path, libraries: Path, seed: int) -> Counter[str]:
    """Try one program; counts what came of it, and tells what should not have been."""
    seen: Counter[str] = Counter()
    target = place(program, folder, libraries)
    try:
        recording = PythonBackend().record(target)
    except StripeError as error:
        return Counter({f"refused: {error.slug}": 1})
    try:
        trace = recording.trace
        if len(trace) > LONGEST:
            return Counter({"too long": 1})
        log = Log(trace, recording.plain.stdout.decode().split())
        chance = random.Random(seed)
        kinds = [trace.statements[number].kind for number in trace.statement]
        for number in range(CONFIGURATIONS):
            share = chance.choice(SHARES)
            defining = chance.random() < 0.9
            strict, fresh = bool(number % 2), number % 50 == 4 + seed % 2
            kept = trace.close(
                (
                    event
                    for event in range(len(trace))
                    if chance.random() < share or (defining and kinds[event] in DEFINITIONS)
                ),
                control=strict,
            )
            with recording.replay(kept, strict=strict, fresh=fresh) as run:
                seen[run.end.name] += 1
                if run.end is End.DIVERGED:
                    seen[" ".join(run.detail.split("(")[0].split()[:2])] += 1
                for difference in log.differences(kept, run.stdout.decode().split()):
                    ways = f"{'strict' if strict else 'free'} {'fresh' if fresh else 'fast'}"
                    dropped = sorted(set(range(len(trace))) - set(kept))
                    names = " ".join(trace.name(event) for event in dropped)
                    seen[f"! seed {seed} {ways}: {difference}; dropped {names}"] += 1
    finally:
        recording.close()
    return seen


@pytest.fixture
def libraries(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("library")
    with nothing_left(tmp_path_factory.mktemp("outer") / "tmp", monkeypatch):
        monkeypatch.setenv("PYTHONPATH", str(folder))
        yield folder


def test_nothing_but_the_kept_events_takes_effect(libraries, tmp_path):
    total: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + PROGRAMS):
        program = Writer(random.Random(seed)).program()
        total += differences(program, tmp_path / str(seed), libraries, seed)
    tried = sum(total[end.name] for end in End)
    sys.stderr.write(f"{PROGRAMS} programs, {tried} configurations: {total}\n")
    assert not [each for each in total if each.startswith("!")]


OVERTAKING = """\
from logged_library import *
def g1():
    b(2) or (yield 1)
    b(3) or (yield 0)
for i in b(5) or each(5, g1()):
    if b(6) or i:
        b(7) or next(g1())
"""


UNANSWERED = """\
from logged_library import *
class C1:
    def __len__(self):
        return b(2) or {}[3]
try:
    b(4) or r(4, number(bool(C1())))
except KeyError:
    b(5)
"""


def test_bool_returns_without_what_it_would_call(libraries, tmp_path):
    program = Program({"program.py": UNANSWERED}, {"logged_library.py": LIBRARY})
    with closing(PythonBackend().record(place(program, tmp_path / "run", libraries))) as recording:
        trace = recording.trace
        log = Log(trace, recording.plain.stdout.decode().split())
        lines = [trace.statements[number].line for number in trace.statement]
        kept = [event for event, line in enumerate(lines) if line != 3]
        with recording.replay(kept) as run:
            executed = run.stdout.decode().split()
    assert executed == ["b4", "r4"]
    assert log.differences(kept, executed) == []
    assert log.differences(range(len(trace)), executed) == ["r4: a call returned that did not"]


def test_a_generator_may_go_on_earlier_than_another(libraries, tmp_path):
    """Without its first ``yield`` it executes at once what it did when it was resumed.

    Nothing else may happen: the other generator's only event is not executed a second time.
    """
    program = Program({"program.py": OVERTAKING}, {"logged_library.py": LIBRARY})
    with closing(PythonBackend().record(place(program, tmp_path / "run", libraries))) as recording:
        trace = recording.trace
        log = Log(trace, recording.plain.stdout.decode().split())
        yields = [e for e in range(len(trace)) if log.labels[trace.statement[e]] == "2"]
        kept = [event for event in range(len(trace)) if event != yields[0]]
        with recording.replay(kept) as run:
            executed = run.stdout.decode().split()
    assert executed == ["b5", "b3", "b6", "b7", "b2", "b5", "b6", "b5"]
    assert log.differences(kept, executed) == []
    assert log.differences(kept, [*executed, "b2"]) == ["b2: executed, but not kept"]

"""A replay by the fork server does what the same replay in a fresh process does."""

from __future__ import annotations

import random
import re

import pytest

from stripe.backend import Observation, Target
from stripe_pytrace.backend import PythonBackend
from tests.support import corpus

PROGRAMS = {program.name: program for program in corpus.programs()}
NAMES = random.Random(2000).sample(sorted(set(PROGRAMS) - set(corpus.REFUSED)), 12)
SHARES = (0.3, 0.9)
ADDRESS = re.compile(rb"0x[0-9a-f]+")


def seen(run: Observation) -> tuple[object, ...]:
    return (
        run.end,
        run.status,
        ADDRESS.sub(b"0x", run.stdout),
        ADDRESS.sub(b"0x", run.stderr),
        run.detail,
    )


@pytest.mark.parametrize("name", NAMES)
def test_fork_equals_fresh(name, tmp_path):
    recording = PythonBackend().record(PROGRAMS[name].place(tmp_path))
    try:
        size = len(recording.trace)
        chance = random.Random(name)
        for share in SHARES:
            kept = recording.trace.close(event for event in range(size) if chance.random() < share)
            with recording.replay(kept) as run:
                forked = seen(run)
            with recording.replay(kept, fresh=True) as run:
                assert seen(run) == forked
            assert b"/agent/" not in forked[3]  # type: ignore[operator]
    finally:
        recording.close()


def test_printing_tracebacks_leaves_nothing_in_classes_that_the_program_uses(tmp_path):
    """Since 3.14 it imports dataclasses, which ask the annotations of ``Mapping``."""
    (tmp_path / "prog.py").write_text(
        "from collections.abc import Mapping\nprint(sorted(vars(Mapping)))\n"
    )
    recording = PythonBackend().record(Target("prog.py", [], False, tmp_path))
    try:
        with recording.replay([0, 1]) as run:
            assert seen(run) == seen(recording.plain)
    finally:
        recording.close()

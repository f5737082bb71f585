"""What a replay takes for another run than the recorded one."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import End, Probe, Target
from stripe_pytrace.agent.plan import Tables
from stripe_pytrace.backend import PythonBackend
from tests.stripe_pytrace.test_unrecorded import recorded, without

DECIDED = """\
value = {before}
value = {after}
if value:
    other = 1
else:
    other = 2
print(other)
"""
REPEATED = """\
rounds = {before}
rounds = {after}
while rounds:
    rounds -= 1
print("end")
"""


@pytest.mark.parametrize("program", [DECIDED, REPEATED], ids=["if", "while"])
@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 0)])
def test_a_predicate_has_a_say_in_strict_replays_only(
    tmp_path: Path, program: str, before: int, after: int
) -> None:
    with recorded(tmp_path, program.format(before=before, after=after)) as recording:
        for strict in (False, True):
            kept = without(recording, "program.py:2", control=strict)
            with recording.replay(kept, strict=strict) as run:
                if strict:
                    assert run.end is End.DIVERGED
                    assert run.detail == "a predicate evaluated differently"
                else:
                    assert (run.end, run.stdout) == (End.EXITED, recording.recorded.stdout)


SHOWN = """\
class Shown:
    def __repr__(self):
        if self:
            return "shown"
        return "not shown"
value = Shown()
print("end")
"""


def test_what_is_not_recorded_has_its_own_predicates(tmp_path: Path) -> None:
    """As what a value is shown by."""
    (tmp_path / "program.py").write_text(SHOWN)
    probe = Probe("value", "program.py", 6)
    recording = PythonBackend().record(Target("program.py", directory=tmp_path), [probe])
    try:
        with recording.replay(range(len(recording.trace)), strict=True) as run:
            assert (run.end, run.values) == (End.EXITED, {probe: "shown"})
    finally:
        recording.close()


def test_what_began_has_an_event() -> None:
    """Activations of function 7: one without events, one with two, one without, the last."""
    tables = Tables.__new__(Tables)
    vars(tables).update(_function=[7, 7, 8, 7], _first_event=[0, 0, 2, 3, 3], _events=[4, 9, 5])
    assert tables.begun(7, (), 5) == 1
    assert tables.begun(7, (), 4) is None
    assert tables.begun(7, {1}, 100) is None
    assert tables.begun(8, (), 6) == 2

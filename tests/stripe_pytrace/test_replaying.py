"""What a replay takes for another run than the recorded one."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import End, Probe
from stripe_pytrace.agent.recording.program import classes
from stripe_pytrace.agent.replaying.plan import Tables
from tests.stripe_pytrace.test_unrecorded import each_way, without
from tests.support.recordings import recorded

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
            kept = without(recording, "prog.py:2", control=strict)
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
    probe = Probe("value", "prog.py", 6)
    with (
        recorded(tmp_path, SHOWN, probes=[probe]) as recording,
        recording.replay(range(len(recording.trace)), strict=True) as run,
    ):
        assert (run.end, run.values) == (End.EXITED, {probe: "shown"})


def test_what_began_has_an_event() -> None:
    """Activations of function 7: one without events, one with two, one without, the last."""
    tables = Tables.__new__(Tables)
    vars(tables).update(_function=[7, 7, 8, 7], _first_event=[0, 0, 2, 3, 3], _events=[4, 9, 5])
    none = bytes(4)
    assert tables.begun(7, none, 5) == 1
    assert tables.begun(7, none, 4) is None
    assert tables.begun(7, b"\0\1\0\0", 100) is None
    assert tables.begun(8, none, 6) == 2


CHILD = """\
import os
def deeper(n):
    return deeper(n + 1)
def fork():
    return os.fork()
other = 1
FORK
    try:
        deeper(0)
    except RecursionError:
        os._exit(10 + other)
other = 2
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
FORKS = {
    "at once": "child = os.fork()\nif not child:",
    "in a condition": "if not os.fork():",
    "in a function": "if not fork():",
}


@pytest.mark.parametrize("case", FORKS)
def test_a_forked_child_runs_in_full(tmp_path: Path, case: str) -> None:
    """And nobody listens: what the child does is no event, and what it meets is its own affair."""
    text = CHILD.replace("FORK", FORKS[case])
    with recorded(tmp_path, text) as recording:
        assert recording.recorded.stdout == b"11\n"
        child = {
            text[:place].count("\n") + 1
            for place in map(text.index, ("return deep", "try:", "deeper(0"))
        }
        assert not child & {
            recording.trace.statements[each].line for each in recording.trace.statement
        }
        for strict in (False, True):
            with recording.replay(range(len(recording.trace)), strict=strict) as run:
                assert (run.end, run.stdout) == (End.EXITED, b"11\n")


def test_a_statement_is_resumed_as_often_as_it_was_recorded(tmp_path: Path) -> None:
    text = "def numbers():\n    yield from range(4)\nunused = 1\nprint(*numbers())\n"
    with recorded(tmp_path, text) as recording:
        for run in each_way(recording, "prog.py:3"):
            assert (run.end, run.stdout) == (End.EXITED, b"0 1 2 3\n")


def test_all_classes_are_known() -> None:
    class Own:
        pass

    class Inner(Own):
        pass

    assert {Own, Inner, bool} <= classes()
    assert object not in classes()


def test_what_shows_a_crash_is_no_module_of_the_programs(tmp_path: Path) -> None:
    """Replays that crash have it ready after the first, whatever the program's files are called."""
    for name in ("textwrap", "codeop", "tokenize"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(7)\n")
    source = "import sys\nsys.path.append(sys.path.pop(0))\nprint(1)\nhalf = 1 / 0\n"
    with recorded(tmp_path, source) as recording:
        for kept in (range(4), (0, 3), range(4), (3,)):
            with recording.replay(kept) as run:
                assert run.exception is not None
                assert run.exception.type == "ZeroDivisionError"
                assert run.stderr == recording.plain.stderr


TO_THE_LIMIT = """\
depth = 0
def deeper():
    global depth
    depth += 1
    deeper()
try:
    deeper()
except RecursionError:
    found = depth
    print(found)
"""


@pytest.mark.parametrize("probes", [(), (Probe("found", "prog.py", 10),)])
@pytest.mark.parametrize("log", ["", "replay"])
def test_the_limit_of_recursion_is_where_it_is_plainly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, probes: tuple[Probe, ...], log: str
) -> None:
    """Whatever levels a look at variables takes, or a log of decisions."""
    monkeypatch.setenv("STRIPE_LOG", log)
    with recorded(tmp_path, TO_THE_LIMIT, probes=probes) as recording:
        everything = range(len(recording.trace))
        for fresh in False, True:
            with recording.replay(everything, fresh=fresh) as run:
                assert run.stdout == recording.plain.stdout

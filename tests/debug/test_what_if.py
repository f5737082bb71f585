"""Who changed a value, and what comes of it if something is done otherwise."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.backend import Target, TravelError
from stripe.cli.debug import travel
from stripe.debug.breakpoints import (
    BadBreakpoint,
    Breakpoint,
    DataBreakpoint,
    FunctionBreakpoint,
    LineBreakpoint,
    RaiseBreakpoint,
)
from stripe.debug.launch import Launch
from stripe.debug.session import Session
from stripe.debug.value_flow import Flow
from tests.debug.test_moments import MEAN, generated, travelled, value

PROGRAMS = int(os.environ.get("STRIPE_TEST_PROGRAMS", "3"))
SEED = int(os.environ.get("STRIPE_TEST_SEED", "1"))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Stands where ``MEAN`` fails."""
    with travelled(tmp_path, MEAN) as journey:
        yield Session(journey)


def line(session: Session) -> int:
    return session.journey.place(session.event)[1]


def events(session: Session, breakpoint_: Breakpoint, *, backwards: bool = False) -> list[int]:
    start = session.journey.total + 1 if backwards else 0
    return list(breakpoint_.stops(session.journey, start, backwards=backwards))


def test_breakpoints_of_all_kinds(session: Session) -> None:
    assert len(events(session, FunctionBreakpoint(function="mean"))) == 3
    assert events(session, FunctionBreakpoint(function="ean")) == []
    assert events(session, RaiseBreakpoint(raised="")) == [session.journey.failure]
    assert events(session, RaiseBreakpoint(raised="KeyError")) == []
    passes = session.journey.events_at("prog.py", 4)
    for hits, expected in (("3", passes[2:3]), (">=3", passes[2:]), ("%2", passes[1::2])):
        assert events(session, LineBreakpoint(hits=hits, file="prog.py", line=4)) == [*expected]
    odd = LineBreakpoint("value % 2", "2", file="prog.py", line=4)
    assert events(session, odd) == [passes[2]]
    with pytest.raises(BadBreakpoint, match="twice"):
        LineBreakpoint(hits="twice", file="prog.py", line=4)
    log = LineBreakpoint("value > 1", log="{total} % {[v for v in values]}", file="prog.py", line=4)
    session.go(1)
    session.breakpoints = [log]
    assert session.resume() == "exception"
    assert session.take_logged() == ["1 % [1, 2, 3]", "3 % [1, 2, 3]", "0 % [4]"]


def test_who_changed_it(session: Session) -> None:
    def went(expression: str, frame: int = 0, *, backwards: bool = True) -> int | None:
        watched = session.watched(frame, expression)
        return line(session) if session.change(watched, backwards=backwards) else None

    assert went("values", frame=1) == 8  # in the caller: the loop has set it
    session.go(session.journey.events_at("prog.py", 5)[0])
    assert [went("total") for _ in range(4)] == [4, 4, 4, 2]
    assert went("total") is None
    assert [went("total", backwards=False) for _ in range(4)] == [4, 4, 4, None]
    changes = DataBreakpoint(watched=session.watched(0, "total"))
    assert events(session, changes) == events(session, changes, backwards=True)[::-1]
    assert len(events(session, changes)) == 4
    with pytest.raises(TravelError, match="SyntaxError"):
        session.watched(0, "total +")


OBJECTS = """\
class Box:
    def __init__(self):
        self.items = {}
    def put(self, key, value):
        self.items[key] = value
        return key

def fill(box, n):
    for k in range(n):
        got = box.put(k % 2, k)
    return got

box = Box()
count = fill(box, 3)
count = fill(box, 2) + count
box.items[9] = count
assert not box.items
"""


def test_a_change_is_of_the_line_that_made_it(tmp_path: Path) -> None:
    with travelled(tmp_path, OBJECTS) as journey:
        session = Session(journey)
        for expression, lines in (
            ("box.items", [16, 5, 5, 5, 5, 13]),  # of the last fill 0 alone is another value
            ("box.items[0]", [5, 5, 5]),
            ("count", [15, 14]),
        ):
            session.go(journey.failure)
            found = []
            while session.change(session.watched(0, expression), backwards=True):
                found.append(line(session))
            assert found[: len(lines)] == lines, expression
        session.go(journey.events_at("prog.py", 11)[0])
        assert session.change(session.watched(0, "got"), backwards=True)
        assert line(session) == 10  # and not the return before it, which had not set it yet


@pytest.mark.parametrize("seed", range(SEED, SEED + PROGRAMS))
def test_all_changes_of_a_variable_are_found(tmp_path: Path, seed: int) -> None:
    """Against the values that each line of the module has before it, one after the other."""
    chance = random.Random(seed)
    with travelled(tmp_path, generated(chance)) as journey:
        session = Session(journey, at_start=True)
        depth = journey.depths[0]
        at_module = [n for n in range(1, journey.total + 1) if journey.depths[n - 1] == depth]
        name = chance.choice("abc")
        texts = list(journey.search(at_module, f"repr(globals().get({name!r}))", backwards=False))
        expected = [event for (event, old), (_, new) in itertools.pairwise(texts) if old != new]
        watched = session.watched(0, name)
        found = list(journey.changes(watched, 0, backwards=False))
        assert [n for n in found if n != at_module[-1]] == expected
        assert list(journey.changes(watched, journey.total + 1, backwards=True)) == found[::-1]


def test_where_values_come_from_and_what_they_led_to(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(MEAN)
    session = Launch(Target("prog.py", directory=tmp_path)).begin(travel)

    def places(flows: list[Flow]) -> list[tuple[int, str]]:
        return [(each.line, each.why) for each in flows]

    try:
        assert places(session.origins()) == [(2, "total"), (9, "called from there")]
        session.go(session.origins()[0].event)
        assert (5, "total") in places(session.consequences())
        session.go(session.journey.events_at("prog.py", 4)[1])
        assert (4, "total") in places(session.origins())
        assert value(session.journey, "(total, value)") == "(1, 2)"
        session.go(session.journey.failure)
        session.switch(session.alter("set", "values = [9]").number)
        with pytest.raises(TravelError, match="timeline 0"):
            session.origins()
    finally:
        session.close()


def test_what_if(session: Session) -> None:
    for kind, text, symptom, output in (
        ("set", "values = [9]", "gone", "3 lines"),
        ("set", "values.append(3)", "gone", "3 lines"),
        ("set", "groups = 5", "refused", "no variable"),
        ("return", "None", "gone", "3 lines"),
        ("return", "{}['x']", "other", ""),
        ("skip", "", "gone", "3 lines"),
        ("turn", "", "refused", "if, while and assert"),
    ):
        if symptom == "refused":
            with pytest.raises(TravelError, match=output):
                session.alter(kind, text)
            continue
        outcome = session.alter(kind, text)
        assert (outcome.symptom, output in outcome.output) == (symptom, True), (kind, text)
        assert bool(outcome.output) is bool(output)
        assert outcome.lines()
    session.switch(1)
    assert value(session.journey, "values") == "[9]"
    session.step("over", backwards=True)
    assert value(session.journey, "values") == "[]"
    session.go(session.journey.total)
    assert session.journey.output()[0] == b"a 2.0\nb 4.0\nc 0.0\n"
    assert session.alter("set", "name = 1").number == 6
    assert [each["number"] for each in session.listed()] == [0, 1, 2, 3, 4, 5, 6]
    assert session.compare(1, 2).output == ""
    session.drop(1)
    assert (session.timeline, session.event) == (0, session.journey.failure)
    with pytest.raises(TravelError, match="no timeline 1"):
        session.switch(1)
    with pytest.raises(TravelError, match="cannot be dropped"):
        session.drop(0)


BRANCHES = """\
def f(n):
    if n > 2: return "many"
    while n:
        n -= 1
    else:
        print("done")
    return "few"
for k in range(4):
    print(f(k))
"""


def test_the_other_branch_and_a_statement_left_out(tmp_path: Path) -> None:
    def printed(session: Session, number: int) -> list[str]:
        return session.line_of(number).ending.stdout.decode().split()

    with travelled(tmp_path, BRANCHES) as journey:
        session = Session(journey)
        few, many = ["done", "few"], ["many"]
        for at, pass_, kind, expected in (
            (2, 0, "turn", many + few + few + many),
            (2, 3, "turn", few * 4),
            (2, 3, "skip", few * 4),
            (3, 0, "turn", None),  # n goes below zero, for ever
            (3, 1, "turn", few * 3 + many),
            (3, 1, "skip", ["done", "few", "few", "done", "few", "many"]),
            (6, 2, "skip", ["done", "few"] * 2 + ["few", "many"]),
        ):
            session.go(journey.events_at("prog.py", at)[pass_])
            if expected is None:
                with pytest.raises(TravelError, match="not known"):
                    session.alter(kind)
                continue
            outcome = session.alter(kind)
            assert printed(session, outcome.number) == expected, (at, pass_, kind)


def test_what_would_last_is_not_done(tmp_path: Path) -> None:
    text = "harm = False\nif harm:\n    open('made', 'w').write('x')\nassert harm\n"
    with travelled(tmp_path, text) as journey:
        session = Session(journey, at_start=True)
        session.step("over")
        with pytest.raises(TravelError, match=r"ended before .*made.* not known"):
            session.alter("set", "harm = True")
        with pytest.raises(TravelError, match="not known"):
            session.alter("turn")
        assert len(session.timelines) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["prog.py"]


@pytest.mark.parametrize("seed", range(SEED, SEED + PROGRAMS))
def test_a_variable_set_is_as_the_program_with_that_statement(tmp_path: Path, seed: int) -> None:
    """Against a plain run of the program that assigns at that pass itself."""
    chance = random.Random(seed)
    text = generated(chance)
    with travelled(tmp_path, text) as journey:
        session = Session(journey)
        numbers = [n for n, each in enumerate(text.splitlines(), 1) if each.strip()[1:4] == " = "]
        for _ in range(3):
            number = chance.choice(numbers)
            passes = journey.events_at("prog.py", number)
            if not passes:
                continue
            which = chance.randrange(len(passes))
            session.go(passes[which])
            outcome = session.alter("set", "b = 77")
            lines = text.splitlines()
            indent = lines[number - 1][: -len(lines[number - 1].lstrip())] if lines else ""
            lines[number - 1 : number - 1] = [
                f"{indent}_passes.append(0)",
                f"{indent}if len(_passes) == {which + 1}: b = 77",
            ]
            (tmp_path / "other.py").write_text("\n".join(["_passes = []", *lines]) + "\n")
            plain = subprocess.run(
                [sys.executable, "other.py"], cwd=tmp_path, capture_output=True, check=False
            )
            assert session.line_of(outcome.number).ending.stdout == plain.stdout


def test_a_test_is_debugged_at_its_assertion(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def f(n):\n    return n - 1\n")
    (tmp_path / "test_it.py").write_text(
        "import own\ndef test_right():\n    assert own.f(1) == 0\n"
        "def test_wrong():\n    got = own.f(2)\n    assert got == 2\n"
    )
    target = Target("pytest", ["test_it.py"], module=True, directory=tmp_path)
    session = Launch(target).begin(travel)
    try:
        assert session.is_at_failure
        assert (session.calls[0].function, session.calls[0].line) == ("test_wrong", 6)
        assert session.change(session.watched(0, "got"), backwards=True)
        session.step("in")
        assert session.alter("return", "n").symptom == "gone"
    finally:
        session.close()

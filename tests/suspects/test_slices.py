"""Suspects beside the slices of a failing run: told, and without a part in the order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.cli.suspects import run
from stripe.errors import NotReducible, UsageError
from stripe.failing_run import pytest_words, slice_of, slicing, view
from stripe.interventions import Case, Line, Test, Verdict
from stripe.report.style import Style
from stripe.report.suspects import suspects_lines
from stripe.results.model import changed
from stripe.results.suspects import from_json
from stripe.suspects import SliceView, Standing, find_suspects
from stripe.suspects.slices import MOST, FailingRun
from stripe.suspects.suspect_search import _wanted
from tests.support.fake import FakeBackend
from tests.support.results import result_of, trace_of
from tests.support.results import slice_of as of_events
from tests.suspects.test_search import Table, change

A, B = Line("m.py", 1), Line("m.py", 2)
VIEW = SliceView("f0", "exception", {A: Standing.CRITICAL}, 1, 3, True, True)


class Laboratory:
    """A backend that can do nothing but experiments, on a table."""

    name = "table"
    suffixes: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.table = Table([change("yes", 2)], {"yes": (0, 1, 2)})

    def refuses(self, target):
        return None

    def record(self, target, probes=()):
        raise NotImplementedError

    def trials(self, target, cases, *, seconds, first=()):
        return self.table


def suspects(**options):
    return find_suspects("pytest", module=True, backend=Laboratory(), **options)


def test_each_line_is_told_with_its_standing_and_its_rank_by_ochiai() -> None:
    result = suspects(slicing=lambda run, seconds: VIEW)
    found = result.to_json()
    assert found["slice"] == {
        "run": "f0", "check": "exception", "kept": 1, "of": 3, "certified": True, "dynamic": True
    }  # fmt: skip
    assert [(each["line"], each["rank"], each["slice"]) for each in found["ranking"]] == [
        (2, 1, "absent"), (1, 2, "critical")
    ]  # fmt: skip
    assert result.ochiai_ranks() == {B: 1, A: 2}
    assert from_json(json.loads(json.dumps(found))) == result


def test_a_slice_takes_no_line_away_and_moves_none() -> None:
    """Line 2, which no slice has, stays first."""
    with_slice, without = suspects(slicing=lambda run, seconds: VIEW), suspects()
    assert [changed(each, slice=None) for each in with_slice.ranking] == [*without.ranking]
    assert with_slice.places == without.places
    assert without.to_json()["slice"] is None
    assert {each["slice"] for each in without.to_json()["ranking"]} == {None}


def test_the_quickest_failing_run_is_sliced_in_a_share_of_the_time() -> None:
    asked = []

    def sliced(run, seconds):
        asked.append((run.test.name, seconds))
        return VIEW

    suspects(slicing=sliced, max_time=40)
    ((name, seconds),) = asked
    assert name == "f0"
    assert 1 < seconds <= MOST * 40


def test_where_there_is_no_slice_it_is_told_and_nothing_else_is_lost() -> None:
    def refused(run, seconds):
        raise NotReducible("no-exception", "It does not fail alone.", "")

    found = suspects(slicing=refused)
    assert found.slice is None
    assert found.places
    assert found.notes[-1] == (
        "The lines are not compared with a critical slice of f0: It does not fail alone."
    )


def test_without_time_no_slice_is_begun() -> None:
    def never(run, seconds):
        raise AssertionError("begun")

    found = suspects(slicing=never, max_time=1)
    assert "no time for it" in found.notes[-1]


def test_one_of_the_failing_tests_can_be_asked_about() -> None:
    found = suspects(failing=["f1"])
    assert found.failing == ("f1",)
    assert "f0" in found.left_out
    with pytest.raises(NotReducible) as error:
        suspects(failing=["p2"])
    assert error.value.slug == "nothing-fails"
    assert error.value.message.startswith("None of p2 fails: ")


def test_the_report_tells_it_beside_the_rank() -> None:
    found = suspects(slicing=lambda run, seconds: VIEW)
    text = "\n".join(suspects_lines(found, Style(colour=False, width=100)))
    assert "   2        0      0.707 (2)  kept     m.py:1" in text
    assert "slice    1 of 3 executions of f0" in text
    assert "the line is not executed by the run that was sliced" in text


def test_options_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def searched(*words, **options):
        asked.append((options["slicing"] is None, options["failing"]))
        raise NotReducible("nothing-fails", "", "")

    monkeypatch.setattr("stripe.cli.suspects.find_suspects", searched)
    for options in ((), ("--no-slice", "--failing", "t.py::a", "--failing", "t.py::b")):
        with pytest.raises(NotReducible):
            run([*options, "-m", "pytest"])
    assert asked == [(False, []), (True, ["t.py::a", "t.py::b"])]


def test_a_name_without_parameters_is_that_of_all() -> None:
    """As editors name a test that has some."""
    lines = frozenset({A})
    found = [_wanted(Test(0, name, Verdict.FAILED, 0.1, lines), ["t.py::a"]).verdict
             for name in ("t.py::a", "t.py::a[1]", "t.py::ab[1]")]  # fmt: skip
    assert found == [Verdict.FAILED, Verdict.FAILED, Verdict.OTHER]


# --- the slice itself

PROGRAM = """\
import sys

def total(prices):
    log = []
    found = 0
    for price in prices:
        if price > 0:
            log.append(1)
            found += price
    seen = -found
    found += 0
    return found * 2

if __name__ == "__main__":
    print(total([int(each) for each in sys.argv[1:]]))
"""


def test_lines_of_a_program_by_what_slices_say(tmp_path: Path) -> None:
    """What decides, what only the analysis of dependences has, and what neither has."""
    (tmp_path / "m.py").write_text(PROGRAM)
    case = Case("a", ("3", "-1"), b"", b"3")
    test = Test(0, "a", Verdict.FAILED, 0.1, frozenset())
    target = Target(program="m.py", directory=tmp_path)
    found = slicing()(FailingRun(target, test, case), 60)
    say = {line: found.of_line(Line("m.py", line)).value for line in range(1, 17)}
    assert {line for line, word in say.items() if word == "executed"} == {4, 8, 10}
    assert say[9] == say[12] == say[15] == "critical"
    assert say[7] == "decides"
    assert say[11] == "dynamic"
    assert say[16] == "absent"
    assert found.certified
    assert (found.run, found.check) == ("a", "stdout")


HALF = "def half(n):\n    log = []\n    log.append(1)\n    return n / 2\n"


@pytest.mark.parametrize(
    ("runner", "name", "text"),
    [
        ("pytest", "test_half.py::test_odd",
         "from half import half\ndef test_odd():\n    assert half(3) == 1\n"),
        ("unittest", "test_half.T.test_odd",
         "import unittest\nfrom half import half\nclass T(unittest.TestCase):\n"
         "    def test_odd(self):\n        self.assertEqual(half(3), 1)\n"),
    ],
)  # fmt: skip
def test_a_test_is_sliced_alone(tmp_path: Path, runner: str, name: str, text: str) -> None:
    (tmp_path / "half.py").write_text(HALF)
    (tmp_path / "test_half.py").write_text(text)
    test = Test(0, name, Verdict.FAILED, 0.1, frozenset(), "test_half.py")
    run = FailingRun(Target(program=runner, module=True, directory=tmp_path), test)
    found = view(run, slice_of(run, 60))
    say = {line: found.of_line(Line("half.py", line)).value for line in (1, 3, 4)}
    assert say == {1: "absent", 3: "executed", 4: "critical"}  # line 1 ran before the test
    assert found.check == "exception"


def test_names_of_tests_that_pytest_was_given_make_room_for_the_one(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").touch()
    words = ("tests/test_a.py::test_x", "-m", "not slow", "tests", "-v")
    target = Target(program="pytest", arguments=words, module=True, directory=tmp_path)
    test = Test(0, "test_a.py::test_y[1/2]", Verdict.FAILED, 0.1, frozenset(), "tests/test_a.py")
    found = pytest_words(target, FailingRun(target, test))
    assert found[:5] == [".", f"{tmp_path}/tests/test_a.py::test_y[1/2]", "-m", "not slow", "-v"]


def test_a_slice_that_had_no_time_to_leave_anything_out_says_nothing(tmp_path: Path) -> None:
    recorded = trace_of([1, 2], "x = 1\nprint(x)\n")
    whole = of_events(recorded, [0, 1], certified=False)
    test = Test(0, "f0", Verdict.FAILED, 0.1, frozenset(), "m.py")
    run = FailingRun(Target(program="pytest", module=True, directory=tmp_path), test)
    with pytest.raises(NotReducible) as caught:
        view(run, result_of(recorded, whole))
    assert caught.value.slug == "no-slice"


def test_a_backend_that_cannot_change_programs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    with pytest.raises(UsageError) as caught:
        find_suspects("prog.py", cases=[Case("a", (), b"", b"2\n")], directory=tmp_path,
                      backend=FakeBackend())  # fmt: skip
    assert caught.value.slug == "no-experiments"

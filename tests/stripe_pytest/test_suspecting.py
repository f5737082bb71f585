"""``pytest --stripe``: above a slice, the first two places where a change makes the test pass."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from stripe.failing_run import without_cache
from stripe_pytest.invocation import ALONE, NARROWING, by_our_options, options
from stripe_pytest.suspects import LONGEST, reason, told
from tests.stripe_pytest.test_plugin import Project, section
from tests.support.programs import HALF, WITH_A_WRONG_TEST


def test_two_lines_above_the_slice(tmp_path: Path) -> None:
    """Also where pytest was told to run that test only: the others say what a change breaks."""
    files = {"half.py": HALF, "test_half.py": WITH_A_WRONG_TEST, "pytest.ini": "[pytest]"}
    project = Project(tmp_path, files)
    options = ("--stripe", "--stripe-suspects", "40", "-x", "-k", "odd")
    found = section(project.pytest(*options, *project.instead("the slice")), "test_odd")
    lines = [line for line in found.splitlines() if line.startswith("suspect")]
    assert lines[0] == (
        "suspect: half.py:2 with `n // 2` instead of `n / 2` the failing test passes, and 1 of 1 "
        "still pass"
    )
    assert len(lines) <= 2
    assert found.index("suspect") < found.index("the slice")


def test_why_nothing_was_looked_for_is_told(tmp_path: Path) -> None:
    """All that is wrong here is the test."""
    project = Project(tmp_path, {"test_own.py": "def test_own():\n    assert 0\n"})
    options = ("--stripe", "--stripe-suspects", "40", *project.instead("the slice"))
    found = section(project.pytest(*options), "test_own")
    said = (
        "\nsuspects: not looked for: All that the failing tests execute belongs to tests. "
        "[no-suspects]\nName more of what is yours: --include NAME; or the failure is in the tests"
    )
    assert said in found


def test_the_reason_is_told_in_whole_sentences() -> None:
    """It was cut off at the end of the first line of the terminal."""
    said = (
        "stripe: The tests cannot be run: pytest\ncollected nothing [no-tests]\nRun them\nfirst.\n"
    )
    assert reason(said) == (
        "suspects: not looked for: The tests cannot be run: pytest collected nothing [no-tests]\n"
        "Run them first."
    )
    assert reason("") == "suspects: not looked for: there was no answer"
    assert reason("Killed\n") == "suspects: not looked for: Killed"


LATE = """\
The 3 seconds of --max-time were over. [out-of-time]
Give it more time (--max-time S) or less to do: fewer files (--only, --exclude)."""


def test_options_have_the_names_that_they_have_in_pytest() -> None:
    """A user of pytest was told to give it more time by an option of another command."""
    assert by_our_options(LATE, "--stripe-max-time", "trace") == (
        "The 3 seconds of --stripe-max-time were over. [out-of-time]\n"
        "Give it more time (--stripe-max-time S) or less to do: fewer files (--only, --exclude).\n"
        "Options without --stripe are those of: stripe trace -m pytest TEST"
    )
    said = "pytest does not understand 'a.py --maxfail 3'. Give it --stripe-suspects S"
    assert by_our_options(said, "--stripe-suspects", "suspects") == said


PLACE = {"file": "a.py", "line": 3, "change": "`1` instead of `2`", "passing": 4,
         "still_passing": 3}  # fmt: skip


@pytest.mark.parametrize(
    ("places", "tried", "lines"),
    [
        ([PLACE, PLACE, PLACE], 7,
         ["suspect: a.py:3 with `1` instead of `2` the failing test passes, and 3 of 4 still pass"]
         * 2),
        ([{**PLACE, "passing": 0}], 7,
         ["suspect: a.py:3 with `1` instead of `2` the failing test passes, but no test in t.py "
          "passes that it could break"]),
        ([], 7, ["suspects: the failing test passes with none of 7 small changes (there are 9: "
                 "--stripe-suspects gives more time)"]),
        ([], 9, ["suspects: the failing test passes with none of 9 small changes"]),
    ],
)  # fmt: skip
def test_what_is_told(places, tried: int, lines: list[str]) -> None:
    assert told({"places": places, "changes": {"tried": tried, "offered": 9}}, "t.py") == lines


def test_long_changes_are_cut() -> None:
    (line,) = told(
        {"places": [{**PLACE, "change": "x" * 900}], "changes": {"tried": 1, "offered": 1}}, "t.py"
    )
    assert "x" * (LONGEST - 3) + "... the failing" in line


def test_options_of_the_cache_are_not_passed_on() -> None:
    """``pytest --lf --stripe`` had no slice: a test is run anew without a cache."""
    words = ["--lf", "--lfnf", "all", "-q", "--last-failed-no-failures=none", "--cache-clear"]
    assert without_cache(words) == ("-q",)


def test_our_own_options_and_names_of_tests_are_not_passed_on() -> None:
    words = ["--stripe", "--stripe-html", "pages", "-k", "odd", "--stripe-suspects=3", "-x",
             "--stripe-reduce", "test_it.py", "-k=even", "-q"]  # fmt: skip
    config = SimpleNamespace(
        option=SimpleNamespace(file_or_dir=["test_it.py"]),
        invocation_params=SimpleNamespace(args=words),
    )
    assert options(config) == ["-k", "odd", "-x", "-k=even", "-q"]  # type: ignore[arg-type]
    assert options(config, ALONE, NARROWING) == ["-q"]  # type: ignore[arg-type]

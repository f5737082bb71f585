"""The screen of an answer: 24 lines of 100 columns, the most useful one first."""

from __future__ import annotations

from typing import Any

import pytest

from stripe.report.style import Style
from stripe.report.why import SCREEN, headline, why_lines
from stripe.results.why import Experiment, Happened, Reason, Step
from tests.support.answers import answer_of, place_of

PLAIN = Style(width=100)
FULL = Style(width=100, full=True)


def test_a_place_has_its_line_and_why_and_the_end_says_how_sure_it_is():
    document = answer_of(
        "ValueError: bad",
        place_of(3),
        aside="4 of 10 executed statements can be left out, and it stays",
        certainty="Only nearby: it is where the failure showed.",
    )
    assert why_lines(document, PLAIN) == [
        "ValueError: bad  (shop.py:3)",
        "where to look",
        " 1  shop.py:3 in total:  if cost > free:",
        "      left out alone, the run no longer shows it",
        "no matter  4 of 10 executed statements can be left out, and it stays",
        "how sure   Only nearby: it is where the failure showed.",
        "next       stripe trace shop.py   (all that it needs)",
    ]


def test_that_nothing_was_found_is_said_in_the_second_line():
    assert why_lines(answer_of(), PLAIN)[1] == (
        "Nothing useful was found. Nothing that was tried shows where to look."
    )


def test_the_story_has_values_and_folds_what_is_needed_again():
    step = Step("shop.py", 2, "total", "cost += price", (("cost", "7"), ("price", "2")), 41)
    lines = why_lines(answer_of("E", place_of(), story=(step,)), PLAIN)
    at = lines.index("how it came about")
    assert lines[at + 1] == "    shop.py:2  cost += price  (… 41 more)   cost = 7, price = 2"


@pytest.mark.parametrize("full", [False, True])
def test_all_of_it_fits_a_screen_unless_all_is_asked_for(full):
    reasons = [Reason("kept", "slice", "long " * 60)] * 3
    steps = tuple(Step("shop.py", n, "f", "x" * 200, (("v", "y" * 300),)) for n in range(1, 11))
    left: tuple[tuple[Any, Any], ...] = (
        ("changes", "refused"), ("suspects", "failed"), ("causes", "limit"), ("input", "skipped"),
    )  # fmt: skip
    made = [Experiment(name, standing, "z " * 100, 1.0) for name, standing in left]
    document = answer_of(
        "E " * 150, *(place_of(n, *reasons) for n in (1, 2, 3)), story=steps, aside="w " * 100,
        experiments=(*answer_of().experiments, *made), notes=("a note",), interrupted=True,
    )  # fmt: skip
    lines = why_lines(document, FULL if full else PLAIN)
    assert max(map(len, lines)) <= 100
    if not full:
        assert len(lines) <= SCREEN
        return
    text = " ".join(" ".join(lines).split())
    for label in ("limit", "refused", "failed", "not tried", "note", "tried", "ended"):
        assert f" {label} " in text, label
    for name in (
        "changes between versions: z z", "small changes: z z", "states of a passing run: z z",
        "a smaller input: z z", "leaving out: so (1.0 s)", "one plain run: ValueError: bad (0.1 s)",
    ):  # fmt: skip
        assert name in text, name


def test_an_inquiry_that_was_ended_says_so():
    lines = why_lines(answer_of("E", place_of(), interrupted=True), PLAIN)
    assert "ended      It was interrupted: this is what was known by then." in lines


def test_what_was_cut_says_how_to_see_it():
    document = answer_of("E", place_of(3, Reason("kept", "slice", "long " * 60)))
    assert (
        why_lines(document, PLAIN)[-1] == "more       stripe why --all shows what did not fit here"
    )
    assert "--all" not in "".join(why_lines(document, FULL))
    assert "--all" not in "".join(why_lines(answer_of("E", place_of()), PLAIN))


def test_where_nothing_failed_the_output_is_numbered_and_a_question_offered():
    happened = Happened("nothing", "It ended.", output=("one", "two"), first=9)
    document = answer_of(happened=happened, following=(("stripe why --line 10 a.py", "why"),))
    assert why_lines(document, PLAIN) == [
        "It ended.",
        "  9  one",
        " 10  two",
        "Which of these lines is wrong? Ask about it, or say what it should be: "
        "stripe why --line 10 a.py",
    ]
    document = answer_of(happened=happened, following=())
    assert why_lines(document, PLAIN)[-1].endswith(": stripe why --line 1 PROGRAM")
    nothing = answer_of(happened=Happened("nothing", "It ended."))
    assert why_lines(nothing, PLAIN) == [
        "It ended.",
        "It printed nothing. Ask about a file that it writes, or a variable:",
        "  stripe why --check file:PATH ...    stripe why --check var:NAME@FILE:LINE ...",
    ]


def test_the_headline_is_what_happened_and_the_first_place() -> None:
    reason = "left out alone, the run no longer shows it"
    assert headline(answer_of("E", place_of())) == f"E. shop.py:3: {reason}"
    assert headline(answer_of("E")) == "E. Nothing useful was found."

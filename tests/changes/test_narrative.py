"""What is said of an answer: what tests have shown, and what they have not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stripe.changes.narrative import narrative, preferred
from stripe.changes.snapshots import Tree
from stripe.dd import Outcome
from stripe.intervals import ends
from stripe.report.changes import sentence
from stripe.results.changes import ChangesResult, Test, Tested
from stripe.results.model import changed
from tests.changes.answers import answer_to, divides, interfering
from tests.changes.histories import history
from tests.dd.vectors import vectors


def told(result: ChangesResult, about: str) -> list[str]:
    """All that is said about something, in one line each."""
    return [
        " | ".join((each.text, *each.items)) for each in narrative(result) if each.about == about
    ]


def words(tree: Tree) -> str:
    return tree["f"][1].decode().replace("\n", " ")


LETTERS = {"f": "a\nb\nc\nd\n"}
CAPITALS = {"f": "A\nB\nC\nD\n"}


def test_changes_that_interfere_are_named_with_place_and_author() -> None:
    (said,) = told(answer_to(interfering(), divides), "interference")
    assert said.split(" | ") == [
        "2 changes interfere: only together do they cause the failure. None of them fails alone.",
        "table.py, in rows (c1, Alan: subject of c1): by itself, the test passes; without it, the "
        "test passes",
        "mean.py, in mean (c2, Grace: subject of c2): by itself, the test passes; without it, the "
        "test passes",
    ]


def test_a_change_outside_of_functions_is_named_by_its_file_alone() -> None:
    result = answer_to(interfering(), divides)
    outside = changed(result.blamed[0], functions=())
    (said,) = told(changed(result, blamed=(outside, result.blamed[1])), "interference")
    assert said.split(" | ")[1].startswith("table.py (c1, Alan: subject of c1): ")


def test_what_was_not_left_out_alone_is_not_said_to_be_needed() -> None:
    result = answer_to(interfering(), divides)
    unknown = changed(result.blamed[0], without=Tested())
    (said,) = told(changed(result, blamed=(unknown, result.blamed[1])), "interference")
    assert "interfere" not in said
    assert "not all of them were left out alone" in said
    assert "without it, not tested" in said


def test_a_part_that_decides_nothing_alone_is_said_to() -> None:
    def judge(tree: Tree) -> Outcome:
        alone = b"list(ROWS)" not in tree["table.py"][1] and b"/ len(row)" in tree["mean.py"][1]
        return Outcome.UNRESOLVED if alone else divides(tree)

    result = answer_to(interfering(), judge)
    (said,) = told(result, "interference")
    assert "Grace: subject of c2): by itself, the test is unresolved; without it" in said
    assert any("table.py (c1)" in each for each in told(result, "not shown"))


def test_one_change_interferes_with_none() -> None:
    result = answer_to(
        history(LETTERS, CAPITALS), lambda tree: Outcome("FAIL" if "C" in words(tree) else "PASS")
    )
    assert told(result, "interference") == []
    assert told(result, "not shown") == []
    assert told(result, "preference") == [
        "All other changes that can do without these pass when they are applied together."
    ]


def test_another_cause_is_told_of() -> None:
    result = answer_to(
        history(LETTERS, CAPITALS),
        lambda tree: Outcome("FAIL" if {"A", "C"} & set(words(tree)) else "PASS"),
    )
    assert "there is another cause among them" in told(result, "preference")[0]


def test_what_the_rest_does_not_tell_is_not_claimed() -> None:
    def judge(tree: Tree) -> Outcome:
        if "C" in words(tree):
            return Outcome.FAIL
        return Outcome.PASS if words(tree) == "a b c d " else Outcome.UNRESOLVED

    result = answer_to(history(LETTERS, CAPITALS), judge)
    assert told(result, "preference") == []
    assert "whether there is another cause" in told(result, "not shown")[-1]


def test_a_search_that_was_ended_says_what_it_did_not_show() -> None:
    result = answer_to(interfering(), divides, max_tests=3)
    assert "the limit of tests was reached" in told(result, "not shown")[0]
    assert "fail alone" not in str(told(result, "interference"))
    assert "interfere" not in str(told(result, "interference")), "it was not shown"


def rows(table: str) -> list[Test]:
    """The rows of a table of the paper."""
    return [
        Test(
            number,
            Outcome[row["outcome"] or "FAIL"],
            len(row["c"]),
            ends([each - 1 for each in row["c"]]),
        )
        for number, row in enumerate(vectors()[table]["expected_sequence"], 1)
    ]


def pairs(log: Sequence[Test], answer: int) -> list[tuple[int, int]]:
    found = preferred(log, 8, [range(answer - 1, answer)])
    return [(one.number, other.number) for one, other in found]


def test_preference_is_that_of_the_papers_table_4() -> None:
    """The first half is unresolved, the second one passes: the first one is preferred."""
    assert pairs(rows("FSE Table 4"), 2) == [(1, 2)]
    assert pairs(rows("FSE Table 4"), 6) == [], "not for an answer that is elsewhere"
    assert pairs(rows("FSE Table 1"), 7) == []


def test_what_dd_plus_preferred_is_told() -> None:
    def judge(tree: Tree) -> Outcome:
        has = set(words(tree)) & set("ABCD")
        if has == {"A", "B"}:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if {"A", "B", "C"} <= has or has == {"A"} else Outcome.PASS

    result = answer_to(history(LETTERS, CAPITALS), judge, algorithm="dd+", levels=("line",))
    (said, *_) = [each for each in told(result, "preference") if "dd+" in each]
    assert said.startswith("Test 1 was unresolved with 4 single changes, and test 2 passed with 4")


@pytest.mark.parametrize("verified", [True, False, None])
def test_an_answer_that_is_not_verified_is_told_so_first(verified: bool | None) -> None:
    result = changed(answer_to(interfering(), divides), verified=verified)
    assert sentence(result).startswith("not verified: ") is (verified is not True)

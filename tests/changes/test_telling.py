"""The answer in its surroundings: files that come, go and move, and what is around each line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from stripe.changes.snapshots import Tree
from stripe.dd import Outcome
from stripe.results.changes import ChangedFile
from tests.changes.answers import answer_to
from tests.changes.histories import history

LINES = [f"line {number}\n" for number in range(1, 61)]
TEXT = "".join(LINES)


def told(
    good: Mapping[str, str | bytes], bad: Mapping[str, str | bytes], fails: Callable[[Tree], bool]
) -> ChangedFile:
    """The only file of the answer."""
    result = answer_to(
        history(good, bad), lambda tree: Outcome.FAIL if fails(tree) else Outcome.PASS
    )
    (file,) = result.files
    return file


def test_lines_far_apart_are_shown_with_what_is_around_them() -> None:
    bad = TEXT.replace("line 20\n", "line XX\n").replace("line 50\n", "line YY\n")
    file = told(
        {"f": TEXT}, {"f": bad}, lambda tree: b"XX" in tree["f"][1] and b"YY" in tree["f"][1]
    )
    first, second = file.passages
    assert (first.before, first.after) == (12, 12)
    assert [text for text, _ in first.lines] == [
        *(f" line {number}" for number in range(12, 20)),
        "-line 20",
        "+line XX",
        *(f" line {number}" for number in range(21, 29)),
    ]
    assert (second.before, second.after) == (42, 42)
    assert [text for text, by in second.lines if by == 0] == ["-line 50", "+line YY"]


def test_lines_that_are_near_are_shown_together() -> None:
    bad = TEXT.replace("line 20\n", "line XX\n").replace("line 30\n", "line YY\n")
    file = told(
        {"f": TEXT}, {"f": bad}, lambda tree: b"XX" in tree["f"][1] and b"YY" in tree["f"][1]
    )
    (passage,) = file.passages
    assert passage.lines[0][0] == " line 12"
    assert passage.lines[-1][0] == " line 38"
    assert len(passage.lines) == 38 - 12 + 1 + 2


def test_a_file_that_goes_is_shown_as_a_whole() -> None:
    file = told({"a": "1\n2\n", "b": "x\n"}, {"b": "y\n"}, lambda tree: "a" not in tree)
    assert (file.before, file.after) == ("a", "")
    (passage,) = file.passages
    assert passage.lines == (("-1", 0), ("-2", 0))


def test_a_file_that_comes_has_no_path_before() -> None:
    file = told(
        {"b": "x\n"}, {"b": "y\n", "a": "1\n2\n"}, lambda tree: b"2" in tree.get("a", (0, b""))[1]
    )
    assert (file.before, file.after) == ("", "a")
    assert [line for passage in file.passages for line in passage.lines] == [("+2", 0)]


def test_a_file_that_moves_has_both_paths() -> None:
    file = told({"old": TEXT}, {"new": TEXT + "more\n"}, lambda tree: "new" in tree)
    assert file == ChangedFile("old", "new", ())


def test_what_is_no_text_is_not_shown() -> None:
    file = told({"b": b"\0 1"}, {"b": b"\0 2"}, lambda tree: tree["b"][1] == b"\0 2")
    assert file == ChangedFile("b", "b", ())

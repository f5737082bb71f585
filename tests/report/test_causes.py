"""The chain in words: what each cause is called, and that values say what differs."""

from __future__ import annotations

import pytest

from stripe.report.causes import causes_lines, together
from stripe.report.html.causes import page
from stripe.report.style import Style, apart, middle
from stripe.results.causes import SourceLine
from tests.states.answers import answer, cause_at, sample

LONG = "a" * 70


@pytest.mark.parametrize(
    ("passing", "failing", "named", "told"),
    [
        ({"n": 4}, {"n": 3}, ["n"], "`n` was 3 instead of 4"),
        ({"n": 4, "m": 1}, {"n": 3, "m": 2}, ["n", "m"],
         "`n` was 3 instead of 4 and `m` was 2 instead of 1"),
        ({"a": [1, 2]}, {"a": [1]}, ["a[1]"], "`a[1]` was missing (2 when it passes)"),
        ({"a": [1]}, {"a": [1, 2]}, ["a[1]"], "`a[1]` was 2 (missing when it passes)"),
        ({"n": LONG + "x"}, {"n": LONG + "y"}, ["n"],
         "`n` was …aaaaaaaaaay' instead of …aaaaaaaaaax'"),
        ({f"v{n}": 0 for n in range(9)}, {f"v{n}": 1 for n in range(9)},
         [f"v{n}" for n in range(9)],
         ", ".join(f"`v{n}` was 1 instead of 0" for n in range(5)) + " and 4 more"),
    ],
)  # fmt: skip
def test_each_kind_of_change_in_words(passing, failing, named, told) -> None:
    assert together(cause_at(3, {"f": passing}, {"f": failing}, named)) == told


def test_what_it_takes_as_well_is_told_behind_while() -> None:
    cause = cause_at(3, {"f": {"n": 4, "m": 1}}, {"f": {"n": 3, "m": 2}}, ["n"], ["m"])
    assert together(cause) == "`n` was 3 instead of 4, while `m` was 2 instead of 1"


def test_a_reference_is_told_by_what_else_refers_to_it() -> None:
    one, other = [100], [100]
    passing = {"source": one, "target": other, "both": [one, other]}
    failing = {"source": one, "target": one, "both": [one, other]}
    cause = cause_at(3, {"f": passing}, {"f": failing}, ["target"])
    assert together(cause) == "`target` referred to the same as `source` instead of another [100]"


def test_long_values_are_cut_to_where_they_differ() -> None:
    assert apart("same", "same", 3, ".") == ("sa.", "sa.")
    assert apart("0123456789ab", "0123456789cd", 8, ".") == (".89ab", ".89cd")
    assert apart("xbcdefghijkl", "ybcdefghijkl", 8, ".") == ("xbcdefg.", "ybcdefg.")
    assert apart("short", "other", 8, ".") == ("short", "other")


def test_long_names_keep_how_they_begin_and_end() -> None:
    assert middle("root.next.next.key", 18) == "root.next.next.key"
    assert middle("root.next.next.next.key", 13, ".") == "root.." + "ext.key"
    assert len(middle("日本" * 9, 10)) == 5


def test_the_table_keeps_to_the_width_by_shorter_values() -> None:
    line = (SourceLine("prog.py", 3, "  x = compute(n)  "),)
    cause = cause_at(3, {"main": {"n": "b" * 60}}, {"main": {"n": "c" * 60}}, ["n"])
    wide, narrow = (
        next(
            each
            for each in causes_lines(answer(cause, code=line), Style(width=width), ["chain"])
            if each.startswith("main:3")
        )
        for width in (140, 80)
    )
    assert wide.endswith("x = compute(n)")
    assert narrow.endswith("x = compute(n)")
    assert len(narrow) <= 80 < len(wide)


def test_what_was_not_shown_to_follow_is_told() -> None:
    lines = list(causes_lines(sample(), Style(), ["story"]))
    assert lines[1:] == [
        "At main:3, `n` was 3 instead of 4;",
        "hence at work:5, `a[1]` was 5 instead of 2, while `k` was 2 instead of 1;",
        "then at main:9, `found` was {'key': [1]} instead of None (not shown to follow: it "
        "is not);",
        "hence the failure: ValueError: bad.",
    ]


def test_commands_of_a_debugger_or_why_there_are_none() -> None:
    one, other = (cause_at(n, {"f": {"n": 4}}, {"f": {"n": 3}}, ["n"]) for n in (3, 4))
    heading, *lines = causes_lines(answer(one, other), Style(), ["commands"])
    assert "by hand, in pdb, with 3 4" in heading
    assert lines == [
        "f:3:", "    tbreak prog.py:3", "    continue",
        "f:4: not as commands: it cannot be typed",
    ]  # fmt: skip
    shown = page(answer(one, other))
    assert "<pre>tbreak prog.py:3\ncontinue\n</pre>" in shown
    assert "Not as commands of pdb: it cannot be typed." in shown


@pytest.mark.parametrize(("value", "told"), [(LONG, True), ("a", False)])
def test_names_and_values_that_were_shortened_have_a_way_to_the_rest(value, told) -> None:
    """They were cut, and nothing said where all of them are."""
    cause = cause_at(3, {"f": {"n": value + "x"}}, {"f": {"n": value + "y"}}, ["n"])
    lines = [*causes_lines(answer(cause), Style(), ["summary"])]
    assert any("in full: --json FILE" in line for line in lines) is told
    assert f"'{value}y'" in together(cause, width=100)

"""What two failures are compared in, and what may differ."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from stripe.backend import End, Observation
from stripe.changes.output_pattern import OutputPattern, lines_of

TRACEBACK = """\
Traceback (most recent call last):
  File "check.py", line {line}, in <module>
    assert {source}
           ^^^^^^
AssertionError: [2]
"""
PYTEST = """\
    def test_it():
>       assert window({source}) == [1]
E       assert [2] == [1]

test_it.py:{line}: AssertionError
1 failed in 0.0{line}s
"""


def run(out: str = "", err: str = "") -> Observation:
    return Observation(End.EXITED, 1, out.encode(), err.encode(), Path("/x"), seconds=0.0)


def test_places_may_differ_and_words_may_not() -> None:
    for text in (TRACEBACK, PYTEST):
        first = lines_of(run(err=text.format(line=3, source="a")))
        assert lines_of(run(err=text.format(line=7, source="b + 1"))) == first
        assert lines_of(run(err=text.format(line=3, source="a").replace("[2]", "[]"))) != first


def test_where_the_test_itself_was_may_not_differ() -> None:
    """The same error at its import and in its call are two failures."""
    text = TRACEBACK.replace("check.py", "/home/check.py")
    first = lines_of(run(err=text.format(line=3, source="a")))
    assert lines_of(run(err=text.format(line=3, source="b"))) == first
    assert lines_of(run(err=text.format(line=4, source="a"))) != first


def test_output_of_any_language_is_compared() -> None:
    assert lines_of(run("total: 3\n")) != lines_of(run("total: 4\n"))
    assert lines_of(run("f.c:12: total\n")) == lines_of(run("f.c:9: total\n"))


def test_what_differs_between_runs_may_differ() -> None:
    pattern = OutputPattern(("a", "id 1", "b")).widened(["a", "id 2", "b"])
    assert pattern.matches(["a", "id 3", "b"])
    assert pattern.matches(["a", "b"])
    assert not pattern.matches(["a", "id 3", "c"])
    assert not pattern.matches(["id 3", "b"])
    assert pattern.extent == (2, True)


SOME = st.lists(st.sampled_from("abc"), max_size=8)


@given(SOME, st.lists(SOME, max_size=3))
def test_a_pattern_matches_all_runs_it_was_made_of(
    first: list[str], others: list[list[str]]
) -> None:
    pattern = OutputPattern(tuple(first))
    for each in others:
        pattern = pattern.widened(each)
    for each in (first, *others):
        assert pattern.matches(each)

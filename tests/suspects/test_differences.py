"""What differs is told, and not what is the same."""

from __future__ import annotations

import pytest

from stripe.suspects.differences import first_difference, in_words


def test_values_are_told_from_the_first_that_differs_on() -> None:
    found = first_difference(["1", "2", "3", "4", "5"], ["1", "2", "0", "4"])
    assert found == (("3", "4", "5"), ("0", "4"), 3)


def test_one_run_may_have_more() -> None:
    assert first_difference(["1"], ["1", "2"]) == ((), ("2",), 2)
    assert first_difference([], ["1"]) == ((), ("1",), 1)


def test_values_that_are_the_same_are_not_told() -> None:
    """They were told in 134 of 388 places."""
    assert first_difference(["1", "2"], ["1", "2"]) == ((), (), 1)


def test_of_long_values_the_difference_is_told() -> None:
    one, other = "x" * 500 + "abc" + "y" * 500, "x" * 500 + "abd" + "y" * 500
    (before,), (after,), _ = first_difference([one], [other])
    assert before.startswith("...xxxxxxxxxxabcyyy")
    assert after.startswith("...xxxxxxxxxxabdyyy")
    assert len(before) == len(after) < 70


LONG = "`some_function(first_argument, second_argument)` instead of `" + "x" * 80 + "`"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"(?:a|b)+"|', '"(?:a|b)*"|', "`*` instead of `+` in line 2"),
        ("a+b+c", "a+b*c", "`b*` instead of `b+` in line 2"),
        ("  return (first, second)", "  return (first, other)",
         "`other` instead of `second` in line 2"),
        ("{'a': limit1, 'b': 2}", "{'a': limit2, 'b': 2}",
         "`limit2` instead of `limit1` in line 2"),
        ("f(a, b)", "f(a, b, c)", "`b, c` instead of `b` in line 2"),
        ("'%d items'", "'%s items'", "`s` instead of `d` in line 2"),
    ],
)  # fmt: skip
def test_a_long_change_is_told_by_what_differs(old: str, new: str, words: str) -> None:
    assert in_words(LONG, f"one\n{old}\nthree", f"one\n{new}\nthree") == words


def test_a_short_one_is_told_as_it_is_described() -> None:
    assert in_words("`a` instead of `b`", "b", "a") == "`a` instead of `b`"


def test_one_that_cannot_be_written_is_told_by_what_differs_in_its_words() -> None:
    words = f"`{'x' * 300} + 1` instead of `{'x' * 300} - 1`"
    assert in_words(words, "", None) == "`...xxxxxxxxxxx + 1` instead of `...xxxxxxxxxxx - 1`"

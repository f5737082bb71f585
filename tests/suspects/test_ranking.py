"""Which line is told first, and what the spectrum says of lines."""

from __future__ import annotations

import math

import pytest

from stripe.interventions import Intervention, Line, Test, Verdict
from stripe.suspects.ranks import Repair, altered, ranked
from stripe.suspects.spectrum import Counts, dstar, ochiai, spectrum, tarantula

A, B, C = (Line("m.py", number) for number in (1, 2, 3))


def change(at: Line, size: int = 1) -> Intervention:
    return Intervention(at, at.line, at.line, "f", "operator", size, "words", None)


def repair(at: Line, size: int = 1, repaired: int = 1, broken: int = 0) -> Repair:
    return Repair(change(at, size), repaired, 2, broken, 10)


def order(*repairs: Repair, suspicion=None):
    return [(each.line, each.rank) for each in ranked([A, B, C], repairs, suspicion or {})]


def test_repairing_all_and_breaking_none_is_before_all_else():
    """A larger change that repairs both tests is before a small one that repairs one."""
    assert order(repair(A, 1, 1), repair(B, 4, 2)) == [(2, 1), (1, 2), (3, 3)]


def test_breaking_a_test_counts_more_than_size():
    assert order(repair(A, 1, 2, broken=1), repair(B, 4, 2)) == [(2, 1), (1, 2), (3, 3)]


def test_what_breaks_tests_is_behind_what_only_failing_tests_execute():
    """A change that repairs one of two tests and breaks one is not enough."""
    suspicion = {A: 0.5, B: 0.9, C: 0.7}
    assert order(repair(A, 1, 1, broken=1), suspicion=suspicion) == [(2, 1), (3, 2), (1, 3)]
    assert order(repair(A, 1, 1, broken=1), suspicion={A: 0.85, B: 0.9}) == [(1, 1), (2, 2), (3, 3)]


def test_among_equally_small_repairs_larger_ones_count_too():
    both = [repair(A, 1, 2), repair(B, 1, 2)]
    assert order(*both) == [(1, 1), (2, 1), (3, 3)]
    assert order(*both, repair(B, 4, 2)) == [(2, 1), (1, 2), (3, 3)]


def test_lines_whose_changes_alter_the_failure_are_before_others_of_the_same_spectrum():
    found = ranked([A, B, C], [], {A: 0.5, B: 0.5, C: 0.6}, {B: 0.5, A: 0.25})
    assert [(each.line, each.rank) for each in found] == [(3, 1), (2, 2), (1, 3)]


def test_a_failure_that_is_found_with_most_changes_is_as_without_any():
    """Ways to fail are compared by test; a change with which one passes alters it, too."""
    one = [(A, "x"), (A, "x"), (A, "y"), (B, "z"), (B, ""), (C, "x")]
    other = [(C, "z"), (C, "z"), (C, "x"), (B, "y")]
    assert altered([one, other]) == {A: 1 / 3, B: 1.0, C: 0.25}
    assert altered([[(A, "")]]) == {A: 1.0}


def test_small_changes_are_before_large_ones_then_many_before_few():
    assert order(repair(A, 2, 2), repair(B, 1, 2)) == [(2, 1), (1, 2), (3, 3)]
    many = [repair(B, 1, 2), repair(B, 1, 2)]
    assert order(repair(A, 1, 2), *many) == [(2, 1), (1, 2), (3, 3)]


def test_the_spectrum_breaks_ties_and_ranks_the_rest():
    suspicion = {A: 0.1, B: 0.2, C: 0.3}
    assert order(suspicion=suspicion) == [(3, 1), (2, 2), (1, 3)]
    assert order(repair(A, 1, 2), repair(B, 1, 2), suspicion=suspicion) == [(2, 1), (1, 2), (3, 3)]


def test_lines_that_nothing_tells_apart_have_one_rank():
    assert order() == [(1, 1), (2, 1), (3, 1)]


def test_a_change_that_spoils_much_says_nothing():
    assert repair(A, broken=2).counts
    assert not repair(A, broken=5).counts


@pytest.mark.parametrize(
    ("counts", "values"),
    [
        (Counts(2, 0, 2, 3), (1.0, math.inf, 1.0)),
        (Counts(1, 3, 2, 3), (1 / math.sqrt(8), 0.25, 1 / 3)),
        (Counts(0, 3, 2, 3), (0.0, 0.0, 0.0)),
    ],
)
def test_the_formulas(counts, values):
    """Computed by hand from the published formulas."""
    assert (ochiai(counts), dstar(counts), tarantula(counts)) == pytest.approx(values)


def test_a_line_that_all_tests_import_is_executed_by_all():
    tests = [
        Test(0, "a", Verdict.FAILED, 0.1, frozenset({B})),
        Test(1, "b", Verdict.PASSED, 0.1, frozenset({C})),
        Test(2, "c", Verdict.OTHER, 0.1, frozenset({B, C})),
    ]
    scores = spectrum(tests, [A, B, C], {A})["ochiai"]
    assert scores == {A: pytest.approx(1 / math.sqrt(2)), B: 1.0, C: 0.0}


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("skip", "leave out `self.check(a)`"),
        ("condition", "`True` instead of `a < b`"),
        ("condition", "`False` instead of `a < b`"),
        ("variable", "`other = a` instead of `self.b = a`"),
    ],
)
def test_what_only_silences_is_behind_what_computes_something_else(kind, words):
    silent = Intervention(A, 1, 1, "f", kind, 1, words, None)
    assert order(Repair(silent, 2, 2, 0, 10), repair(B, 1, 2))[0] == (2, 1)


def test_another_variable_that_is_read_silences_nothing():
    read = Intervention(A, 1, 1, "f", "variable", 1, "`a` instead of `b`", None)
    assert order(Repair(read, 2, 2, 0, 10), repair(B, 1, 2))[:2] == [(1, 1), (2, 1)]


def test_where_the_traceback_ends_a_repair_comes_earlier_and_so_does_a_line_without_any():
    whole = [repair(A, 1, 2), repair(B, 3, 2)]
    found = ranked([A, B, C], whole, {}, None, {B: 2.5})
    assert [each.line for each in found] == [2, 1, 3]
    found = ranked([A, B, C], [], {A: 0.5, B: 0.4, C: 0.3}, None, {B: 1.0, C: 1.0})
    assert [each.line for each in found] == [2, 1, 3]
    assert [each.ochiai for each in found] == [0.4, 0.5, 0.3]

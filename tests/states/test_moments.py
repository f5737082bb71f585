"""Matching moments by backtrace, and transitions by divide and conquer: Why Programs Fail, A.3."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from stripe.snapshots import Call, Moment
from stripe.states.chain import Chain
from stripe.states.deltas import Change
from stripe.states.isolating import Cause, Variable
from stripe.states.moments import Match, matches
from stripe.units.alignment import increasing
from tests.states.memory import SOME


def run(*lines):
    """A run of one function: its moments, each with its backtrace."""
    counts: dict[int, int] = {}
    found = []
    for line in lines:
        counts[line] = counts.get(line, 0) + 1
        found.append((Moment("p.py", line, counts[line]), (Call("f", "p.py", line),)))
    return found


def pairs(failing, passing):
    return [
        (match.failing.line, match.failing.occurrence, match.passing.occurrence)
        for match in matches(run(*failing), run(*passing))
    ]


def test_states_match_if_their_backtraces_are_equal():
    assert pairs([1, 2, 3], [1, 3]) == [(1, 1, 1), (3, 1, 1)]
    assert pairs([1, 2, 2, 3], [1, 2, 3]) == [(1, 1, 1), (2, 1, 1), (3, 1, 1)]


def test_the_same_line_called_from_elsewhere_is_another_moment():
    here = [(Moment("p.py", 1), (Call("f", "p.py", 1), Call("g", "p.py", 7)))]
    there = [(Moment("p.py", 1), (Call("f", "p.py", 1), Call("g", "p.py", 8)))]
    assert matches(here, there) == []
    assert len(matches(here, here)) == 1


def test_no_match_goes_back():
    assert pairs([1, 2, 3], [2, 3, 1]) == [(2, 1, 1), (3, 1, 1)]


@given(st.permutations(range(6)))
def test_as_many_stay_as_can(numbers):
    kept = [numbers[each] for each in increasing(numbers)]
    assert kept == sorted(kept)
    longest = max(
        length
        for length in range(7)
        if any(list(some) == sorted(some) for some in combinations(numbers, length))
    )
    assert len(kept) == longest


def cause(index, *names):
    moment = Moment("p.py", index)
    variables = [
        Variable(name, Change.SET, "1", "2", frozenset({(1, name), (2, f"m.{name}")}))
        for name in names
    ]
    return Cause(Match(moment, moment, ()), tuple(variables), 0, 1, True)


def transitions(variables, *, over=lambda: False):
    """Where the cause changes; ``-`` has none."""
    asked = []

    def isolate(index):
        asked.append(index)
        return None if variables[index] == "-" else cause(index, *variables[index])

    chain = Chain(isolate, over)
    chain.search(0, len(variables) - 1)
    found = [
        (each.before.match.failing.line, each.after.match.failing.line, each.direct)
        for each in chain.transitions
    ]
    return found, asked


def test_one_variable_has_no_transition():
    found, asked = transitions("aaaaaaaa")
    assert found == []
    assert asked == [0, 7], "nothing between is asked for"


def test_direct_transitions():
    assert transitions("aaabbbcc")[0] == [(2, 3, True), (5, 6, True)]


def test_a_transition_over_moments_without_a_cause():
    assert transitions("aa--bb")[0] == [(1, 4, True)]


@SOME
@given(st.text("ab-", min_size=0, max_size=20).map(lambda middle: f"a{middle}c"))
def test_a_transition_is_between_different_variables_and_nothing_between(variables):
    found, _ = transitions(variables)
    assert found
    assert found[0][0] == 0 or variables[found[0][0]] == "a"
    for first, last, _ in found:
        assert variables[first] != variables[last]
    assert all(a[1] <= b[0] for a, b in pairwise(found))


def test_a_variable_is_the_same_by_any_of_its_names():
    one, other = cause(1, "a[2]"), cause(2, "x[2]")
    assert not one.like(other)
    shared = Variable("x[2]", Change.SET, "1", "2", frozenset({(1, "a[2]"), (2, "x[2]")}))
    assert one.like(Cause(other.match, (shared,), 0, 1, True))


def test_a_value_that_is_handed_on_under_its_name_is_the_same_variable():
    def at(depth, after):
        variable = Variable("n", Change.SET, "1", after, frozenset({(depth, "n")}))
        return Cause(cause(1, "n").match, (variable,), 0, 1, True)

    assert at(1, "2").like(at(2, "2"))
    assert not at(1, "2").like(at(2, "3"))


def test_what_ends_early_tells_that_there_may_be_more():
    calls = []

    def over():
        calls.append(1)
        return len(calls) > 2

    found, _ = transitions("aaaabbbb", over=over)
    assert found == [(0, 7, False)]

"""Matching moments by backtrace, and transitions by divide and conquer: Why Programs Fail, A.3."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from stripe.results.causes import Change, Graph, Shown
from stripe.snapshots import Call, Moment
from stripe.states.chain import Chain
from stripe.states.isolation import Cause, Variable
from stripe.states.links import Link
from stripe.states.moments import Match, matches
from stripe.units.alignment import increasing
from tests.states.memory import SOME, variable


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
    """A.3: the function of each call, and the place in it."""
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
    variables = [Variable(name, Change.SET, "1", "2", (variable(name),)) for name in names]
    return Cause(Match(moment, moment, ()), tuple(variables), (), 1, True, Graph((), (), 0, 0))


def chain_of(variables, *, over=lambda: False, asked=None):
    """Each letter is the cause at a moment; ``-`` has none."""

    def isolate(index):
        if asked is not None:
            asked.append(index)
        return None if variables[index] == "-" else cause(index, *variables[index])

    def same(one, other):
        return names(chain.causes[one]) == names(chain.causes[other])

    chain = Chain(isolate, same, over)
    chain.search(0, len(variables) - 1)
    return chain


def names(cause):
    return "".join(each.name for each in cause.variables)


def transitions(variables, *, over=lambda: False):
    """Where the cause changes."""
    asked: list[int] = []
    chain = chain_of(variables, over=over, asked=asked)
    found = [
        (each.before.match.failing.line, each.after.match.failing.line, each.direct)
        for each in chain.transitions
    ]
    return found, asked


def test_one_variable_has_no_transition():
    """A.3: cts of two moments with the same variables is nothing."""
    found, asked = transitions("aaaaaaaa")
    assert found == []
    assert asked == [0, 7], "nothing between is asked for"


def test_direct_transitions():
    """A.3: with no moment between, as dividing in the middle finds them."""
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


def test_what_ends_early_tells_that_there_may_be_more():
    calls = []

    def over():
        calls.append(1)
        return len(calls) > 2

    found, _ = transitions("aaaabbbb", over=over)
    assert found == [(0, 7, False)]


# --- each cause makes the next one --------------------------------------------------------------


def proved(variables, makes, following=lambda a, b: None, causing=lambda a, b: None):
    """The chain after its links were tested; ``makes``: which variable makes which other one."""

    def link(a, b):
        one, other = chain.causes[a], chain.causes[b]
        shown = names(one) + names(other) in makes
        return Link(one, other, Shown.VALUES if shown else Shown.NOT)

    def searched(search):
        def found(a, b):
            letter = search(a, b)
            return letter and cause(b if search is following else a, letter)

        return found

    chain = chain_of(variables)
    chain.prove(link, searched(following), searched(causing))
    return (
        "".join(map(names, chain.found)),
        [(names(each.before), names(each.after), each.shown.value) for each in chain.links],
    )


def test_links_that_are_shown_are_asked_for_once():
    assert proved("aabbcc", {"ab", "bc"}) == (
        "aabbcc", [("a", "b", "values"), ("b", "c", "values")]
    )  # fmt: skip


def test_a_later_cause_that_the_earlier_one_does_not_make_is_searched_again():
    def following(a, b):
        return "x" if b == 2 else None

    found, links = proved("aab", {"ax"}, following)
    assert found == "aax"
    assert links == [("a", "x", "values")]


def test_the_earlier_one_is_searched_again_if_nothing_that_it_makes_is_a_cause():
    """A.3; and then there is a transition before it, which has to be tested as well."""

    def causing(a, b):
        return "y" if a == 1 else None

    found, links = proved("zab", {"za", "zy", "yb"}, causing=causing)
    assert found == "zyb"
    assert links == [("z", "y", "values"), ("y", "b", "values")]


def test_what_cannot_be_shown_is_told():
    found, links = proved("ab", set())
    assert found == "ab"
    assert links == [("a", "b", "no")]


@SOME
@given(
    st.text("abc", min_size=2, max_size=12),
    st.sets(st.sampled_from([a + b for a in "abcd" for b in "abcd"])),
    st.text("abcd-", min_size=24, max_size=24),
)
def test_testing_links_comes_to_an_end(variables, makes, again):
    def search(offset):
        return lambda a, b: None if again[offset + b] == "-" else again[offset + b]

    found, links = proved(variables, makes, search(0), search(12))
    steps = [found[0], *(b for a, b in pairwise(found) if a != b)]
    assert [(a, b) for a, b, _ in links] == list(pairwise(steps))

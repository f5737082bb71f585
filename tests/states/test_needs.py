"""What needs what: what is closed, what is lost, and what needs each other."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.states.needs import Needs

ANY = st.integers(1, 8).flatmap(
    lambda size: st.lists(st.sets(st.integers(0, size - 1)), min_size=size, max_size=size)
)


def reach(needs, number):
    """What a number needs, also by way of others; itself too."""
    found, more = set(), {number}
    while more:
        found |= more
        more = set().union(*(needs[each] for each in more)) - found
    return found


@settings(max_examples=200, deadline=None)
@given(ANY, st.sets(st.integers(0, 7)))
def test_closures_are_what_reaches_what(needs, some):
    some &= set(range(len(needs)))
    relation = Needs(needs)
    reached = [reach(needs, number) for number in range(len(needs))]
    assert relation.lost(some) == {n for n in range(len(needs)) if reached[n] & some}
    assert relation.closed(some) == {n for n in some if reached[n] <= some}
    assert sorted(relation.together()) == sorted(
        map(
            list,
            {tuple(m for m in sorted(reached[n]) if n in reached[m]) for n in range(len(needs))},
        )
    )


def test_as_long_as_a_list_may_be():
    """Without recursion, and once for each need."""
    length = 20_000
    chain = Needs([{n - 1} if n else set() for n in range(length)])
    assert chain.closed(set(range(length)) - {5}) == {0, 1, 2, 3, 4}
    assert sum(1 for _ in chain.together()) == length
    ring = Needs([{(n + 1) % length} for n in range(length)])
    assert list(ring.together()) == [list(range(length))]

"""Comparing memory graphs: Why Programs Fail, A.2.3 and A.2.4."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.states import Content, Kind, Place, Vertex, same_vertex, traverse, unmatched
from stripe.states.alignment import aligned, common
from stripe.states.cliques import TooLarge, largest, maximal
from tests.states.memory import SOME, atom, chain, graphs, member, unfolded


@pytest.mark.parametrize(
    ("one", "other", "match"),
    [
        (Vertex(Kind.ATOM, "int", 1, 10, 4), Vertex(Kind.ATOM, "int", 1, 99, 4), True),
        (Vertex(Kind.ATOM, "int", 1, 10, 4), Vertex(Kind.ATOM, "int", 2, 10, 4), False),
        (Vertex(Kind.ATOM, "int", 1, 10, 4), Vertex(Kind.ATOM, "long", 1, 10, 4), False),
        (Vertex(Kind.ARRAY, "int[]", None, 1, 2), Vertex(Kind.ARRAY, "int[]", None, 1, 3), False),
        (Vertex(Kind.POINTER, "p", 0x10), Vertex(Kind.POINTER, "p", 0x20), True),
        (Vertex(Kind.POINTER, "p", 0x10), Vertex(Kind.POINTER, "p", None), False),
        (Vertex(Kind.POINTER, "p", None), Vertex(Kind.POINTER, "p", None), True),
        (Vertex(Kind.POINTER, "p", 0x10), Vertex(Kind.POINTER, "q", 0x10), False),
    ],
)
def test_matching_vertices(one, other, match):
    """By type, value and size; pointers if both are null or both are not; never by address."""
    assert same_vertex(one, other) is match


def test_edges_match_if_their_operations_and_both_ends_do():
    """A.2.3; and so what is behind an edge that does not match is in no pair (A.2.4)."""

    def state(name, before, number):
        box, x = Place("box", "box"), Place("x", "int")
        part = member(name), x
        memory = {box: Content(Kind.RECORD, before, parts=[part]), x: atom(number)}
        return unfolded({"box": box}, memory)

    def matched(other):
        return sorted(traverse(state("x", 1, 5), other).failing)

    assert matched(state("x", 1, 5)) == [0, 1, 2]
    assert matched(state("y", 1, 5)) == [0, 1], "another operation"
    assert matched(state("x", 1, 6)) == [0, 1], "the target is another one"
    assert matched(state("x", 2, 5)) == [0], "the source is another one"


def test_parallel_traversal():
    """A.2.4: from the roots over matching edges until nothing is added; the rest differs."""
    places = {name: Place(name, "int") for name in "abc"}
    passing = unfolded(
        {"a": places["a"], "b": places["b"]}, {places["a"]: atom(1), places["b"]: atom(2)}
    )
    failing = unfolded(
        {"a": places["a"], "c": places["c"]}, {places["a"]: atom(1), places["c"]: atom(2)}
    )
    matching = traverse(passing, failing)
    assert matching.failing == {0: 0, 1: 1}
    assert unmatched(passing, matching.failing) == [2]
    assert unmatched(failing, matching.passing) == [2]


def test_parallel_traversal_need_not_find_the_largest_common_subgraph():
    """A.2.4: cliques of the correspondence graph find 14, 18 and 22, which are drawn matched."""
    passing, failing = chain(14, 18, 20, 22), chain(14, 15, 18, 22)
    values = [passing.vertices[each].value for each in traverse(passing, failing).failing]
    assert values == [None, 14]
    found = largest(passing, failing)
    assert found is not None
    assert [passing.vertices[each].value for each in sorted(found.failing)] == [None, 14, 18, 22]


def test_no_vertex_is_matched_twice():
    a, b = Place(1, "int"), Place(2, "int")
    memory = {a: atom(1), b: atom(1)}
    shared, apart = unfolded({"x": a, "y": a}, memory), unfolded({"x": a, "y": b}, memory)
    assert traverse(shared, apart).failing == {0: 0, 1: 1}


def test_too_large_a_graph_has_no_largest_common_subgraph():
    assert largest(chain(*[1] * 9), chain(*[1] * 9)) is None
    with pytest.raises(TooLarge):
        list(maximal("abc", {each: set() for each in "abc"}, 2))


@SOME
@given(graphs(), graphs())
def test_matchings_are_of_vertices_that_match_and_one_to_one(passing, failing):
    for matching in filter(None, (traverse(passing, failing), largest(passing, failing))):
        assert matching.failing[0] == 0
        assert matching.passing == {there: here for here, there in matching.failing.items()}
        assert all(
            same_vertex(passing.vertices[a], failing.vertices[b])
            for a, b in matching.failing.items()
        )


@SOME
@given(graphs(), graphs())
def test_no_traversal_finds_more_than_the_largest_common_subgraph(passing, failing):
    """A.2.4."""
    found = largest(passing, failing)
    if found is not None:
        assert len(found.failing) >= len(traverse(passing, failing).failing)


@SOME
@given(graphs(), graphs())
def test_the_same_matching_each_time(passing, failing):
    assert largest(passing, failing) == largest(passing, failing)
    assert traverse(passing, failing) == traverse(passing, failing)


@SOME
@given(st.integers(0, 6), st.data())
def test_cliques_are_all_the_maximal_ones(size, data):
    """A.2.4, after Bron and Kerbosch: none is left out, and none comes twice."""
    pairs = list(combinations(range(size), 2))
    edges = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    joined = {
        v: {w for w in range(size) if (v, w) in edges or (w, v) in edges} for v in range(size)
    }
    every = [
        frozenset(some)
        for length in range(size + 1)
        for some in combinations(range(size), length)
        if all(b in joined[a] for a, b in combinations(some, 2))
    ]
    expected = {one for one in every if not any(one < other for other in every)}
    found = list(maximal(range(size), joined, 100))
    assert set(found) == expected
    assert len(found) == len(expected)


@SOME
@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), max_size=6))
def test_the_longest_common_subsequence(ours, theirs):
    found = common(ours, theirs)
    assert all(ours[a] == theirs[b] for a, b in found)
    assert found == sorted(found)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(found))
    longest = max(
        length
        for length in range(len(ours) + 1)
        for some in combinations(ours, length)
        if some in set(combinations(theirs, length))
    )
    assert len(found) == longest


@SOME
@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), max_size=6))
def test_every_element_is_aligned_once(ours, theirs):
    found = list(aligned(ours, theirs))
    assert [a for a, _ in found if a is not None] == list(range(len(ours)))
    assert [b for _, b in found if b is not None] == list(range(len(theirs)))

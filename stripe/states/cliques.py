"""The largest common subgraph, for small graphs (Why Programs Fail, A.2.4).

After Barrow and Burstall: vertices of the correspondence graph are pairs of vertices that match,
and two are joined if both can be in one matching. Cliques are common subgraphs, found as
Bron and Kerbosch do.

The pairs are of things that have an identity: records, sequences and the like. Atoms belong to what
they are in, and count for its pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from stripe.snapshots import Kind, Step
from stripe.states.alignment import Contents, Matching, aligned, traverse
from stripe.states.graph import Graph, Operation, same_vertex

PAIRS = 64
"""Vertices that a correspondence graph may have..."""

CLIQUES = 2_000
"""...and cliques that are looked at; beyond, nobody says what is the largest."""


class TooLarge(Exception):
    """There are too many pairs, or cliques."""


def largest(passing: Graph, failing: Graph) -> Matching | None:
    """The common subgraph of most vertices, of several that of most edges; ``None``: too large."""
    contents = Contents(passing), Contents(failing)
    pairs = list(islice(_pairs(passing, failing), PAIRS + 1))
    if len(pairs) > PAIRS:
        return None
    joined = {
        pair: {
            other for other in pairs if pair[0] != other[0] and pair[1] != other[1]
        }
        for pair in pairs
    }  # fmt: skip
    atoms = {pair: list(_atoms(passing, failing, pair, contents)) for pair in pairs}
    best: tuple[tuple[int, int], Matching] | None = None
    try:
        for clique in maximal(pairs, joined, CLIQUES):
            matching = Matching()
            for pair in sorted(clique):
                matching.add(*pair)
                for atom in atoms[pair]:
                    matching.add(*atom)
            score = len(matching.failing), _edges(passing, failing, matching)
            if best is None or score > best[0]:
                best = score, matching
    except TooLarge:
        return None
    return None if best is None else best[1]


def best(passing: Graph, failing: Graph, cost: Callable[[Matching], int]) -> Matching:
    """The matching by traversal, unless the largest one costs less."""
    found = traverse(passing, failing)
    other = largest(passing, failing)
    return found if other is None or cost(found) <= cost(other) else other


def _pairs(passing: Graph, failing: Graph) -> Iterator[tuple[int, int]]:
    """Pairs that match; roots and frames are matched with their like, or not at all."""
    alike: dict[tuple[Kind, str], list[int]] = defaultdict(list)
    for other in failing.reached:
        alike[failing.vertices[other].kind, failing.vertices[other].type].append(other)
    for one in passing.reached:
        vertex = passing.vertices[one]
        if vertex.kind is Kind.ATOM:
            continue
        for other in alike[vertex.kind, vertex.type]:
            if same_vertex(passing.vertices[one], failing.vertices[other]):
                frames = _frame(passing, one), _frame(failing, other)
                if frames[0] == frames[1]:
                    yield one, other


def _frame(graph: Graph, vertex: int) -> Operation | None:
    edge = graph.reached[vertex]
    return edge.operation if edge is not None and edge.operation.step is Step.FRAME else None


def _atoms(
    passing: Graph, failing: Graph, pair: tuple[int, int], contents: tuple[Contents, Contents]
) -> Iterator[tuple[int, int]]:
    """The atoms in two things that are matched with them."""
    ours, theirs = passing.children[pair[0]], failing.children[pair[1]]
    if passing.vertices[pair[0]].kind is Kind.SEQUENCE:
        ends = list(ours.values()), list(theirs.values())
        found = aligned(*(list(map(c.content, e)) for c, e in zip(contents, ends, strict=True)))
        both = [(ends[0][a], ends[1][b]) for a, b in found if a is not None and b is not None]
    else:
        both = [(child, theirs[each]) for each, child in ours.items() if each in theirs]
    for one, other in both:
        vertex = passing.vertices[one]
        if vertex.kind is Kind.ATOM and same_vertex(vertex, failing.vertices[other]):
            yield one, other


def _edges(passing: Graph, failing: Graph, matching: Matching) -> int:
    """How many edges of the matched vertices match."""
    return sum(
        matching.failing.get(child) == failing.children[other].get(operation, -1)
        for one, other in matching.failing.items()
        for operation, child in passing.children[one].items()
    )


def maximal[V](
    vertices: Iterable[V], joined: Mapping[V, set[V]], limit: int
) -> Iterator[frozenset[V]]:
    """All maximal cliques (Bron and Kerbosch, with a pivot), in an order that is always the same.

    Raises:
        TooLarge: there are more than ``limit``.
    """
    order = {vertex: number for number, vertex in enumerate(vertices)}
    left = limit

    def grow(clique: frozenset[V], candidates: set[V], done: set[V]) -> Iterator[frozenset[V]]:
        nonlocal left
        if not candidates and not done:
            if not left:
                raise TooLarge
            left -= 1
            yield clique
            return
        pivot = max(candidates | done, key=lambda v: (len(candidates & joined[v]), -order[v]))
        for vertex in sorted(candidates - joined[pivot], key=order.__getitem__):
            yield from grow(clique | {vertex}, candidates & joined[vertex], done & joined[vertex])
            candidates = candidates - {vertex}
            done = done | {vertex}

    yield from grow(frozenset(), set(order), set())

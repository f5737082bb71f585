"""What two memory graphs have in common (Why Programs Fail, A.2.3 and A.2.4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stripe.snapshots import Kind
from stripe.states.graph import ROOT, Graph, same_vertex

CELLS = 1_000_000
"""Sequences are aligned element by element if the product of their lengths is no larger..."""

DEPTH = 3
"""...and the content of elements is compared to this depth."""


@dataclass
class Matching:
    """Pairs of matched vertices, one to one: of the passing graph, and of the failing one."""

    failing: dict[int, int] = field(default_factory=dict)
    passing: dict[int, int] = field(default_factory=dict)

    def add(self, passing: int, failing: int) -> None:
        """Match two vertices that have no partner yet."""
        self.failing[passing] = failing
        self.passing[failing] = passing

    def free(self, passing: int, failing: int) -> bool:
        """Whether both have no partner."""
        return passing not in self.failing and failing not in self.passing


def traverse(passing: Graph, failing: Graph) -> Matching:
    """The common subgraph by parallel traversal.

    From the roots on, children that are reached over matching edges are matched: edges match if
    their operations are equal, and both of their ends match. Elements of sequences need not be at
    the same index: see :func:`aligned`.
    """
    matching = Matching()
    matching.add(ROOT, ROOT)
    contents = Contents(passing), Contents(failing)
    queue = deque([(ROOT, ROOT)])
    while queue:
        pair = queue.popleft()
        for one, other in _children(passing, failing, pair, contents):
            if matching.free(one, other) and same_vertex(
                passing.vertices[one], failing.vertices[other]
            ):
                matching.add(one, other)
                queue.append((one, other))
    return matching


def _children(
    passing: Graph, failing: Graph, pair: tuple[int, int], contents: tuple[Contents, Contents]
) -> Iterator[tuple[int, int]]:
    ours, theirs = passing.children[pair[0]], failing.children[pair[1]]
    if passing.vertices[pair[0]].kind is Kind.SEQUENCE:
        ends = list(ours.values()), list(theirs.values())
        for a, b in aligned(
            *(list(map(c.content, e)) for c, e in zip(contents, ends, strict=True))
        ):
            if a is not None and b is not None:
                yield ends[0][a], ends[1][b]
        return
    for operation, child in ours.items():
        if operation in theirs:
            yield child, theirs[operation]


class Contents:
    """What elements of sequences hold, to a stated depth."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[tuple[int, int], Hashable] = {}

    def content(self, vertex: int, depth: int = DEPTH) -> Hashable:
        """Equal for equal contents."""
        found = self._known.get((vertex, depth))
        if found is None:
            this = self._graph.vertices[vertex]
            parts: Hashable = None
            if depth and this.kind is not Kind.ATOM:
                parts = frozenset(
                    (operation, self.content(child, depth - 1))
                    for operation, child in self._graph.children[vertex].items()
                )
            value = this.value is None if this.kind is Kind.POINTER else this.value
            found = (this.kind, this.type, value, this.size, parts)
            self._known[vertex, depth] = found
        return found


def aligned(
    ours: Sequence[Hashable], theirs: Sequence[Hashable]
) -> Iterator[tuple[int | None, int | None]]:
    """Which element of one sequence is which of the other, by their indices, in order.

    The longest common subsequence stays; what lies between is paired from its beginning, and the
    rest of it is on one side only.
    """
    done = [0, 0]
    for a, b in (*common(ours, theirs), (len(ours), len(theirs))):
        while done[0] < a or done[1] < b:
            yield (done[0] if done[0] < a else None), (done[1] if done[1] < b else None)
            done = [min(done[0] + 1, a), min(done[1] + 1, b)]
        if a < len(ours):
            yield a, b
            done = [a + 1, b + 1]


def common(ours: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The longest common subsequence, as pairs of indices; the first of several."""
    start, ends = 0, (len(ours), len(theirs))
    while start < min(ends) and ours[start] == theirs[start]:
        start += 1
    stop = 0
    while stop < min(ends) - start and ours[-1 - stop] == theirs[-1 - stop]:
        stop += 1
    found = [(each, each) for each in range(start)]
    n, m = ends[0] - start - stop, ends[1] - start - stop
    if 0 < n * m <= CELLS:
        found += _longest(ours, theirs, start, n, m)
    return found + [(ends[0] - each, ends[1] - each) for each in range(stop, 0, -1)]


def _longest(
    ours: Sequence[Hashable], theirs: Sequence[Hashable], start: int, n: int, m: int
) -> Iterator[tuple[int, int]]:
    """By dynamic programming, of ``n`` and ``m`` elements from ``start`` on."""
    length = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        row, below, element = length[i], length[i + 1], ours[start + i]
        for j in range(m - 1, -1, -1):
            same = element == theirs[start + j]
            row[j] = below[j + 1] + 1 if same else max(below[j], row[j + 1])
    i = j = 0
    while i < n and j < m:
        if ours[start + i] == theirs[start + j]:
            yield start + i, start + j
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1


def unmatched(graph: Graph, partners: Mapping[int, int]) -> list[int]:
    """The differences: what can be reached and has no partner, breadth first."""
    return [vertex for vertex in graph.reached if vertex not in partners]

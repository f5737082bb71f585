"""Both memory graphs of a moment laid over each other, so that the difference can be drawn.

What is matched is there once. Of large graphs only what matters is kept: the differences, the
cause first, and the paths that lead to them; the rest is counted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

from stripe.results.causes import Change, Edge, Graph, Role, Side, Vertex
from stripe.results.limits import LONGEST_LABEL, MOST_VERTICES
from stripe.results.model import changed
from stripe.snapshots import Kind, Step
from stripe.states import graph as states
from stripe.states.deltas import Difference, Slot, shown
from stripe.states.graph import ROOT, Operation

SMALL = 40
"""Graphs of so many vertices are kept whole."""

LONGEST_PATH = 12
"""Vertices of a path; of a longer one its beginning and its end are kept."""


def _edge(
    source: int,
    target: int,
    operation: Operation,
    side: Side,
    role: Role | None = None,
    was: str | int | None = None,
    skipped: int = 0,
) -> Edge:
    return Edge(source, target, operation.step, operation.key, was, side, role, skipped)


def overlay(difference: Difference, cause: Collection[int], context: Collection[int]) -> Graph:
    """Both graphs of a difference; ``cause`` and ``context`` are deltas by number."""
    roles = dict.fromkeys(context, Role.CONTEXT) | dict.fromkeys(cause, Role.CAUSE)
    both = _Both(difference, roles)
    return _Selection(both).result()


def also_called(graph: Graph, name: str) -> str:
    """Another name that what a variable refers to has in the failing run; empty if none is drawn.

    By the shortest path, as names are made from the root on.
    """
    there = [each for each in graph.edges if each.side is not Side.PASSING and not each.skipped]
    names = {ROOT: ""}
    queue = deque([ROOT])
    while queue:
        source = queue.popleft()
        for link in there:
            if link.source == source and link.target not in names:
                names[link.target] = _operation(link).expression(names[source])
                queue.append(link.target)
    called: dict[int, list[str]] = {}
    for link in there:
        if link.source in names:
            called.setdefault(link.target, []).append(
                _operation(link).expression(names[link.source])
            )
    for known in called.values():
        if name in known and len(known) > 1:
            return min((each for each in known if each != name), key=len, default="")
    return ""


def _operation(link: Edge) -> Operation:
    return Operation(link.step, link.key)


class _Both:
    """All vertices of both graphs, as pairs in which one may be missing, and their edges."""

    def __init__(self, difference: Difference, roles: dict[int, Role]) -> None:
        self.difference, self.roles = difference, roles
        self.passing, self.failing = difference.passing, difference.failing
        self.pairs: list[tuple[int | None, int | None]] = []
        self.of: tuple[dict[int, int], dict[int, int]] = ({}, {})
        partners = dict(difference.matching.passing)
        partners.update(self._changed())
        for failing in self.failing.reached:
            self._add(partners.get(failing), failing)
        for passing in self.passing.reached:
            if passing not in self.of[0]:
                self._add(passing, None)
        self.links = [list(self._links(number)) for number in range(len(self.pairs))]
        self._node_roles = self._roles()

    def _add(self, passing: int | None, failing: int | None) -> None:
        for known, vertex in zip(self.of, (passing, failing), strict=True):
            if vertex is not None:
                known[vertex] = len(self.pairs)
        self.pairs.append((passing, failing))

    def _slots(self) -> Iterator[Slot]:
        for slots in self.difference.slots.values():
            yield from slots

    def _changed(self) -> dict[int, int]:
        """Values without parts that take each other's place: one vertex with both."""
        found: dict[int, int] = {}
        used: set[int] = set()
        matching = self.difference.matching
        for slot in self._slots():
            p, f = slot.passing, slot.failing
            if p is None or f is None or p in matching.failing or f in matching.passing:
                continue
            leaves = not self.passing.children[p] and not self.failing.children[f]
            if leaves and p not in used and f not in found:
                found[f] = p
                used.add(p)
        return found

    def matched(self, number: int) -> bool:
        """Whether a vertex is in both graphs, and is the same there."""
        _, failing = self.pairs[number]
        return failing in self.difference.matching.passing if failing is not None else False

    def side(self, number: int) -> Side:
        passing, failing = self.pairs[number]
        if passing is None or failing is None:
            return Side.FAILING if passing is None else Side.PASSING
        return Side.BOTH if self.matched(number) else Side.CHANGED

    def _links(self, number: int) -> Iterator[Edge]:
        passing, failing = self.pairs[number]
        if passing is not None and failing is not None:
            if self.matched(number) and passing in self.difference.slots:
                yield from self._slot_links(number, passing)
                return
            for operation, child in self.failing.children[failing].items():
                yield _edge(number, self.of[1][child], operation, Side.BOTH)
            return
        graph, vertex, known, side = (
            (self.failing, failing, self.of[1], Side.FAILING)
            if passing is None
            else (self.passing, passing, self.of[0], Side.PASSING)
        )
        assert vertex is not None
        for operation, child in graph.children[vertex].items():
            yield _edge(number, known[child], operation, side)

    def _slot_links(self, number: int, passing: int) -> Iterator[Edge]:
        ours = iter(self.passing.children[passing])
        sequence = self.passing.vertices[passing].kind is Kind.SEQUENCE
        for slot in self.difference.slots[passing]:
            role = None if slot.delta is None else self.roles.get(slot.delta)
            before = after = None
            there = slot.operation
            if slot.passing is not None:
                there = next(ours) if sequence else slot.operation
                before = self.of[0][slot.passing]
            if slot.failing is not None:
                after = self.of[1][slot.failing]
            if before is not None and before == after:
                was = there.key if there != slot.operation else None
                yield _edge(number, before, slot.operation, Side.BOTH, role, was)
                continue
            if before is not None:
                yield _edge(number, before, there, Side.PASSING, role)
            if after is not None:
                yield _edge(number, after, slot.operation, Side.FAILING, role)

    def _roles(self) -> dict[int, Role]:
        found: dict[int, Role] = {}
        for vertex, delta in self.difference.made.items():
            if delta in self.roles:
                found[self.of[1][vertex]] = self.roles[delta]
        for slot in self._slots():
            role = None if slot.delta is None else self.roles.get(slot.delta)
            if role and slot.passing is not None and slot.passing in self.of[0]:
                gone = self.of[0][slot.passing]
                if self.side(gone) is Side.PASSING:
                    found.setdefault(gone, role)
        for each in self.difference.deltas:
            if each.number in self.roles and each.change is Change.DELETE:
                found.setdefault(self.of[0][each.vertex], self.roles[each.number])
        return found

    def role(self, number: int) -> Role | None:
        return self._node_roles.get(number)

    def above(self, number: int) -> int | None:
        """The vertex before on the shortest way from the root, in the failing graph if it can be.

        So are all before that, hence this ends.
        """
        passing, failing = self.pairs[number]
        if failing is not None:
            edge = self.failing.reached[failing]
            return None if edge is None else self.of[1][edge.source]
        assert passing is not None
        edge = self.passing.reached[passing]
        return None if edge is None else self.of[0][edge.source]

    def path(self, number: int) -> list[int]:
        """From the root to a vertex."""
        found = [number]
        while (above := self.above(found[-1])) is not None:
            found.append(above)
        return found[::-1]


class _Selection:
    """What is kept of both graphs."""

    def __init__(self, both: _Both) -> None:
        self.both = both
        self.kept: dict[int, None] = {ROOT: None}
        self.gaps: dict[tuple[int, int], int] = {}
        self.skipped: set[tuple[int, int]] = set()
        count = len(both.pairs)
        self.touched: set[int] = set()
        wanted = list(self._wanted())
        if count <= SMALL or not wanted:  # of equal states, those next to the root, as numbered
            self.kept = dict.fromkeys(range(min(count, MOST_VERTICES)))
            return
        for number in wanted[: 4 * MOST_VERTICES]:
            self._keep(both.path(number))
        for number in wanted:  # what leads to a difference that is left out
            each = None if number in self.kept else number
            while each is not None and each not in self.touched:
                self.touched.add(each)
                each = both.above(each)

    def _wanted(self) -> Iterator[int]:
        """What differs, the cause first, then its context."""
        both = self.both
        found: dict[Role | None, dict[int, None]] = {Role.CAUSE: {}, Role.CONTEXT: {}, None: {}}
        for number, links in enumerate(both.links):
            if both.side(number) is not Side.BOTH:
                found[both.role(number)][number] = None
            for link in links:
                if link.side is not Side.BOTH or link.was is not None:
                    found[link.role].update({link.source: None, link.target: None})
        yield from dict.fromkeys(each for some in found.values() for each in some)

    def _keep(self, path: list[int]) -> None:
        half = LONGEST_PATH // 2
        gap = len(path) > LONGEST_PATH
        some = [*path[:half], *path[-half:]] if gap else path
        new = [each for each in some if each not in self.kept]
        if len(self.kept) + len(new) > MOST_VERTICES:
            return
        self.kept.update(dict.fromkeys(new))
        if gap and path[half] not in self.kept:
            self.gaps[path[half - 1], path[-half]] = len(path) - 2 * half
            self.skipped.add((path[half - 1], path[half]))

    def result(self) -> Graph:
        both = self.both
        order = sorted(self.kept)
        numbers = {old: new for new, old in enumerate(order)}
        links = []
        for old in order:
            for link in both.links[old]:
                if link.target in numbers:
                    links.append(_renumbered(link, numbers))
            for (source, target), count in self.gaps.items():
                if source == old:
                    end = Operation(Step.MEMBER, "")
                    links.append(
                        _edge(numbers[source], numbers[target], end, Side.BOTH, skipped=count)
                    )
        return Graph(
            tuple(map(self._node, order)),
            tuple(links),
            len(both.passing.reached),
            len(both.failing.reached),
        )

    def _node(self, number: int) -> Vertex:
        both = self.both
        passing, failing = both.pairs[number]
        graph, vertex = (both.failing, failing) if failing is not None else (both.passing, passing)
        assert vertex is not None
        this = graph.vertices[vertex]
        left = {
            link.target
            for link in both.links[number]
            if link.target not in self.kept and (number, link.target) not in self.skipped
        }
        different = len(left & self.touched)
        whole = not both.links[number]
        return Vertex(
            this.kind,
            this.type[:LONGEST_LABEL],
            both.side(number),
            "" if passing is None else _text(both.passing, passing, whole),
            "" if failing is None else _text(both.failing, failing, whole),
            both.role(number),
            len(left) - different,
            different,
        )


def _renumbered(link: Edge, numbers: dict[int, int]) -> Edge:
    return changed(
        link,
        source=numbers[link.source],
        target=numbers[link.target],
        key=_cut(link.key),
        was=None if link.was is None else _cut(link.was),
    )


def _cut(key: str | int) -> str | int:
    return key[:LONGEST_LABEL] if isinstance(key, str) else key


def _text(graph: states.Graph, vertex: int, whole: bool) -> str:
    """The value of a vertex: of one with parts, in either graph, only what it has beside them."""
    this = graph.vertices[vertex]
    if this.kind is Kind.ROOT:
        return ""
    text = shown(graph, vertex) if whole else this.text
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"

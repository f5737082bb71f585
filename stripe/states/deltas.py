"""What differs between two memory graphs, as deltas (Why Programs Fail, A.2.4 and A.2.6).

There is a delta for each vertex that is in one graph only. Two of them that are at the same place,
as the old and the new value of a variable, are one delta: it sets the variable. Where matched
vertices only refer to each other in another way, the reference is the delta.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from stripe.results.causes import Change
from stripe.snapshots import Kind, Step
from stripe.states.alignment import Matching, aligned, traverse
from stripe.states.cliques import best
from stripe.states.graph import Graph, Operation, named
from stripe.states.needs import Needs

FIXED = (Kind.POINTER, Kind.RECORD, Kind.ARRAY)
"""What is not whole without each of its parts."""


@dataclass(frozen=True, slots=True)
class Delta:
    """A difference.

    - ``graph``: the failing state, or the passing one if only that has the variable
    - ``place``: where the variable is in it: a vertex, or one of its parts
    - ``before``, ``after``: its value in the passing and in the failing state, for people
    - ``vertex``: its number in the failing graph, of a deletion that in the passing one
    - ``needs``: the deltas without which it makes no sense, by number
    """

    number: int
    change: Change
    graph: Graph = field(repr=False, compare=False)
    place: tuple[int] | tuple[int, Operation]
    before: str
    after: str
    vertex: int
    needs: frozenset[int] = frozenset()

    # Both are made when they are asked for: along a list they grow with each of its elements.

    @property
    def path(self) -> tuple[Operation, ...]:
        """The way to the variable."""
        return *self.graph.path(self.place[0]), *self.place[1:]

    @property
    def name(self) -> str:
        """The expression of the variable."""
        return named(self.path)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a matched vertex: what is there in either graph, and the delta that decides."""

    operation: Operation
    passing: int | None
    failing: int | None
    delta: int | None


@dataclass
class Difference:
    """All that differs between two graphs.

    - ``slots``: those of matched vertices that have a difference in them, by the vertex of the
      passing graph
    - ``made``: the delta that creates a vertex of the failing graph
    """

    passing: Graph
    failing: Graph
    matching: Matching
    deltas: list[Delta] = field(default_factory=list)
    slots: dict[int, list[Slot]] = field(default_factory=dict)
    made: dict[int, int] = field(default_factory=dict)

    @cached_property
    def needs(self) -> Needs:
        """What the deltas need, by their numbers; all of them have been found."""
        return Needs([each.needs for each in self.deltas])


def differences(passing: Graph, failing: Graph) -> Difference:
    """The deltas between two graphs, under the better one of the matchings that we know of."""

    def cost(matching: Matching) -> int:
        return len(compare(passing, failing, matching).deltas)

    return compare(passing, failing, best(passing, failing, cost))


def compare(passing: Graph, failing: Graph, matching: Matching | None = None) -> Difference:
    """The deltas between two graphs under a matching, by default that of parallel traversal."""
    found = Difference(passing, failing, matching or traverse(passing, failing))
    _Finder(found).find()
    return found


class _Finder:
    """Finds the deltas; they are numbered in the order in which the failing graph has them."""

    def __init__(self, found: Difference) -> None:
        self.found = found
        self.passing, self.failing = found.passing, found.failing
        self.matching = found.matching
        self.deleted: dict[int, int] = {}

    def find(self) -> None:
        for failing in self.failing.reached:
            passing = self.matching.passing.get(failing)
            if passing is not None and passing in self.passing.reached:
                slots = [self._slot(failing, *each) for each in self._places(passing, failing)]
                if any(slot.delta is not None for slot in slots):
                    self.found.slots[passing] = slots
                if self.passing.vertices[passing].kind is Kind.ARRAY:
                    self._one_by_one(slots)
        self._create_rest()

    def _places(
        self, passing: int, failing: int
    ) -> Iterator[tuple[Operation, int | None, int | None]]:
        """What is where in two matched vertices: that of the one graph, and of the other."""
        ours, theirs = self.passing.children[passing], self.failing.children[failing]
        if self.passing.vertices[passing].kind is not Kind.SEQUENCE:
            for operation in (*ours, *(each for each in theirs if each not in ours)):
                yield operation, ours.get(operation), theirs.get(operation)
            return
        one, other = list(ours.values()), list(theirs.values())
        names = list(ours), list(theirs)
        # Matched with each other, or else different from all that is on the other side.
        partners: list[Hashable] = [self.matching.failing.get(each, ("", each)) for each in one]
        for a, b in aligned(partners, list[Hashable](other)):
            operation = names[0][a] if b is None and a is not None else names[1][b or 0]
            yield operation, None if a is None else one[a], None if b is None else other[b]

    def _slot(
        self, source: int, operation: Operation, passing: int | None, failing: int | None
    ) -> Slot:
        """A place, with the delta that decides what is there if that is not the same.

        A reference is adjusted with the delta of what it refers to in the failing graph, or of
        what it refers to now (A.2.6).
        """
        partner = None if failing is None else self.matching.passing.get(failing)
        if failing is not None and partner is None:
            delta = self._created(failing, passing, frozenset())
        elif passing is not None and passing not in self.matching.failing:
            variable = operation.step is Step.VARIABLE  # which is still there
            delta = self._deleted(passing, failing if variable else None)
        elif passing == partner:
            return Slot(operation, passing, failing, None)
        else:
            delta = self._adjusted(source, operation, passing, failing)
        return Slot(operation, passing, failing, delta)

    def _created(self, vertex: int, instead_of: int | None, needs: frozenset[int]) -> int:
        known = self.found.made.get(vertex)
        if known is None:
            known = self.found.made[vertex] = self._add(
                Change.SET if self._goes(instead_of) else Change.CREATE,
                self.failing,
                (vertex,),
                instead_of,
                vertex,
                vertex,
                needs,
            )
        return known

    def _goes(self, passing: int | None) -> bool:
        """Whether something was there that has no partner: if it has one, it may stay elsewhere."""
        return passing is not None and passing not in self.matching.failing

    def _deleted(self, vertex: int, instead: int | None) -> int:
        """What is in its place instead, if anything is, is in the passing state elsewhere."""
        if vertex not in self.deleted:
            self.deleted[vertex] = self._add(
                Change.DELETE, self.passing, (vertex,), vertex, instead, vertex
            )
        return self.deleted[vertex]

    def _adjusted(
        self, source: int, operation: Operation, passing: int | None, failing: int | None
    ) -> int:
        vertex = source if failing is None else failing
        return self._add(Change.ADJUST, self.failing, (source, operation), passing, failing, vertex)

    def _one_by_one(self, slots: list[Slot]) -> None:
        """The end of an array moves by one element after the other: there are no holes in it."""
        for one, other in pairwise(slots):
            if one.passing is other.passing is None:
                self._need(other.delta, one.delta)
            elif one.failing is other.failing is None:
                self._need(one.delta, other.delta)

    def _need(self, delta: int | None, other: int | None) -> None:
        if delta is not None and other is not None and delta != other:
            this = self.found.deltas[delta]
            self.found.deltas[delta] = replace(this, needs=this.needs | {other})

    def _create_rest(self) -> None:
        """What is in new vertices: it makes no sense without them, nor they without fixed parts."""
        pending = list(self.found.made)
        together: dict[int, set[int]] = {}
        for vertex in pending:
            this = self.found.made[vertex]
            fixed = self.failing.vertices[vertex].kind in FIXED
            for child in self.failing.children[vertex].values():
                if child in self.matching.passing:
                    continue
                if child not in self.found.made:
                    self._created(child, None, frozenset({this}))
                    pending.append(child)
                if fixed:
                    together.setdefault(this, set()).add(self.found.made[child])
        deltas = self.found.deltas
        for number, others in together.items():
            deltas[number] = replace(deltas[number], needs=deltas[number].needs | others)

    def _add(
        self,
        change: Change,
        graph: Graph,
        place: tuple[int] | tuple[int, Operation],
        passing: int | None,
        failing: int | None,
        vertex: int,
        needs: frozenset[int] = frozenset(),
    ) -> int:
        number = len(self.found.deltas)
        before = "" if passing is None else shown(self.passing, passing)
        after = "" if failing is None else shown(self.failing, failing)
        self.found.deltas.append(Delta(number, change, graph, place, before, after, vertex, needs))
        return number


def shown(graph: Graph, vertex: int) -> str:
    """A value for people, to a small depth."""
    return _shown(graph, vertex, 2)


WIDEST = 8
"""Parts of a value that are told."""


def _shown(graph: Graph, vertex: int, depth: int) -> str:
    this, parts = graph.vertices[vertex], graph.children[vertex]
    if this.kind is Kind.ATOM or this.kind is Kind.OPAQUE:
        return this.text or f"<{this.type}>"
    if this.text:
        return this.text
    if not depth:
        return f"{this.type}(...)" if parts else f"{this.type}()"
    told = [
        _shown(graph, child, depth - 1)
        if this.kind in (Kind.SEQUENCE, Kind.ARRAY, Kind.POINTER)
        else f"{operation.key}: {_shown(graph, child, depth - 1)}"
        for operation, child in list(parts.items())[:WIDEST]
    ]
    if len(parts) > WIDEST:
        told.append("...")
    inside = ", ".join(told)
    match this.kind:
        case Kind.SEQUENCE | Kind.ARRAY:
            return f"[{inside}]" if this.type in ("list", "") else f"{this.type}([{inside}])"
        case Kind.MAPPING:
            return f"{{{inside}}}" if this.type in ("dict", "") else f"{this.type}({{{inside}}})"
        case Kind.POINTER:
            return "null" if this.value is None else inside
    return f"{this.type}({inside})"

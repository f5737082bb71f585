"""What differs between two memory graphs, as deltas (Why Programs Fail, A.2.4 and A.2.6).

There is a delta for each vertex that is in one graph only. Two of them that are at the same place,
as the old and the new value of a variable, are one delta: it sets the variable. Where matched
vertices only refer to each other in another way, the reference is the delta.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from stripe.states.cliques import best
from stripe.states.graph import Graph, Kind, Operation
from stripe.states.matching import Matching, aligned, traverse

FIXED = (Kind.POINTER, Kind.RECORD, Kind.ARRAY)
"""What is not whole without each of its parts."""


class Change(enum.Enum):
    """What a delta does to the passing state."""

    SET = "set"
    CREATE = "create"
    DELETE = "delete"
    ADJUST = "adjust"


@dataclass(frozen=True, slots=True)
class Delta:
    """A difference.

    - ``name``: the variable, as the failing state has it, or the passing one if only that does
    - ``before``, ``after``: its value in the passing and in the failing state, for people
    - ``vertex``: its number in the failing graph, of a deletion that in the passing one
    - ``needs``: the deltas without which it makes no sense, by number
    """

    number: int
    change: Change
    name: str
    before: str
    after: str
    vertex: int
    needs: frozenset[int] = frozenset()


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

    def closed(self, numbers: set[int]) -> set[int]:
        """Those of some deltas that have all that they need."""
        while True:
            lacking = {each for each in numbers if not self.deltas[each].needs <= numbers}
            if not lacking:
                return numbers
            numbers = numbers - lacking


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
            delta = self._deleted(passing)
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
                self.failing.name(vertex),
                instead_of,
                vertex,
                vertex,
                needs,
            )
        return known

    def _goes(self, passing: int | None) -> bool:
        """Whether something was there that has no partner: if it has one, it may stay elsewhere."""
        return passing is not None and passing not in self.matching.failing

    def _deleted(self, vertex: int) -> int:
        if vertex not in self.deleted:
            name = self.passing.name(vertex)
            self.deleted[vertex] = self._add(Change.DELETE, name, vertex, None, vertex)
        return self.deleted[vertex]

    def _adjusted(
        self, source: int, operation: Operation, passing: int | None, failing: int | None
    ) -> int:
        name = operation.of(self.failing.name(source))
        return self._add(
            Change.ADJUST, name, passing, failing, source if failing is None else failing
        )

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
            this_one = deltas[number]
            deltas[number] = Delta(
                number, this_one.change, this_one.name, this_one.before, this_one.after,
                this_one.vertex, this_one.needs | others,
            )  # fmt: skip

    def _add(
        self,
        change: Change,
        name: str,
        passing: int | None,
        failing: int | None,
        vertex: int,
        needs: frozenset[int] = frozenset(),
    ) -> int:
        number = len(self.found.deltas)
        before = "" if passing is None else shown(self.passing, passing)
        after = "" if failing is None else shown(self.failing, failing)
        self.found.deltas.append(Delta(number, change, name, before, after, vertex, needs))
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
        if this.kind in (Kind.SEQUENCE, Kind.ARRAY)
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
            return "null" if this.value is None else f"-> {inside}"
    return f"{this.type}({inside})"

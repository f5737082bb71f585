"""Memory graphs: what a program's state is to us (Why Programs Fail, A.2.1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from stripe.snapshots import Kind, Step

ROOT = 0
"""The vertex that everything is reached from."""


@dataclass(frozen=True, slots=True)
class Operation:
    """The name-building operation of an edge: ``key`` is a name, an index, or the text of a key.

    That of a frame is the function, and which of its calls it is, from the innermost one on; empty
    for that of the moment, whose variables are called by their names alone.
    """

    step: Step
    key: str | int = ""

    def expression(self, parent: str) -> str:
        """The expression of the child of what ``parent`` is the expression of."""
        match self.step:
            case Step.VARIABLE:
                return f"{parent}{self.key}"
            case Step.FRAME | Step.MODULE:
                return f"{self.key}:" if self.key else ""
            case Step.MEMBER if parent.startswith("**"):
                return f"({parent[1:]})->{self.key}"
            case Step.MEMBER if parent.startswith("*"):
                return f"{parent[1:]}->{self.key}"
            case Step.MEMBER:
                return f"{parent}.{self.key}"
            case Step.TARGET:
                return f"*{parent}"
            case Step.ELEMENT if parent.startswith("**"):
                return f"({parent[1:]})[{self.key}]"
            case Step.ELEMENT if parent.startswith("*"):
                return f"{parent[1:]}[{self.key}]"
        return f"({parent})[{self.key}]" if parent.startswith("*") else f"{parent}[{self.key}]"


def named(path: Iterable[Operation]) -> str:
    """The expression that a path builds."""
    name = ""
    for operation in path:
        name = operation.expression(name)
    return name


@dataclass(frozen=True, slots=True)
class Vertex:
    """A piece of memory: its value, type and address, and what kind of thing it is.

    - ``value``: of an atom, and of what has a value of its own beside its edges; it is equal where
      the values are. A pointer's is ``None`` if it is null, else anything
    - ``address``: of no other vertex with this type; addresses of two graphs are not compared
    - ``size``: in bytes or elements, where it is fixed
    - ``text``: the value, for people
    - ``shared``: whether it matters that two paths lead to it; not where nobody can change it, so
      that there may as well be one for each
    """

    kind: Kind
    type: str = ""
    value: Hashable = None
    address: Hashable = None
    size: int | None = None
    text: str = ""
    shared: bool = True


@dataclass(frozen=True, slots=True)
class Edge:
    """From one vertex to another, both by number."""

    source: int
    operation: Operation
    target: int


@dataclass(frozen=True)
class Graph:
    """Vertices, the first of which is the root, and the edges of each in order, by operation."""

    vertices: Sequence[Vertex]
    children: Sequence[Mapping[Operation, int]]

    def edges(self) -> Iterator[Edge]:
        """All edges, in order of their sources."""
        for source, children in enumerate(self.children):
            for operation, target in children.items():
                yield Edge(source, operation, target)

    @cached_property
    def reached(self) -> Mapping[int, Edge | None]:
        """What can be reached, breadth first, with the edge that comes there first."""
        found: dict[int, Edge | None] = {ROOT: None}
        queue = deque([ROOT])
        while queue:
            source = queue.popleft()
            for operation, target in self.children[source].items():
                if target not in found:
                    found[target] = Edge(source, operation, target)
                    queue.append(target)
        return found

    def path(self, vertex: int) -> tuple[Operation, ...]:
        """The shortest way from the root to a vertex, of several the first."""
        path: list[Operation] = []
        edge = self.reached[vertex]
        while edge is not None:
            path.append(edge.operation)
            edge = self.reached[edge.source]
        return tuple(reversed(path))

    def at(self, path: Iterable[Operation]) -> int | None:
        """Where a path leads, if it leads anywhere."""
        vertex: int | None = ROOT
        for operation in path:
            vertex = None if vertex is None else self.children[vertex].get(operation)
        return vertex

    def name(self, vertex: int) -> str:
        """The expression of a vertex, by its path."""
        return named(self.path(vertex))

    def number(self, name: str) -> int:
        """The vertex of a name.

        Raises:
            KeyError: there is none.
        """
        for vertex in self.reached:
            if self.name(vertex) == name:
                return vertex
        raise KeyError(name)


def ways_apart(one: Graph, other: Graph, start: tuple[int, int] = (ROOT, ROOT)) -> str:
    """Where two graphs first differ, by name; empty if they are equal but for addresses.

    They are equal if they have the same paths, equal vertices at their ends, and the same paths
    lead to the same vertex if that is shared. ``start``: from these vertices on.
    """
    partners, used = {start[0]: start[1]}, {start[1]: start[0]}
    seen = {start}
    queue = deque([start])
    while queue:
        a, b = queue.popleft()
        if not same_vertex(one.vertices[a], other.vertices[b]):
            return one.name(a)
        ours, theirs = one.children[a], other.children[b]
        for operation in (*ours, *theirs):
            if operation not in ours or operation not in theirs:
                return operation.expression(one.name(a))
            pair = ours[operation], theirs[operation]
            if one.vertices[pair[0]].shared or other.vertices[pair[1]].shared:
                partner = partners.setdefault(pair[0], pair[1])
                if partner != pair[1] or used.setdefault(pair[1], pair[0]) != pair[0]:
                    return one.name(pair[0])
            if pair not in seen:
                seen.add(pair)
                queue.append(pair)
    return ""


def same_vertex(one: Vertex, other: Vertex) -> bool:
    """Whether two vertices match (A.2.3).

    Those that are no pointers by type, value and size; pointers if both are null, or none.
    """
    if one.kind is not other.kind or one.type != other.type:
        return False
    if one.kind is Kind.POINTER:
        return (one.value is None) == (other.value is None)
    return one.value == other.value and one.size == other.size

"""From memory to a memory graph (Why Programs Fail, A.2.2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from stripe.snapshots import Kind
from stripe.states.graph import Graph, Operation, Vertex


class Place(NamedTuple):
    """Something in memory: where, and of which type."""

    address: Hashable
    type: str


@dataclass(frozen=True, slots=True)
class Content:
    """What is at a place: see :class:`~stripe.states.graph.Vertex`.

    ``parts``: members, elements, or what a pointer points to; nothing if it is null.
    """

    kind: Kind
    value: Hashable = None
    size: int | None = None
    text: str = ""
    parts: Sequence[tuple[Operation, Place]] = ()
    shared: bool = True


def unfold(bases: Mapping[Operation, Place], look: Callable[[Place], Content]) -> Graph:
    """The memory graph of all that the ``bases`` lead to; ``look`` says what is at a place.

    A place that is reached again, by address and type, is an alias: only an edge is added.
    """
    vertices = [Vertex(Kind.ROOT)]
    children: list[dict[Operation, int]] = [{}]
    known: dict[Place, int] = {}
    queue = deque((0, operation, place) for operation, place in bases.items())
    while queue:
        source, operation, place = queue.popleft()
        number = known.get(place)
        if number is None:
            number = known[place] = len(vertices)
            found = look(place)
            vertices.append(
                Vertex(
                    found.kind,
                    place.type,
                    found.value,
                    place.address,
                    found.size,
                    found.text,
                    found.shared,
                )
            )
            children.append({})
            queue.extend((number, *part) for part in found.parts)
        children[source][operation] = number
    return Graph(vertices, children)

"""Snapshots as memory graphs, and plans for graphs as what a backend is to change."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from stripe.snapshots import Alteration, Item, Part, Snapshot
from stripe.snapshots import Ref as ItemRef
from stripe.states.applying import Plan, Ref, Side
from stripe.states.graph import ROOT, Graph, Kind, Operation, Step
from stripe.states.unfolding import Content, Place, unfold


def graph_of(snapshot: Snapshot) -> Graph:
    """The memory graph; the addresses of its vertices are the numbers of items."""

    def place(part: Part) -> Place:
        return Place(part.item, snapshot.items[part.item].type)

    def look(at: Place) -> Content:
        assert isinstance(at.address, int)
        item: Item = snapshot.items[at.address]
        parts = [(Operation(Step(each.step), each.key), place(each)) for each in item.parts]
        return Content(Kind(item.kind), item.value, None, item.text, parts)

    bases = {Operation(Step(each.step), each.key): place(each) for each in snapshot.bases}
    return unfold(bases, look)


def alteration(
    plan: Plan, passing: Snapshot, failing: Snapshot, graphs: tuple[Graph, Graph]
) -> Alteration:
    """A plan for two graphs, in terms of the snapshots that they are of."""

    def item(ref: Ref) -> ItemRef:
        new = ref.side is Side.NEW
        address = graphs[new].vertices[ref.vertex].address
        assert isinstance(address, int)
        return ItemRef(new, address)

    contents = {
        item(ref): [(each.step.value, each.key, item(part)) for each, part in parts.items()]
        for ref, parts in plan.contents.items()
    }
    return Alteration(contents, passing, failing)


type Alias = tuple[int | str, str]
"""A variable by name, and where it is: the depth of its frame, or the name of its module."""


def aliases(snapshot: Snapshot, graph: Graph) -> Mapping[int, frozenset[Alias]]:
    """What each vertex is called, from each frame and module that leads to it.

    These names are the same at another moment, where another frame may be the innermost one.
    """
    frames = [each for each in graph.children[ROOT] if each.step is Step.FRAME]
    found: dict[int, set[Alias]] = {}
    for base, start in graph.children[ROOT].items():
        where: int | str
        if base.step is Step.FRAME:
            where = len(frames) - frames.index(base)
        else:
            where = graph.vertices[start].type
        names = {start: ""}
        queue = deque([start])
        while queue:
            source = queue.popleft()
            for operation, target in graph.children[source].items():
                if target not in names:
                    names[target] = operation.of(names[source])
                    found.setdefault(target, set()).add((where, names[target]))
                    queue.append(target)
    return {vertex: frozenset(names) for vertex, names in found.items()}

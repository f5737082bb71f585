"""Snapshots as memory graphs, and plans for graphs as what a backend is to change."""

from __future__ import annotations

from stripe.snapshots import Alteration, Item, Kind, Part, Snapshot, Step
from stripe.snapshots import Ref as ItemRef
from stripe.states.application import Plan, Ref, Side
from stripe.states.extraction import Content, Place, unfold
from stripe.states.graph import Graph, Operation


def graph_of(snapshot: Snapshot) -> Graph:
    """The memory graph; the addresses of its vertices are the numbers of items."""

    def place(part: Part) -> Place:
        return Place(part.item, snapshot.items[part.item].type)

    def look(at: Place) -> Content:
        assert isinstance(at.address, int)
        item: Item = snapshot.items[at.address]
        parts = [(Operation(Step(each.step), each.key), place(each)) for each in item.parts]
        return Content(Kind(item.kind), item.value, None, item.text, parts, item.shared)

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

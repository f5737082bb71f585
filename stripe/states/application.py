"""A state with some of the differences applied (Why Programs Fail, A.2.5 and A.2.6)."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from stripe.snapshots import Kind, Step
from stripe.states.deltas import Difference, Slot
from stripe.states.graph import ROOT, Graph, Operation


class Side(enum.Enum):
    """Where a vertex of the new state comes from."""

    KEPT = "kept"
    NEW = "new"


class Ref(NamedTuple):
    """A vertex of the new state: one of the passing graph, or one made like one of the failing."""

    side: Side
    vertex: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be done to the passing state.

    ``contents``: for what is changed or made, all that it has then, in order.
    """

    contents: Mapping[Ref, Mapping[Operation, Ref]]


def plan(difference: Difference, numbers: Collection[int]) -> Plan:
    """What it takes to apply the deltas with these numbers, and no others.

    1. (set and create) each vertex of the failing graph whose delta is among them is made;
    2. (adjust) what is made, and each matched vertex, has the parts that it has in the failing
       graph where a delta of these decides, and else those that it has;
    3. (delete) what nothing leads to any more is gone.
    """
    chosen = set(numbers)
    contents: dict[Ref, Mapping[Operation, Ref]] = {}
    for vertex, number in difference.made.items():
        if number in chosen:
            ref = Ref(Side.NEW, vertex)
            contents[ref] = _numbered(
                difference.failing.vertices[vertex].kind,
                (
                    (operation, part)
                    for operation, child in difference.failing.children[vertex].items()
                    if (part := _counterpart(difference, child, chosen)) is not None
                ),
            )
    for vertex, slots in difference.slots.items():
        if any(slot.delta in chosen for slot in slots):
            kind = difference.passing.vertices[vertex].kind
            parts = _numbered(kind, _filled(difference, slots, chosen))
            contents[Ref(Side.KEPT, vertex)] = _ordered(difference, vertex, parts)
    return Plan(contents)


def _counterpart(difference: Difference, failing: int, chosen: set[int]) -> Ref | None:
    """What stands for a vertex of the failing graph, if anything does."""
    kept = difference.matching.passing.get(failing)
    if kept is not None:
        return Ref(Side.KEPT, kept)
    return Ref(Side.NEW, failing) if difference.made.get(failing) in chosen else None


def _filled(
    difference: Difference, slots: list[Slot], chosen: set[int]
) -> Iterator[tuple[Operation, Ref]]:
    for slot in slots:
        if slot.delta is None or slot.delta not in chosen:
            if slot.passing is not None:
                yield slot.operation, Ref(Side.KEPT, slot.passing)
        elif slot.failing is not None:
            part = _counterpart(difference, slot.failing, chosen)
            if part is not None:
                yield slot.operation, part


def _numbered(kind: Kind, parts: Iterator[tuple[Operation, Ref]]) -> dict[Operation, Ref]:
    """The parts by operation; those of a sequence are numbered as they come."""
    if kind is Kind.SEQUENCE:
        return {Operation(Step.INDEX, n): part for n, (_, part) in enumerate(parts)}
    return dict(parts)


def _ordered(
    difference: Difference, vertex: int, parts: dict[Operation, Ref]
) -> dict[Operation, Ref]:
    """In the order of the failing graph, if they are the parts that it has."""
    there = difference.failing.children[difference.matching.failing[vertex]]
    return {each: parts[each] for each in there} if there.keys() == parts.keys() else parts


def applied(difference: Difference, numbers: Collection[int]) -> tuple[Graph, list[Ref]]:
    """The passing graph with these deltas applied, and where its vertices come from."""
    contents = plan(difference, numbers).contents
    refs = [Ref(Side.KEPT, ROOT)]
    known = {refs[0]: ROOT}
    children: list[dict[Operation, int]] = []
    for ref in refs:  # which grow
        parts: dict[Operation, int] = {}
        if ref in contents:
            there = contents[ref]
        else:
            there = {
                operation: Ref(Side.KEPT, child)
                for operation, child in difference.passing.children[ref.vertex].items()
            }
        for operation, part in there.items():
            if part not in known:
                known[part] = len(refs)
                refs.append(part)
            parts[operation] = known[part]
        children.append(parts)
    vertices = [
        (difference.passing if ref.side is Side.KEPT else difference.failing).vertices[ref.vertex]
        for ref in refs
    ]
    made = [
        each if ref.side is Side.KEPT else replace(each, address=None)
        for each, ref in zip(vertices, refs, strict=True)
    ]
    return Graph(made, children), refs

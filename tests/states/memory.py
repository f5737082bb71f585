"""Memory to unfold: written down by hand, or drawn at random."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from stripe.states import Content, Graph, Kind, Operation, Place, Step, unfold

SOME = settings(deadline=None, max_examples=30)


def variable(name: str) -> Operation:
    return Operation(Step.VARIABLE, name)


def member(name: str) -> Operation:
    return Operation(Step.MEMBER, name)


def index(number: int) -> Operation:
    return Operation(Step.INDEX, number)


def element(number: int) -> Operation:
    return Operation(Step.ELEMENT, number)


TARGET = Operation(Step.TARGET)


def atom(value: Any) -> Content:
    return Content(Kind.ATOM, value, 4, repr(value))


def pointer(to: Place | None) -> Content:
    if to is None:
        return Content(Kind.POINTER, None)
    return Content(Kind.POINTER, "set", parts=[(TARGET, to)])


def unfolded(bases: dict[str, Place], memory: dict[Place, Content]) -> Graph:
    return unfold({variable(name): place for name, place in bases.items()}, memory.__getitem__)


def chain(*values: int) -> Graph:
    """A linked list, drawn as in the book: a vertex for each element, with its value in it."""
    places = [Place(f"&{n}", "element") for n in range(len(values))]
    memory = {
        place: Content(
            Kind.RECORD, value, text=str(value), parts=[(member("next"), after)] if after else []
        )
        for place, value, after in zip(places, values, [*places[1:], None], strict=True)
    }
    return unfolded({"list": places[0]}, memory)


def walked(graph: Graph) -> list[Any]:
    """The values along such a list."""
    found, vertex = [], graph.children[0].get(variable("list"))
    while vertex is not None:
        found.append(graph.vertices[vertex].value)
        vertex = graph.children[vertex].get(member("next"))
    return found


KINDS = (Kind.SEQUENCE, Kind.MAPPING, Kind.RECORD, Kind.POINTER)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Some objects that refer to each other, and numbers; with cycles and shared references."""
    count = draw(st.integers(0, 5))
    kinds = [draw(st.sampled_from(KINDS)) for _ in range(count)]
    memory: dict[Place, Content] = {}
    objects = [Place(n, kind.value) for n, kind in enumerate(kinds)]

    def part(owner: Any, where: Operation) -> Place:
        number = draw(st.integers(0, count + 2))
        if number < count:
            return objects[number]
        place = Place((owner, where), "int")
        memory[place] = atom(number)
        return place

    def parts(owner: Any, operations: list[Operation]) -> list[tuple[Operation, Place]]:
        return [(each, part(owner, each)) for each in operations]

    for place, kind in zip(objects, kinds, strict=True):
        size = draw(st.integers(0, 4))
        if kind is Kind.SEQUENCE:
            where = [index(n) for n in range(size)]
        elif kind is Kind.MAPPING:
            keys = draw(st.permutations("abcd"))[:size]
            where = [Operation(Step.KEY, repr(key)) for key in keys]
        elif kind is Kind.POINTER:
            where = [TARGET][:size]
        else:
            where = [member(name) for name in "xy"]
        value = "set" if kind is Kind.POINTER and where else None
        memory[place] = Content(kind, value, parts=parts(place.address, where))
    bases = {name: part("", variable(name)) for name in "pqr"[: draw(st.integers(0, 3))]}
    return unfolded(bases, memory)

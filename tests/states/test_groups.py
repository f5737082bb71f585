"""Deltas that go together, and those that cannot be applied."""

from __future__ import annotations

from hypothesis import given

from stripe.states import Content, Kind, Operation, Place, Step, differences, unfold
from stripe.states.groups import Groups
from tests.states.memory import SOME, atom, graphs, member, variable


def framed(step: Step, **values: int):
    frame = Place("frame", "f")
    places = {name: Place(name, "int") for name in values}
    memory = {places[name]: atom(value) for name, value in values.items()}
    memory[frame] = Content(Kind.RECORD, parts=[(variable(n), p) for n, p in places.items()])
    return unfold({Operation(step): frame}, memory.__getitem__)


def test_a_variable_of_a_frame_cannot_be_deleted_one_of_a_module_can():
    for step, left_out in ((Step.FRAME, ["b"]), (Step.MODULE, [])):
        difference = differences(framed(step, a=1, b=2), framed(step, a=3))
        groups = Groups(difference, lambda vertex: True)
        assert [delta.name for delta in groups.left_out] == left_out


def test_what_cannot_be_made_takes_what_needs_it_along():
    node, x = Place("n", "node"), Place("x", "file")
    memory = {
        node: Content(Kind.RECORD, parts=[(member("x"), x)]),
        x: Content(Kind.OPAQUE),
    }
    without = unfold({}, memory.__getitem__)
    difference = differences(without, unfold({variable("n"): node}, memory.__getitem__))
    groups = Groups(difference, lambda vertex: difference.failing.vertices[vertex].type != "file")
    assert [delta.name for delta in groups.left_out] == ["n", "n.x"]
    assert groups.members == []


@SOME
@given(graphs(), graphs())
def test_groups_are_all_the_deltas_and_closed(passing, failing):
    difference = differences(passing, failing)
    groups = Groups(difference, lambda vertex: True)
    every = tuple(range(len(groups.members)))
    assert sorted(groups.deltas(every)) == list(range(len(difference.deltas)))
    assert groups.close(every) == every
    for left_out in every:
        some = groups.close(tuple(each for each in every if each != left_out))
        numbers = groups.deltas(some)
        assert difference.needs.closed(numbers) == numbers
        assert groups.close(some) == some


def test_lists_of_any_length_are_compared_and_grouped():
    """Names of nodes grow along a list: they are made for those that are told only."""
    length = 5_000

    def linked(first):
        nodes = [Place(("node", n), "Node") for n in range(length)]
        memory = {Place(("value", n), "int"): atom(first + n) for n in range(length)}
        for place, node, following in zip(list(memory), nodes, [*nodes[1:], None], strict=True):
            parts = [(member("value"), place)]
            if following is not None:
                parts.append((member("next"), following))
            memory[node] = Content(Kind.RECORD, parts=parts)
        return unfold({variable("head"): nodes[0]}, memory.__getitem__)

    groups = Groups(differences(linked(0), linked(length)), lambda vertex: True)
    assert len(groups.members) == length
    assert groups.head(2).name == "head.next.next.value"

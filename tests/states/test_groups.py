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
        assert difference.closed(numbers) == numbers
        assert groups.close(some) == some

"""Differences, all of them and some, applied: Why Programs Fail, A.2.5 and A.2.6."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.states import (
    Change,
    Content,
    Kind,
    Place,
    Side,
    applied,
    compare,
    differences,
    plan,
    traverse,
    unmatched,
    ways_apart,
)
from stripe.states.cliques import largest
from stripe.states.deltas import FIXED
from tests.states.memory import (
    SOME,
    TARGET,
    atom,
    chain,
    element,
    graphs,
    index,
    member,
    pointer,
    unfolded,
    walked,
)


def numbers(difference, *values):
    return [each.number for each in difference.deltas if (each.after or each.before) in values]


LIST = differences(chain(14, 18, 20, 22), chain(14, 15, 18, 22))


def test_the_deltas_of_the_list_are_15_and_20():
    assert [(each.change, each.name, each.before, each.after) for each in LIST.deltas] == [
        (Change.CREATE, "list.next", "18", "15"),
        (Change.DELETE, "list.next.next", "20", ""),
    ]


@pytest.mark.parametrize(
    ("deltas", "state"),
    [
        ([], [14, 18, 20, 22]),
        (["15"], [14, 15, 18, 20, 22]),
        (["20"], [14, 18, 22]),
        (["15", "20"], [14, 15, 18, 22]),
    ],
)
def test_every_subset_of_the_list_s_deltas(deltas, state):
    """Delta 15 and delta 20, as drawn."""
    result, _ = applied(LIST, numbers(LIST, *deltas))
    assert walked(result) == state


def test_a_sequence_is_aligned_as_the_list_is():
    def sequence(*values):
        owner = Place("s", "list")
        cells = [Place(("s", n), "int") for n in range(len(values))]
        memory = {cell: atom(value) for cell, value in zip(cells, values, strict=True)}
        memory[owner] = Content(Kind.SEQUENCE, parts=[(index(n), c) for n, c in enumerate(cells)])
        return unfolded({"s": owner}, memory)

    def values(graph):
        return [graph.vertices[each].value for each in graph.children[1].values()]

    difference = differences(sequence(14, 18, 20, 22), sequence(14, 15, 18, 22))
    assert [(each.change, each.name) for each in difference.deltas] == [
        (Change.CREATE, "s[1]"),
        (Change.DELETE, "s[2]"),
    ]
    assert values(applied(difference, [0])[0]) == [14, 15, 18, 20, 22]
    assert values(applied(difference, [1])[0]) == [14, 18, 22]
    assert values(applied(difference, [0, 1])[0]) == [14, 15, 18, 22]


def test_a_variable_is_set_created_deleted():
    """A.2.5, the first walk and the last one."""

    def variables(**values):
        places = {name: Place(name, "int") for name in values}
        return unfolded(places, {places[name]: atom(value) for name, value in values.items()})

    difference = differences(variables(a=1, b=2, c=3), variables(a=1, b=5, d=6))
    assert [(each.change, each.name, each.before, each.after) for each in difference.deltas] == [
        (Change.SET, "b", "2", "5"),
        (Change.DELETE, "c", "3", ""),
        (Change.CREATE, "d", "", "6"),
    ]
    result, _ = applied(difference, [0, 2])
    assert ways_apart(result, variables(a=1, b=5, c=3, d=6)) == ""


def test_a_reference_to_what_both_have_is_a_delta_of_its_own():
    """No vertex differs, so no rule of A.2.6 would ever adjust it."""
    cells = {name: Place(name, "cell") for name in "ab"}
    memory = {cells["a"]: Content(Kind.RECORD, 1), cells["b"]: Content(Kind.RECORD, 2)}

    def state(x):
        place = Place("x", "cell *")
        return unfolded({**cells, "x": place}, {**memory, place: pointer(x and cells[x])})

    difference = differences(state("a"), state("b"))
    assert [(each.change, each.name) for each in difference.deltas] == [(Change.ADJUST, "*x")]
    assert ways_apart(applied(difference, [0])[0], state("b")) == ""
    null = differences(state("a"), state(None))
    assert [(each.change, each.name) for each in null.deltas] == [(Change.SET, "x")]
    assert ways_apart(applied(null, [0])[0], state(None)) == ""


@pytest.mark.parametrize(
    ("deltas", "target"), [("", "old"), ("new", "new"), ("new old", "new"), ("old", "old")]
)
def test_a_pointer_is_adjusted_with_what_it_is_to_point_to(deltas, target):
    """A.2.5 and A.2.6, the second walk; it goes nowhere that is not there."""

    def state(cell):
        place, p = Place(cell, "cell"), Place("p", "cell *")
        memory = {place: Content(Kind.RECORD, cell, text=cell), p: pointer(place)}
        return unfolded({"p": p, cell: place}, memory)

    difference = differences(state("old"), state("new"))
    assert {each.change for each in difference.deltas} == {Change.CREATE, Change.DELETE}
    result, _ = applied(difference, numbers(difference, *deltas.split()))
    assert result.vertices[result.children[result.number("p")][TARGET]].value == target


@pytest.mark.parametrize(("deltas", "target"), [([], 1), ([0], 2)])
def test_a_pointer_is_adjusted_with_what_it_pointed_to(deltas, target):
    """A.2.6, the second walk: its new target is in both states, and its old one is deleted."""

    def state(x):
        places = {name: Place(name, "cell") for name in ("a", "b")}
        memory = {place: Content(Kind.RECORD, int(n == "b") + 1) for n, place in places.items()}
        p = Place("p", "cell *")
        bases = {"b": places["b"], "p": p}
        return unfolded(bases, {**memory, p: pointer(places[x])})

    difference = differences(state("a"), state("b"))
    assert [each.change for each in difference.deltas] == [Change.DELETE]
    result, _ = applied(difference, deltas)
    assert result.vertices[result.children[result.number("p")][TARGET]].value == target


def test_a_new_record_is_whole_or_not_there():
    def state(*, new):
        node, x, y = Place("n", "node"), Place("x", "int"), Place("y", "int")
        memory = {
            node: Content(Kind.RECORD, parts=[(member("x"), x), (member("y"), y)]),
            x: atom(1),
            y: atom(2),
        }
        return unfolded({"n": node} if new else {}, memory)

    difference = differences(state(new=False), state(new=True))
    assert [each.name for each in difference.deltas] == ["n", "n.x", "n.y"]
    assert difference.needs.closed({0, 1}) == set()
    assert difference.needs.closed({1, 2}) == set()
    assert difference.needs.closed({0, 1, 2}) == {0, 1, 2}


def test_the_end_of_an_array_moves_by_one_element_after_the_other():
    def array(*values):
        owner = Place("a", "int[]")
        cells = [Place(("a", n), "int") for n in range(len(values))]
        memory = {cell: atom(value) for cell, value in zip(cells, values, strict=True)}
        memory[owner] = Content(Kind.ARRAY, parts=[(element(n), c) for n, c in enumerate(cells)])
        return unfolded({"a": owner}, memory)

    longer = differences(array(1, 2), array(1, 3, 4, 5))
    assert [(each.change, each.name) for each in longer.deltas] == [
        (Change.SET, "a[1]"),
        (Change.CREATE, "a[2]"),
        (Change.CREATE, "a[3]"),
    ]
    assert longer.needs.closed({2}) == set()
    assert longer.needs.closed({1, 2}) == {1, 2}
    shorter = differences(array(1, 3, 4, 5), array(1, 2))
    assert shorter.needs.closed({0, 1}) == {0}
    assert shorter.needs.closed({2}) == {2}
    assert ways_apart(applied(shorter, {2})[0], array(1, 3, 4)) == ""


# --- on random object graphs --------------------------------------------------------------------


def compared(passing, failing):
    """Under each matching there is."""
    for matching in (traverse(passing, failing), largest(passing, failing)):
        if matching is not None:
            yield compare(passing, failing, matching)


@SOME
@given(graphs(), graphs())
def test_all_differences_make_the_graphs_equal(passing, failing):
    """A.2.5."""
    for difference in compared(passing, failing):
        every = range(len(difference.deltas))
        assert difference.needs.closed(set(every)) == set(every)
        assert ways_apart(applied(difference, every)[0], failing) == ""


@SOME
@given(graphs(), graphs())
def test_no_differences_change_nothing(passing, failing):
    for difference in compared(passing, failing):
        assert plan(difference, []).contents == {}
        assert ways_apart(applied(difference, [])[0], passing) == ""


@SOME
@given(graphs())
def test_equal_graphs_have_no_differences(graph):
    assert differences(graph, graph).deltas == []


@SOME
@given(graphs(), graphs())
def test_there_is_a_delta_for_each_vertex_of_the_failing_graph_outside_the_matching(
    passing, failing
):
    """A.2.6."""
    for difference in compared(passing, failing):
        assert sorted(difference.made) == sorted(unmatched(failing, difference.matching.passing))


@SOME
@given(graphs(), graphs(), st.randoms(use_true_random=False))
def test_a_subset_leaves_the_rest_untouched(passing, failing, random):
    """A.2.6: what none of its deltas decides is as it was, the rest as it will be."""
    for difference in compared(passing, failing):
        chosen = difference.needs.closed(
            {d.number for d in difference.deltas if random.random() < 0.5}
        )
        graph, refs = applied(difference, chosen)
        contents = plan(difference, chosen).contents
        for number, ref in enumerate(refs):
            parts = {each: refs[child] for each, child in graph.children[number].items()}
            if ref.side is Side.NEW:
                assert difference.made[ref.vertex] in chosen
                if failing.vertices[ref.vertex].kind in FIXED:
                    assert parts.keys() == failing.children[ref.vertex].keys()
                continue
            slots = difference.slots.get(ref.vertex, [])
            if not any(slot.delta in chosen for slot in slots):
                assert ref not in contents
                before = passing.children[ref.vertex]
                assert parts == {each: (Side.KEPT, child) for each, child in before.items()}
            elif passing.vertices[ref.vertex].kind is not Kind.SEQUENCE:
                for slot in slots:
                    there = slot.failing if slot.delta in chosen else slot.passing
                    assert (slot.operation in parts) == (there is not None)
            else:
                kept = [
                    slot.passing if slot.delta not in chosen else slot.failing for slot in slots
                ]
                assert len(parts) == sum(each is not None for each in kept)


@SOME
@given(graphs(), graphs())
def test_the_better_matching_leaves_no_more_deltas(passing, failing):
    best = len(differences(passing, failing).deltas)
    assert best == min(len(each.deltas) for each in compared(passing, failing))

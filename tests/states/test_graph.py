"""Memory graphs and unfolding: Why Programs Fail, A.2.1 and A.2.2."""

from __future__ import annotations

import pytest

from stripe.states import Content, Kind, Operation, Place, Step, ways_apart
from tests.states.memory import TARGET, atom, chain, index, member, pointer, unfolded, variable


def names(graph):
    return [graph.name(vertex) for vertex in graph.reached]


def test_a_record_is_a_vertex_and_each_of_its_members():
    """As for ``int i = 42; struct foo { int val; } f = {47};``."""
    i, f, val = Place(1, "int"), Place(2, "struct foo"), Place(2, "int")
    graph = unfolded(
        {"i": i, "f": f},
        {i: atom(42), val: atom(47), f: Content(Kind.RECORD, parts=[(member("val"), val)])},
    )
    assert names(graph) == ["", "i", "f", "f.val"]
    assert [each.value for each in graph.vertices] == [None, 42, None, 47]


def test_an_alias_is_unfolded_once():
    """As for ``struct foo f; int *p1, *p2; p1 = p2 = &f;``."""
    f, val, p1, p2 = (Place(*each) for each in ((1, "foo"), (1, "int"), (2, "foo *"), (3, "foo *")))
    memory = {
        f: Content(Kind.RECORD, parts=[(member("val"), val)]),
        val: atom(47),
        p1: pointer(f),
        p2: pointer(f),
    }
    graph = unfolded({"f": f, "p1": p1, "p2": p2}, memory)
    assert len(graph.vertices) == 5
    sources = [
        graph.name(edge.source) for edge in graph.edges() if edge.target == graph.number("f")
    ]
    assert sources == ["", "p1", "p2"]
    assert names(graph) == ["", "f", "p1", "p2", "f.val"]


def test_the_same_address_with_another_type_is_no_alias():
    """A record begins where its first member does."""
    f, val = Place(1, "foo"), Place(1, "int")
    graph = unfolded({"f": f}, {f: Content(Kind.RECORD, parts=[(member("v"), val)]), val: atom(1)})
    assert names(graph) == ["", "f", "f.v"]


def test_an_array_is_a_vertex_and_each_of_its_elements():
    a, cells = Place(1, "int[2]"), [Place(1, "int"), Place(5, "int")]
    graph = unfolded(
        {"a": a},
        {
            a: Content(Kind.ARRAY, size=2, parts=[(index(n), c) for n, c in enumerate(cells)]),
            cells[0]: atom(7),
            cells[1]: atom(8),
        },
    )
    assert names(graph) == ["", "a", "a[0]", "a[1]"]


def test_a_null_pointer_leads_nowhere():
    p = Place(1, "int *")
    assert names(unfolded({"p": p}, {p: pointer(None)})) == ["", "p"]


def test_a_cycle_is_unfolded_once():
    node = Place(1, "node")
    graph = unfolded({"n": node}, {node: Content(Kind.RECORD, parts=[(member("next"), node)])})
    assert names(graph) == ["", "n"]
    assert graph.children[1] == {member("next"): 1}


@pytest.mark.parametrize(
    ("operations", "name"),
    [
        ([variable("a"), member("b"), index(2), TARGET, member("next")], "a.b[2]->next"),
        ([variable("p"), TARGET], "*p"),
        ([variable("p"), TARGET, TARGET, member("x")], "(*p)->x"),
        ([variable("p"), TARGET, index(1)], "(*p)[1]"),
        ([variable("x"), Operation(Step.KEY, "'size'")], "x['size']"),
        ([Operation(Step.FRAME, "main"), variable("x"), member("y")], "main:x.y"),
        ([Operation(Step.FRAME), variable("x")], "x"),
    ],
)
def test_operations_build_names(operations, name):
    built = ""
    for operation in operations:
        built = operation.of(built)
    assert built == name


def test_a_name_is_the_shortest_path_and_the_first():
    """A name for each vertex, and always the same one."""
    graph = chain(1, 2)
    assert graph.name(2) == "list.next"
    assert graph.number("list.next") == 2


def test_graphs_are_equal_but_for_addresses():
    assert ways_apart(chain(1, 2), chain(1, 2)) == ""
    assert ways_apart(chain(1, 2), chain(1, 3)) == "list.next"
    assert ways_apart(chain(1, 2), chain(1)) == "list.next"


def test_one_thing_at_two_places_is_not_two_equal_things():
    a, b = Place(1, "list"), Place(2, "list")
    memory = {a: Content(Kind.SEQUENCE), b: Content(Kind.SEQUENCE)}
    shared, apart = unfolded({"x": a, "y": a}, memory), unfolded({"x": a, "y": b}, memory)
    assert ways_apart(shared, apart) == "x"
    assert ways_apart(apart, shared) == "y"

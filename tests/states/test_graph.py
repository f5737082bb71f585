"""Memory graphs and unfolding: Why Programs Fail, A.2.1 and A.2.2."""

from __future__ import annotations

import pytest

from stripe.states import Content, Kind, Operation, Place, Step, ways_apart
from stripe.states.graph import ROOT, Edge
from tests.states.memory import (
    TARGET,
    atom,
    chain,
    element,
    index,
    member,
    pointer,
    unfolded,
    variable,
)


def names(graph):
    return [graph.name(vertex) for vertex in graph.reached]


def test_a_graph_is_of_vertices_and_edges_from_a_root():
    """A.2.1: a vertex has value, type and address; an edge its two ends and an operation."""
    i, p = Place(0x10, "int"), Place(0x20, "int *")
    graph = unfolded({"i": i, "p": p}, {i: atom(42), p: pointer(i)})
    root, *rest = graph.vertices
    assert root.kind is Kind.ROOT
    assert [(each.value, each.type, each.address) for each in rest] == [
        (42, "int", 0x10),
        ("set", "int *", 0x20),
    ]
    assert list(graph.edges()) == [
        Edge(ROOT, variable("i"), 1),
        Edge(ROOT, variable("p"), 2),
        Edge(2, TARGET, 1),
    ]


def test_unfolding_begins_with_the_base_variables():
    """A.2.2: each is reached from the root, and what none of them leads to is not there."""
    places = {name: Place(name, "int") for name in "ab"}
    memory = {**{place: atom(1) for place in places.values()}, Place("c", "int"): atom(1)}
    graph = unfolded(places, memory)
    assert names(graph) == ["", "a", "b"]
    assert [edge.source for edge in graph.edges()] == [ROOT, ROOT]


def test_an_atom_is_a_vertex_with_its_value_and_nothing_behind_it():
    """A.2.2: what is no record, array or pointer."""
    graph = unfolded({"i": Place(1, "int")}, {Place(1, "int"): atom(42)})
    assert (graph.vertices[1].kind, graph.vertices[1].value) == (Kind.ATOM, 42)
    assert graph.children[1] == {}


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


def test_a_pointer_is_a_vertex_and_what_it_points_to():
    i, p, q = Place(1, "int"), Place(2, "int *"), Place(3, "int **")
    graph = unfolded({"q": q}, {i: atom(1), p: pointer(i), q: pointer(p)})
    assert names(graph) == ["", "q", "*q", "**q"]


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
        ([variable("p"), TARGET, element(1)], "p[1]"),
        ([variable("p"), TARGET, member("q"), TARGET, element(1)], "p->q[1]"),
        ([variable("p"), TARGET, element(1), TARGET, element(2)], "p[1][2]"),
        ([variable("p"), TARGET, TARGET, element(1)], "(*p)[1]"),
        ([variable("x"), Operation(Step.KEY, "'size'")], "x['size']"),
        ([Operation(Step.FRAME, "main"), variable("x"), member("y")], "main:x.y"),
        ([Operation(Step.FRAME), variable("x")], "x"),
    ],
)
def test_operations_build_names(operations, name):
    built = ""
    for operation in operations:
        built = operation.expression(built)
    assert built == name


def test_a_name_is_the_shortest_path_and_the_first():
    """A.2.1 leaves open which path it is; so each vertex has one name, always the same."""
    box, leaf, c, d = Place("b", "box"), Place("l", "int"), Place("c", "int *"), Place("d", "int *")
    memory = {
        box: Content(Kind.RECORD, parts=[(member("deep"), c)]),
        leaf: atom(1),
        c: pointer(leaf),
        d: pointer(leaf),
    }
    graph = unfolded({"a": box, "d": d, "x": leaf, "y": leaf}, memory)
    assert "x" in names(graph), "not a.deep, *d or y"
    assert not {"y", "*d", "*a.deep"} & set(names(graph))
    assert all(graph.number(graph.name(each)) == each for each in graph.reached)
    first = unfolded({"d": d, "c": c}, memory)
    assert first.name(first.number("*d")) == "*d", "and not *c, which is as long"


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

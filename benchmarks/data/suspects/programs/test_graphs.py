import pytest
from graphs import cheapest, components, distances, has_cycle, ordered

ROADS = {"a": {"b": 7, "c": 3}, "b": {"d": 1}, "c": {"b": 2, "d": 9}, "e": {"a": 1}}
STEPS = {"socks": ["shoes"], "trousers": ["shoes", "belt"], "belt": ["coat"], "shoes": []}


@pytest.mark.parametrize(
    ("start", "expected"),
    [("d", {"d": 0}), ("a", {"a": 0, "b": 1, "c": 1, "d": 2}), ("b", {"b": 0, "d": 1})],
)
def test_distances(start, expected):
    assert distances(ROADS, start) == expected


def test_distances_take_the_shorter_way():
    graph = {1: [2, 3], 2: [4], 3: [5], 4: [6], 5: [6, 4], 6: [1]}
    assert distances(graph, 1) == {1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}


@pytest.mark.parametrize(
    ("start", "goal", "expected"),
    [
        ("a", "a", (0, ["a"])),
        ("a", "b", (5, ["a", "c", "b"])),
        ("a", "d", (6, ["a", "c", "b", "d"])),
        ("e", "d", (7, ["e", "a", "c", "b", "d"])),
        ("d", "a", None),
    ],
)
def test_cheapest(start, goal, expected):
    assert cheapest(ROADS, start, goal) == expected


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({}, []),
        (STEPS, ["socks", "trousers", "belt", "coat", "shoes"]),
        ({3: [1], 2: [1], 1: []}, [2, 3, 1]),
    ],
)
def test_ordered(graph, expected):
    assert ordered(graph) == expected


def test_cycle_has_no_order():
    with pytest.raises(ValueError):
        ordered({1: [2], 2: [1]})


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({}, []),
        ({1: []}, [[1]]),
        ({1: [2], 2: [1], 3: []}, [[1, 2], [3]]),
        ({1: [3, 4], 2: [], 3: [1, 4], 4: [1, 3]}, [[1, 3, 4], [2]]),
    ],
)
def test_components(graph, expected):
    assert components(graph) == expected


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({}, False),
        ({1: [2], 2: [3]}, False),
        ({1: [2], 2: [1]}, True),
        ({1: [2, 3], 2: [3], 3: []}, False),
        ({1: [], 2: [3], 3: [4], 4: [2]}, True),
        ({1: [1]}, True),
    ],
)
def test_has_cycle(graph, expected):
    assert has_cycle(graph) is expected

import pytest
from machine import balanced, change, lift_stops, run, schedule, standings, survivors, water

COUNTDOWN = [
    ("push", 3),
    ("store", "n"),
    ("load", "n"),
    ("print",),
    ("load", "n"),
    ("push", 1),
    ("sub",),
    ("store", "n"),
    ("load", "n"),
    ("jump if", 2),
]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ([], []),
        ([("push", 1), ("print",)], [1]),
        ([("push", 2), ("push", 3), ("add",), ("print",)], [5]),
        ([("push", 2), ("push", 3), ("sub",), ("print",)], [-1]),
        ([("push", 2), ("push", 3), ("mul",), ("print",)], [6]),
        ([("load", "x"), ("print",)], [0]),
        ([("jump", 3), ("push", 1), ("print",), ("push", 7), ("print",)], [7]),
        (COUNTDOWN, [3, 2, 1]),
    ],
)
def test_run(program, expected):
    assert run(program) == expected


def test_fuel():
    assert run([("push", 1), ("print",), ("jump", 0)], 7) == [1, 1]


def test_unknown():
    with pytest.raises(ValueError):
        run([("halt",)])


@pytest.mark.parametrize(
    ("text", "expected"), [("", True), ("(a[b]{c})", True), ("(", False), (")", False), ("([)]", False), ("{}}", False)]
)
def test_balanced(text, expected):
    assert balanced(text) is expected


@pytest.mark.parametrize(
    ("price", "paid", "expected", "left"),
    [
        (80, 100, [20], {50: 1, 20: 1, 10: 1}),
        (30, 100, [50, 20], {50: 0, 20: 1, 10: 1}),
        (5, 5, [], {50: 1, 20: 2, 10: 1}),
        (1, 100, None, {50: 1, 20: 2, 10: 1}),
        (50, 100, [50], {50: 0, 20: 2, 10: 1}),
        (0, 90, [50, 20, 20], {50: 0, 20: 0, 10: 1}),
    ],
)
def test_change(price, paid, expected, left):
    coins = {50: 1, 20: 2, 10: 1}
    assert change(price, paid, coins) == expected
    assert coins == left


def test_not_enough():
    with pytest.raises(ValueError):
        change(5, 4, {})


@pytest.mark.parametrize(
    ("start", "calls", "expected"),
    [
        (3, [], []),
        (3, [5, 4], [4, 5]),
        (3, [1, 2], [2, 1]),
        (3, [9, 2, 5], [2, 5, 9]),
        (3, [1, 5], [5, 1]),
        (3, [4, 1, 0, 7], [4, 7, 1, 0]),
        (3, [3], []),
    ],
)
def test_lift_stops(start, calls, expected):
    assert lift_stops(start, calls) == expected


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ([], []),
        ([("a", "b", 1, 0)], ["a", "b"]),
        ([("a", "b", 0, 2)], ["b", "a"]),
        ([("b", "a", 1, 1)], ["a", "b"]),
        ([("a", "b", 1, 0), ("c", "d", 3, 0)], ["c", "a", "b", "d"]),
        ([("a", "b", 1, 1), ("c", "d", 2, 2), ("e", "f", 1, 0)], ["e", "c", "d", "a", "b", "f"]),
    ],
)
def test_standings(games, expected):
    assert standings(games) == expected


@pytest.mark.parametrize(("count", "step", "expected"), [(1, 3, [1]), (5, 2, [3]), (7, 3, [4]), (6, 1, [6])])
def test_survivors(count, step, expected):
    assert survivors(count, step) == expected


@pytest.mark.parametrize(
    ("jobs", "workers", "expected"),
    [
        ([], 1, ([], 0)),
        ([("a", 2), ("b", 3)], 1, ([("b", 0, 0), ("a", 0, 3)], 5)),
        ([("a", 2), ("b", 3), ("c", 2)], 2, ([("b", 0, 0), ("a", 1, 0), ("c", 1, 2)], 4)),
    ],
)
def test_schedule(jobs, workers, expected):
    assert schedule(jobs, workers) == expected


@pytest.mark.parametrize(
    ("heights", "expected"), [([], 0), ([3], 0), ([2, 0, 2], 2), ([3, 0, 1, 0, 2], 5), ([1, 2, 3], 0), ([0, 4, 1, 2], 1)]
)
def test_water(heights, expected):
    assert water(heights) == expected

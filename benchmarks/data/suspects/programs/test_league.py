import pytest
from league import direct, elo, promoted, ranked, read, rounds, season, secured, series, table

TEXT = """
# first day
Ajax - Real 2:1
Bayern - Celtic 0:0

Ajax - Bayern 1:3
Real - Celtic 4:0
Celtic - Ajax -
"""


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_all_meet_once(count):
    teams = "abcdef"[:count]
    days = rounds(teams)
    assert len(days) == count - 1 + count % 2
    pairs = [frozenset(game) for games in days for game in games]
    assert len(pairs) == len(set(pairs)) == count * (count - 1) // 2
    for games in days:
        playing = [team for game in games for team in game]
        assert len(playing) == len(set(playing)) == count - count % 2


def test_rounds():
    assert rounds("abcd") == [
        [("a", "d"), ("b", "c")],
        [("c", "a"), ("d", "b")],
        [("a", "b"), ("c", "d")],
    ]
    assert rounds("abc") == [[("b", "c")], [("c", "a")], [("a", "b")]]


def test_season():
    days = season("abcd")
    assert len(days) == 6
    assert days[3] == [("d", "a"), ("c", "b")]
    games = [game for each in days for game in each]
    assert len(set(games)) == 12


def test_read():
    assert read(TEXT) == [
        ("Ajax", "Real", 2, 1),
        ("Bayern", "Celtic", 0, 0),
        ("Ajax", "Bayern", 1, 3),
        ("Real", "Celtic", 4, 0),
    ]
    assert read("West Ham - St Pauli 10:0") == [("West Ham", "St Pauli", 10, 0)]


def test_table():
    rows = table(read(TEXT), {"Real": 2})
    assert list(rows["Ajax"].values()) == [2, 1, 0, 1, 3, 4, 3]
    assert list(rows["Bayern"].values()) == [2, 1, 1, 0, 3, 1, 4]
    assert list(rows["Celtic"].values()) == [2, 0, 1, 1, 0, 4, 1]
    assert list(rows["Real"].values()) == [2, 1, 0, 1, 5, 2, 1]


def test_direct():
    results = read(TEXT)
    assert direct(results, ["Ajax", "Real"]) == {"Ajax": 3, "Real": 0}
    assert direct(results, ["Ajax", "Celtic"]) == {"Ajax": 0, "Celtic": 0}
    assert direct(results, ["Bayern", "Celtic", "Ajax"]) == {"Bayern": 4, "Celtic": 1, "Ajax": 0}


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([("a", "b", 1, 0)], "ab"),
        ([("a", "b", 0, 1)], "ba"),
        ([("b", "a", 1, 1)], "ab"),
        ([("a", "b", 0, 0), ("c", "d", 2, 2)], "cdab"),
        ([("a", "b", 0, 1), ("a", "c", 9, 0), ("b", "c", 0, 1), ("d", "c", 0, 1)], "cbad"),
        ([("a", "c", 1, 0), ("b", "d", 3, 1)], "bacd"),
        ([("a", "c", 1, 0), ("b", "d", 2, 1)], "badc"),
    ],
)
def test_ranked(results, expected):
    assert "".join(ranked(results)) == expected


def test_ranked_with_points_deducted():
    assert ranked([("a", "b", 1, 0)], {"a": 4}) == ["b", "a"]


def test_direct_games_before_goals():
    results = [("a", "b", 1, 0), ("b", "c", 5, 0), ("c", "a", 1, 0), ("b", "d", 1, 1), ("a", "d", 0, 0)]
    assert ranked(results) == list("abcd")


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([], (0, 0)), ([(1, 0)], (1, 1)), ([(0, 1)], (0, 0)), ([(1, 0), (2, 2), (0, 1), (3, 0)], (2, 1))],
)
def test_series(scores, expected):
    assert series([("a", "b", *score) for score in scores], "a") == expected


def test_series_of_guests():
    results = [("a", "b", 1, 0), ("b", "a", 2, 1), ("c", "a", 0, 0), ("c", "b", 0, 4), ("c", "b", 1, 1)]
    assert series(results, "b") == (3, 3)
    assert series(results, "a") == (1, 1)
    assert series(results, "c") == (1, 1)


def test_promoted():
    assert promoted(["a", "b", "c", "d"], ["e", "f", "g"]) == (["a", "b", "e", "f"], ["c", "d", "g"])
    assert promoted(["a", "b"], ["c", "d"], 1) == (["a", "c"], ["b", "d"])


@pytest.mark.parametrize(
    ("ratings", "score", "expected"),
    [
        ((1500, 1500), (1, 0), (1508.3, 1491.7)),
        ((1500, 1560), (1, 1), (1500.0, 1560.0)),
        ((1500, 1560), (0, 1), (1490.0, 1570.0)),
        ((1500, 1560), (2, 0), (1515.0, 1545.0)),
        ((1500, 1560), (0, 5), (1480.0, 1580.0)),
        ((1900, 1560), (3, 3), (1891.8, 1568.2)),
    ],
)
def test_elo(ratings, score, expected):
    before = {"a": ratings[0], "b": ratings[1], "c": 1}
    found = elo(before, "a", "b", *score)
    assert found == {"a": expected[0], "b": expected[1], "c": 1}
    assert before == {"a": ratings[0], "b": ratings[1], "c": 1}


def test_secured():
    results = [("a", "b", 1, 0), ("a", "c", 2, 0), ("b", "c", 1, 1)]
    assert secured(results, [("b", "c")], "a")
    assert not secured(results, [("b", "c"), ("b", "a")], "a")
    assert not secured(results, [], "b")
    assert not secured(results, [("c", "b"), ("a", "c")], "a")
    assert secured(results, [], "a")

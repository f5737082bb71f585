import pytest
from versions import bounds, compared, fits, newest, parsed, raised, solved


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.2.3", ((1, 2, 3), ())),
        ("1", ((1, 0, 0), ())),
        ("1.2.3.4", ((1, 2, 3, 4), ())),
        ("2.0-beta.2", ((2, 0, 0), ("beta", 2))),
        ("1.0.0-1", ((1, 0, 0), (1,))),
    ],
)
def test_parsed(text, expected):
    assert parsed(text) == expected


ORDER = ["0.9", "1.0-1", "1.0-2", "1.0-10", "1.0-a", "1.0-a.1", "1.0-b", "1.0", "1.0.1", "1.10"]


@pytest.mark.parametrize("place", range(len(ORDER)))
def test_compared(place):
    for other, text in enumerate(ORDER):
        assert compared(ORDER[place], text) == (place > other) - (place < other)


def test_equal():
    assert compared("1.0.0", "1") == 0
    assert compared("1.0-a.1", "1.0.0-a.1") == 0


@pytest.mark.parametrize(
    ("requirement", "low", "high"),
    [
        ("^1.2.3", "1.2.3", "2.0.0"),
        ("^0.2.3", "0.2.3", "0.3.0"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("^0", "0.0.0", "1.0.0"),
        ("~1.2.3", "1.2.3", "1.3.0"),
        ("~1", "1.0.0", "2.0.0"),
        ("1.*", "1.0.0", "2.0.0"),
        ("1.4.*", "1.4.0", "1.5.0"),
    ],
)
def test_bounds(requirement, low, high):
    assert bounds(requirement) == (low, high)


@pytest.mark.parametrize(
    ("version", "requirement", "expected"),
    [
        ("1.2.3", "*", True),
        ("1.2.3", "1.2.3", True),
        ("1.2.4", "1.2.3", False),
        ("1.2", ">=1.2", True),
        ("1.2", ">1.2", False),
        ("1.2", "< 1.3", True),
        ("1.3", "<1.3", False),
        ("1.3", "<=1.3", True),
        ("1.3", "!=1.3", False),
        ("1.5", ">=1.2, <2", True),
        ("2.0", ">=1.2, <2", False),
        ("1.1", ">=1.2, <2", False),
        ("1.9", "^1.2", True),
        ("2.0.0", "^1.2", False),
        ("1.1", "^1.2", False),
        ("1.2.9", "~1.2.3, !=1.2.5", True),
        ("1.2.5", "~1.2.3, !=1.2.5", False),
        ("1.7", "1.*", True),
        ("1.0-a", ">=1.0", False),
    ],
)
def test_fits(version, requirement, expected):
    assert fits(version, requirement) == expected


def test_newest():
    versions = ["1.9", "1.10", "0.5", "2.0-a", "2.0-b", "1.2"]
    assert newest(versions) == "1.10"
    assert newest(versions, early=True) == "2.0-b"
    assert newest(versions, ">1.10") == "2.0-b"
    assert newest(versions, "<1.10") == "1.9"
    assert newest(versions, ">2") is None
    assert newest([]) is None


@pytest.mark.parametrize(
    ("version", "part", "expected"),
    [
        ("1.2.3", "major", "2.0.0"),
        ("1.2.3", "minor", "1.3.0"),
        ("1.2.3", "patch", "1.2.4"),
        ("2.0.0-a", "major", "2.0.0"),
        ("2.1.0-a", "major", "3.0.0"),
        ("1.3.0-a", "minor", "1.3.0"),
        ("1.3.1-a", "minor", "1.4.0"),
        ("1.3.1-a", "patch", "1.3.1"),
    ],
)
def test_raised(version, part, expected):
    assert raised(version, part) == expected


INDEX = {
    "app": {"1.0": {"lib": "^1"}, "2.0": {"lib": "^2", "log": "*"}},
    "lib": {"1.0": {}, "1.5": {"log": "<2"}, "2.0": {"log": "^1"}},
    "log": {"1.0": {}, "2.0": {}},
    "odd": {"1.0": {"lib": "<1.5"}, "0.9": {}},
}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {}),
        ({"log": "*"}, {"log": "2.0"}),
        ({"app": "1.0"}, {"app": "1.0", "lib": "1.5", "log": "1.0"}),
        ({"log": "<2", "app": "*"}, {"app": "2.0", "lib": "2.0", "log": "1.0"}),
        ({"app": "1.0", "odd": "*"}, {"app": "1.0", "odd": "1.0", "lib": "1.0"}),
        ({"none": "*"}, None),
        ({"log": ">2"}, None),
        ({"lib": "^2", "log": ">=2"}, None),
    ],
)
def test_solved(wanted, expected):
    assert solved(INDEX, wanted) == expected


def test_an_older_version_is_taken_where_the_newest_does_not_fit():
    assert solved(INDEX, {"lib": "^2", "odd": "*"}) == {"lib": "2.0", "odd": "0.9", "log": "1.0"}

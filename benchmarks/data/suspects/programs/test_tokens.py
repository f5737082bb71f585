import pytest
from tokens import Reader, like, names, scan, select


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("12 3.5 1_000", [("number", 12, 0), ("number", 3.5, 3), ("number", 1000, 7)]),
        ("a_1.b NOT", [("name", "a_1.b", 0), ("word", "not", 6)]),
        ("'x' \"it's\"", [("text", "x", 0), ("text", "it's", 4)]),
        (r"'a\'b'", [("text", "a'b", 0)]),
        ("a<=3", [("name", "a", 0), ("sign", "<=", 1), ("number", 3, 3)]),
        ("(<,>)", [("sign", c, i) for i, c in enumerate("(<,>)")]),
    ],
)
def test_scan(text, expected):
    assert scan(text) == [*expected, ("end", None, len(text))]


@pytest.mark.parametrize("text", ["'a", "a ; b", "'a\\'", "!"])
def test_what_cannot_be_scanned(text):
    with pytest.raises(SyntaxError):
        scan(text)


A, B, C = (("name", name) for name in "abc")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a", A),
        ("a or b and c", ("or", A, ("and", B, C))),
        ("(a or b) and c", ("and", ("or", A, B), C)),
        ("a and b and c", ("and", ("and", A, B), C)),
        ("not not a", ("not", ("not", A))),
        ("not a and b", ("and", ("not", A), B)),
        ("a != -1", ("!=", A, ("minus", ("value", 1)))),
        ("a in (1, b)", ("in", A, [("value", 1), B])),
        ("a in ()", ("in", A, [])),
        ("a in (b,)", ("in", A, [B])),
        ("a not in (b)", ("not", ("in", A, [B]))),
        ("a between b and c and a", ("and", ("between", A, B, C), A)),
        ("a like 'x'", ("like", A, ("value", "x"))),
        ("a = none", ("=", A, ("value", None))),
    ],
)
def test_trees(text, tree):
    assert Reader(text).whole() == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b", "too much at 2"),
        ("(a", r"\) expected at 2"),
        ("a in (b c)", r"\) expected at 8"),
        ("a not b", "not what"),
        ("a <", "unexpected None at 3"),
        ("and", "unexpected and at 0"),
        ("a between 1 or 2", "and expected at 12"),
    ],
)
def test_what_is_no_condition(text, message):
    with pytest.raises(SyntaxError, match=message):
        Reader(text).whole()


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("abc", "abc", True),
        ("abc", "ABC", True),
        ("abc", "ab", False),
        ("abc", "a*", True),
        ("abc", "*c", True),
        ("abcbd", "a*bd", True),
        ("abc", "a?c", True),
        ("ac", "a?c", False),
        ("", "*", True),
        ("", "?", False),
        ("abc", "a*d", False),
        ("mississippi", "m*iss*p?", True),
        ("abc", "abc**", True),
    ],
)
def test_like(text, pattern, expected):
    assert like(text, pattern) == expected


ROWS = [
    {"name": "Ann", "age": 31, "home": {"town": "Ulm"}},
    {"name": "Bob", "age": 17, "home": {"town": "Bonn"}},
    {"name": "Cid", "age": None},
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age >= 17", ["Ann", "Bob"]),
        ("age > 17", ["Ann"]),
        ("age < 31", ["Bob"]),
        ("age <= 31", ["Ann", "Bob"]),
        ("age = none", ["Cid"]),
        ("age != 17", ["Ann", "Cid"]),
        ("age > -1 and name like '*n*'", ["Ann"]),
        ("name like '?o?' or age = 31", ["Ann", "Bob"]),
        ("not age = 17", ["Ann", "Cid"]),
        ("home.town = 'Ulm'", ["Ann"]),
        ("home.town.part = none", ["Ann", "Bob", "Cid"]),
        ("age between 17 and 30", ["Bob"]),
        ("age not between 17 and 30", ["Ann", "Cid"]),
        ("name in ('Ann', 'Cid')", ["Ann", "Cid"]),
        ("home", ["Ann", "Bob"]),
        ("true", ["Ann", "Bob", "Cid"]),
    ],
)
def test_select(text, expected):
    assert [row["name"] for row in select(ROWS, text)] == expected


def test_names():
    assert names(Reader("a = 1").whole()) == ["a"]
    assert names(Reader("b in (a, c.d) or a < b").whole()) == ["b", "a", "c.d"]
    assert names(Reader("not -x between y and x").whole()) == ["x", "y"]
    assert names(Reader("1 = 1").whole()) == []

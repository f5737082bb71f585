import pytest
from templates import cut, escaped, looked_up, parse, pieces, rendered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("plain", [("text", "plain")]),
        ("{{ a }}", [("value", "a")]),
        ("x{{a}}y", [("text", "x"), ("value", "a"), ("text", "y")]),
        ("{%if a%}{{b}}", [("block", "if a"), ("value", "b")]),
        ("{a} {{ b }}", [("text", "{a} "), ("value", "b")]),
        ("a { b", [("text", "a { b")]),
        ("a{", [("text", "a{")]),
    ],
)
def test_pieces(text, expected):
    assert pieces(text) == expected


@pytest.mark.parametrize("text", ["{{ a", "x {% if a", "{{ a }} {{"])
def test_not_closed(text):
    with pytest.raises(ValueError, match="not closed"):
        pieces(text)


def test_parse():
    assert parse("a{% if b %}c{% else %}d{% end %}e") == ["a", ("if", "b", ["c"], ["d"]), "e"]
    assert parse("{% for x in  y %}{{ x }}{% end %}") == [("for", "x", "y", [("value", "x")])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{% end %}", "end of nothing"),
        ("{% else %}", "else without if"),
        ("{% for a in b %}{% else %}{% end %}", "else without if"),
        ("{% if a %}", "no end of if"),
        ("{% for a in b %}{% if a %}{% end %}", "no end of for"),
        ("{% when a %}", "unknown block when"),
    ],
)
def test_wrong_blocks(text, message):
    with pytest.raises(ValueError, match=message):
        parse(text)


class Thing:
    size = 3


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a", 1),
        ("none", ""),
        ("d.x", 2),
        ("d.y", ""),
        ("l.1", "two"),
        ("l.2", ""),
        ("d.deep.0", 7),
        ("t.size", 3),
        ("t.weight", ""),
        ("d.0", ""),
    ],
)
def test_looked_up(name, expected):
    values = {"a": 1, "d": {"x": 2, "deep": [7]}, "l": ["one", "two"], "t": Thing()}
    assert looked_up(name, values) == expected


def test_escaped():
    assert escaped("plain") == "plain"
    assert escaped('<a b="c">') == "&lt;a b=&quot;c&quot;&gt;"
    assert escaped("a & b") == "a &amp; b"


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [("short", "9", "short"), ("exact", "5", "exact"), ("longer", "5", "long~"), ("a bc", 3, "a~")],
)
def test_cut(text, width, expected):
    assert cut(text, width) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ name }}!", "Ann!"),
        ("{{ name | upper }}", "ANN"),
        ("{{ list | length }}", "3"),
        ("{{ list | join }}", "1, 2, 3"),
        ("{{ list | join:+ }}", "1+2+3"),
        ("{{ zero | default:5 }}", "0"),
        ("{{ nobody | default:you | upper }}", "YOU"),
        ("{{ tag }}", "&lt;b&gt;"),
        ("{{ tag | safe }}", "<b>"),
        ("{{ tag | safe | upper }}", "<B>"),
        ("{{ empty }}", ""),
    ],
)
def test_values(text, expected):
    values = {"name": "Ann", "list": [1, 2, 3], "zero": 0, "tag": "<b>", "empty": None}
    assert rendered(text, **values) == expected


def test_conditions():
    text = "{% if a %}yes{% else %}no{% end %}"
    assert rendered(text, a=1) == "yes"
    assert rendered(text, a=0) == "no"
    assert rendered("{% if not a %}no{% end %}.", a=0) == "no."
    assert rendered("{% if not a %}no{% end %}.", a=1) == "."
    assert rendered("{% if a %}{% if b %}both{% else %}a{% end %}{% end %}", a=1, b=0) == "a"


def test_loops():
    text = "{% for x in xs %}{{ loop.number }}{{ x }}{% if not loop.last %};{% end %}{% end %}"
    assert rendered(text, xs=["a", "b"]) == "1a;2b"
    assert rendered(text, xs=[]) == ""
    assert rendered(text) == ""
    assert rendered("{% for x in xs %}{% end %}{{ x }}", xs=[1], x="out") == "out"
    nested = "{% for r in rows %}{% for c in r %}{{ c }}{% end %}/{% end %}"
    assert rendered(nested, rows=[[1, 2], [3]]) == "12/3/"

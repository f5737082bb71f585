import pytest
from markup import fill, normal_path, query, render, split_row, version_key


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", [""]),
        ("a,b", ["a", "b"]),
        ("a,,b", ["a", "", "b"]),
        ('"a,b",c', ["a,b", "c"]),
        ('"say ""hi""",x', ['say "hi"', "x"]),
        ("a,", ["a", ""]),
        ('a"b"c', ["abc"]),
    ],
)
def test_split_row(line, expected):
    assert split_row(line) == expected


def test_other_separator():
    assert split_row("a,b;c", ";") == ["a,b", "c"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], []),
        (["# One"], ["<h1>One</h1>"]),
        (["### Three"], ["<h3>Three</h3>"]),
        (["####### Seven"], ["<h6># Seven</h6>"]),
        (["text", "", "more"], ["<p>text</p>", "<p>more</p>"]),
        (["* a", "* b"], ["<ul>", "<li>a</li>", "<li>b</li>", "</ul>"]),
        (["* a", "text", "* b"], ["<ul>", "<li>a</li>", "</ul>", "<p>text</p>", "<ul>", "<li>b</li>", "</ul>"]),
    ],
)
def test_render(lines, expected):
    assert render(lines) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("", ""),
        ("plain", "plain"),
        ("{a}", "1"),
        ("x{a}y{b}z", "x1y2z"),
        ("{c:none}", "none"),
        ("{a:none}", "1"),
        ("{{a}", "{a}"),
    ],
)
def test_fill(template, expected):
    assert fill(template, {"a": 1, "b": 2}) == expected


def test_not_closed():
    with pytest.raises(ValueError):
        fill("{a", {"a": 1})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b", "a/b"),
        ("a//b/./c", "a/b/c"),
        ("a/../b", "b"),
        ("../a", "../a"),
        ("../../a", "../../a"),
        ("/../a", "/a"),
        ("a/..", "."),
        ("/", "/"),
    ],
)
def test_normal_path(path, expected):
    assert normal_path(path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("?a=1", {"a": ["1"]}),
        ("a=1&b=2&a=3", {"a": ["1", "3"], "b": ["2"]}),
        ("a=x+y&&b", {"a": ["x y"], "b": [""]}),
        ("a=b=c", {"a": ["b=c"]}),
    ],
)
def test_query(text, expected):
    assert query(text) == expected


@pytest.mark.parametrize(
    ("low", "high"), [("1.2", "1.10"), ("1.0", "1.0.1"), ("1.0rc1", "1.0.1"), ("1.9.9", "2"), ("1.0a1", "1.0b1")]
)
def test_versions_ascend(low, high):
    assert version_key(low) < version_key(high)


def test_equal_versions():
    assert version_key("1.0.0") == version_key("1")

import pytest
from words import common, is_palindrome, justify, shortened, title, wrap


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("", 5, []),
        ("one", 5, ["one"]),
        ("one two", 7, ["one two"]),
        ("one two", 6, ["one", "two"]),
        ("a bb ccc dddd", 6, ["a bb", "ccc", "dddd"]),
        ("extraordinary day", 4, ["extraordinary", "day"]),
    ],
)
def test_wrap(text, width, expected):
    assert wrap(text, width) == expected


@pytest.mark.parametrize(
    ("line", "width", "expected"),
    [
        ("one", 5, "one  "),
        ("a b", 5, "a   b"),
        ("a b c", 7, "a  b  c"),
        ("a b c", 8, "a   b  c"),
        ("aa bb", 5, "aa bb"),
    ],
)
def test_justify(line, width, expected):
    assert justify(line, width) == expected


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [
        ("", 3, []),
        ("b a b", 2, [("b", 2), ("a", 1)]),
        ("x y x y z", 2, [("x", 2), ("y", 2)]),
        ("Now, now. then -- !", 5, [("now", 2), ("--", 1), ("then", 1)]),
    ],
)
def test_common(text, count, expected):
    assert common(text, count) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the lord of the rings", "The Lord of the Rings"),
        ("WAR AND PEACE", "War and Peace"),
        ("what is it in", "What Is It In"),
        ("a", "A"),
    ],
)
def test_title(text, expected):
    assert title(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("ab", False),
        ("aba", True),
        ("Never odd or even.", True),
        ("!!a", True),
        ("a, b, c", False),
        ("abca", False),
    ],
)
def test_palindrome(text, expected):
    assert is_palindrome(text) is expected


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("short", 5, "short"),
        ("a long text", 9, "a..."),
        ("a long text", 10, "a long..."),
        ("unbreakable", 8, "unbre..."),
        ("abcdef", 3, "..."),
        ("abcdef", 2, ".."),
    ],
)
def test_shortened(text, width, expected):
    assert shortened(text, width) == expected

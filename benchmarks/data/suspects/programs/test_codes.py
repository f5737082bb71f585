import pytest
from codes import caesar, from_roman, in_base, isbn, luhn, packed, to_roman, unpacked


@pytest.mark.parametrize(
    ("number", "text"), [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX")]
)
def test_roman(number, text):
    assert to_roman(number) == text
    assert from_roman(text) == number


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_not_roman(number):
    with pytest.raises(ValueError):
        to_roman(number)


@pytest.mark.parametrize(
    ("text", "expected"), [("", ""), ("a", "a"), ("aab", "2ab"), ("abbb", "a3b"), ("x" * 12, "12x")]
)
def test_packed(text, expected):
    assert packed(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("", ""), ("2ab", "aab"), ("12x", "x" * 12), ("a10b", "a" + "b" * 10)])
def test_unpacked(text, expected):
    assert unpacked(text) == expected


@pytest.mark.parametrize(
    ("text", "shift", "expected"),
    [("abc", 1, "bcd"), ("xyz", 3, "abc"), ("Hello, World", 13, "Uryyb, Jbeyq"), ("bcd", -1, "abc"), ("Zz", 27, "Aa")],
)
def test_caesar(text, shift, expected):
    assert caesar(text, shift) == expected


@pytest.mark.parametrize(
    ("number", "expected"), [("0", True), ("18", True), ("79927398713", True), ("79927398710", False), ("91", True)]
)
def test_luhn(number, expected):
    assert luhn(number) is expected


@pytest.mark.parametrize(
    ("number", "base", "expected"), [(0, 2, "0"), (5, 2, "101"), (255, 16, "ff"), (-8, 8, "-10"), (7, 10, "7")]
)
def test_in_base(number, base, expected):
    assert in_base(number, base) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3-598-21508-8", True),
        ("3-598-21508-9", False),
        ("3-598-21507-X", True),
        ("3-598-2X507-9", False),
        ("3-598-21507", False),
        ("3598215078A", False),
        ("3-598-P1581-X", False),
    ],
)
def test_isbn(text, expected):
    assert isbn(text) is expected

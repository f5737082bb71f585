import pytest
from calculator import evaluate, postfix, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", []), ("12", [12]), (" 1+ 23 ", [1, "+", 23]), ("(4)*5", ["(", 4, ")", "*", 5])],
)
def test_tokens(text, expected):
    assert tokens(text) == expected


def test_bad_token():
    with pytest.raises(SyntaxError):
        tokens("1 ? 2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", 7),
        ("1+2", 3),
        ("5-3-1", 1),
        ("2+3*4", 14),
        ("(2+3)*4", 20),
        ("8/4/2", 1),
        ("2^3^2", 512),
        ("2*3^2", 18),
        ("-3", -3),
        ("4--2", 6),
        ("-2+5", 3),
        ("-2^2", -4),
        ("((1))", 1),
        ("2*-3", -6),
    ],
)
def test_evaluate(text, expected):
    assert evaluate(text) == expected


@pytest.mark.parametrize("text", ["", "1 2", "(1", "1+", ")", "*2", "(1+2"])
def test_errors(text):
    with pytest.raises(SyntaxError):
        evaluate(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1+2", [1, 2, "+"]),
        ("1+2*3", [1, 2, 3, "*", "+"]),
        ("1*2+3", [1, 2, "*", 3, "+"]),
        ("(1+2)*3", [1, 2, "+", 3, "*"]),
        ("5-3-1", [5, 3, "-", 1, "-"]),
    ],
)
def test_postfix(text, expected):
    assert postfix(text) == expected

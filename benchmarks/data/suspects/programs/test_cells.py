import pytest
from cells import Sheet, column_letters, column_number, moved, place, spanned


@pytest.mark.parametrize(
    ("letters", "number"),
    [("A", 1), ("Z", 26), ("AA", 27), ("AZ", 52), ("BA", 53), ("ZZ", 702), ("AAA", 703)],
)
def test_columns(letters, number):
    assert column_number(letters) == number
    assert column_letters(number) == letters


def test_place():
    assert place("A1") == (1, 1)
    assert place("$AB$12") == (28, 12)
    with pytest.raises(ValueError, match="no cell"):
        place("12")


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("A1", "A1", "A1"),
        ("A1", "C1", "A1 B1 C1"),
        ("A1", "B2", "A1 B1 A2 B2"),
        ("B2", "A1", "A1 B1 A2 B2"),
        ("B1", "A3", "A1 B1 A2 B2 A3 B3"),
        ("Z9", "AA10", "Z9 AA9 Z10 AA10"),
    ],
)
def test_spanned(first, last, expected):
    assert spanned(first, last) == expected.split()


@pytest.mark.parametrize(
    ("formula", "columns", "rows", "expected"),
    [
        ("=A1+1", 0, 1, "=A2+1"),
        ("=A1*B2", 1, 0, "=B1*C2"),
        ("=$A1+A$1", 2, 3, "=$A4+C$1"),
        ("=$A$1", 5, 5, "=$A$1"),
        ("=SUM(A1:B9)", 0, 2, "=SUM(A3:B11)"),
        ("=Z1", 1, 0, "=AA1"),
        ("=A1", -1, 0, "=?1"),
    ],
)
def test_moved(formula, columns, rows, expected):
    assert moved(formula, columns, rows) == expected


@pytest.fixture
def sheet():
    sheet = Sheet()
    for name, content in {
        "A1": 2,
        "A2": 3.5,
        "A3": "=A1+A2*2",
        "B1": "=SUM(A1:A3)",
        "B2": "text",
        "B3": "=-A1*(A2-1)",
        "C1": "=B1/A1",
    }.items():
        sheet.put(name, content)
    return sheet


@pytest.mark.parametrize(
    ("name", "expected"),
    [("A1", 2), ("A3", 9), ("B1", 14.5), ("B2", "text"), ("B3", -5), ("C1", 7.25), ("D9", 0)],
)
def test_values(sheet, name, expected):
    assert sheet.value(name) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("=10-2-3", 5),
        ("=12/2/3", 2),
        ("=2+3*4", 14),
        ("=(2+3)*4", 20),
        ("=--4", 4),
        ("=AVG(A1,A2,A3)", 14.5 / 3),
        ("=AVG(Z1:Z3)", 0),
        ("=MAX(A1:B2,100)", 100),
        ("=MAX(A1:A2)", 3.5),
        ("=COUNT(A1:B9)", 5),
        ("=SUM(A1:A2)*2+1", 12),
        ("=SUM(A1:A2,A1*10,1)", 26.5),
        ("=$A$1+A$2", 5.5),
    ],
)
def test_formulas(sheet, formula, expected):
    sheet.put("D1", formula)
    assert sheet.value("D1") == expected


def test_wrong_formulas(sheet):
    for formula, error in (("=1 2", SyntaxError), ("=1+", SyntaxError), ("=FOO(1)", NameError)):
        sheet.put("D1", formula)
        with pytest.raises(error):
            sheet.value("D1")


def test_changes_reach_what_depends_on_them(sheet):
    assert sheet.value("C1") == 7.25
    sheet.put("A2", 1)
    assert sheet.value("A3") == 4
    assert sheet.value("C1") == 3.5
    sheet.put("A1", None)
    assert sheet.value("A3") == 2


def test_dependents(sheet):
    assert sheet.dependents("A2") == {"A2", "A3", "B1", "B3", "C1"}
    assert sheet.dependents("C1") == {"C1"}
    assert sheet.needs("B1") == {"A1", "A2", "A3"}
    assert sheet.needs("B2") == set()
    assert sheet.needs("A1") == set()


def test_circles():
    sheet = Sheet()
    sheet.put("A1", "=B1")
    sheet.put("B1", "=C1+1")
    sheet.put("C1", "=B1")
    with pytest.raises(RecursionError, match="^B1 C1 B1$"):
        sheet.value("A1")
    sheet.put("C1", 4)
    assert sheet.value("A1") == 5


def test_fill_down():
    sheet = Sheet()
    sheet.put("A1", 1)
    sheet.put("A2", "=A1+1")
    sheet.put("B1", "x")
    sheet.fill_down("A2", 3)
    sheet.fill_down("B1", 1)
    assert [sheet.value(f"A{row}") for row in range(1, 7)] == [1, 2, 3, 4, 5, 0]
    assert sheet.value("B2") == "x"
    assert sheet.value("B3") == 0

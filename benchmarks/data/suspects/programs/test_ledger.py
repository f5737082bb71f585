import pytest
from ledger import Ledger, shares, write_off


@pytest.fixture
def books():
    ledger = Ledger()
    ledger.account("cash", "asset")
    ledger.account("rent", "expense")
    ledger.account("wages", "expense")
    ledger.account("sales", "income")
    ledger.account("loan", "liability")
    ledger.account("capital", "equity")
    ledger.post(1, "begin", ("cash", 1000), ("capital", -1000))
    ledger.post(3, "sold", ("cash", 400), ("sales", -400))
    ledger.post(5, "rent", ("rent", 150), ("cash", -150))
    ledger.post(9, "wages", ("wages", 100), ("cash", -60), ("loan", -40))
    return ledger


@pytest.mark.parametrize(
    ("name", "expected"),
    [("cash", 1190), ("rent", 150), ("sales", 400), ("loan", 40), ("capital", 1000)],
)
def test_balance(books, name, expected):
    assert books.balance(name) == expected


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [(1, 1, 1000), (1, 3, 1400), (3, 5, 250), (4, None, -210), (6, 8, 0), (9, 20, -60)],
)
def test_balance_of_days(books, first, last, expected):
    assert books.balance("cash", first, last) == expected


def test_kinds(books):
    books.account("cash", "asset")
    with pytest.raises(ValueError, match="another kind"):
        books.account("cash", "expense")
    with pytest.raises(ValueError, match="unknown"):
        books.account("x", "thing")


@pytest.mark.parametrize(
    ("postings", "error"),
    [
        ([("cash", 10)], ValueError),
        ([("cash", 10), ("sales", 10)], ValueError),
        ([("cash", 10), ("nobody", -10)], KeyError),
        ([("cash", 0)], ValueError),
        ([], ValueError),
    ],
)
def test_wrong_entries(books, postings, error):
    with pytest.raises(error):
        books.post(20, "wrong", *postings)
    assert len(books.entries) == 4


def test_number_of_an_entry(books):
    assert books.post(10, "more", ("cash", 5), ("sales", -5)) == 5


def test_reversal(books):
    assert books.reverse(4, 12) == 5
    assert books.balance("cash") == 1250
    assert books.balance("loan") == 0
    assert books.balance("wages", 12) == -100
    assert books.entries[-1][1] == "reversal: wages"


def test_statement(books):
    books.post(4, "late", ("cash", 20), ("sales", -20))
    assert books.statement("cash", 2, 5) == [
        ("carried", 1000),
        (3, "sold", 400, 1400),
        (4, "late", 20, 1420),
        (5, "rent", -150, 1270),
    ]
    assert books.statement("sales", 4, 9) == [("carried", 400), (4, "late", 20, 420)]
    assert books.statement("loan", 1, 8) == [("carried", 0)]


def test_closing(books):
    assert books.close(5, "capital") == 250
    assert books.balance("sales") == 0
    assert books.balance("rent") == 0
    assert books.balance("wages") == 100
    assert books.balance("capital") == 1250
    assert books.close(10, "capital") == -100
    assert books.balance("capital") == 1150


def test_closed_periods(books):
    books.close(5, "capital")
    with pytest.raises(ValueError, match="closed"):
        books.post(5, "late", ("cash", 5), ("sales", -5))
    books.post(6, "in time", ("cash", 5), ("sales", -5))
    assert books.close(6, "capital") == 5


def test_nothing_to_close():
    ledger = Ledger()
    ledger.account("capital", "equity")
    assert ledger.close(3, "capital") == 0
    assert ledger.entries == []
    assert ledger.closed == 3


@pytest.mark.parametrize(
    ("amount", "weights", "expected"),
    [
        (100, [1, 1], [50, 50]),
        (100, [1, 1, 1], [34, 33, 33]),
        (101, [1, 1, 1], [34, 34, 33]),
        (10, [1, 2, 4], [1, 3, 6]),
        (7, [0, 1], [0, 7]),
        (0, [3, 4], [0, 0]),
    ],
)
def test_shares(amount, weights, expected):
    assert shares(amount, weights) == expected


@pytest.mark.parametrize(
    ("cost", "rest", "years", "month", "expected"),
    [
        (3000, 0, 3, 1, [1000, 1000, 1000]),
        (3600, 0, 3, 7, [600, 1200, 1200, 600]),
        (1000, 100, 2, 12, [37, 450, 413]),
        (100, 0, 1, 1, [100]),
        (100, 100, 2, 1, [0, 0]),
    ],
)
def test_write_off(cost, rest, years, month, expected):
    assert write_off(cost, rest, years, month) == expected

import pytest
from stock import Stock, classify, reorder


@pytest.fixture
def stock():
    stock = Stock()
    stock.receive("nut", 10, 2)
    stock.receive("nut", 5, 3)
    stock.receive("bolt", 1, 7)
    return stock


def test_available(stock):
    assert stock.available("nut") == 15
    assert stock.available("gear") == 0


def test_receive_nothing(stock):
    with pytest.raises(ValueError):
        stock.receive("nut", 0, 1)


def test_reserve(stock):
    assert stock.reserve("nut", 12)
    assert stock.available("nut") == 3
    assert not stock.reserve("nut", 4)
    assert stock.reserve("nut", 3)
    assert stock.available("nut") == 0


def test_release(stock):
    stock.reserve("nut", 12)
    stock.release("nut", 2)
    assert stock.available("nut") == 5
    stock.release("nut", 99)
    assert stock.available("nut") == 15


@pytest.mark.parametrize(("count", "cost", "left"), [(4, 8, 11), (10, 20, 5), (12, 26, 3), (15, 35, 0)])
def test_ship(stock, count, cost, left):
    assert stock.ship("nut", count) == cost
    assert stock.available("nut") == left


def test_ship_twice(stock):
    stock.ship("nut", 8)
    assert stock.ship("nut", 4) == 10


def test_ship_too_much(stock):
    with pytest.raises(ValueError):
        stock.ship("nut", 16)


def test_ship_reserved(stock):
    stock.reserve("nut", 10)
    with pytest.raises(ValueError):
        stock.ship("nut", 6)


def test_worth(stock):
    assert stock.worth() == 42
    stock.ship("nut", 11)
    assert stock.worth() == 19


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ({}, []),
        ({"nut": (15, 20)}, []),
        ({"nut": (16, 20)}, [("nut", 5)]),
        ({"nut": (20, 40), "bolt": (2, 10), "gear": (1, 3)}, [("bolt", 9), ("gear", 3), ("nut", 25)]),
    ],
)
def test_reorder(stock, levels, expected):
    assert reorder(stock, levels) == expected


@pytest.mark.parametrize(
    ("sales", "expected"),
    [
        ({"a": 10}, {"a": "A"}),
        ({"a": 10, "b": 70, "c": 20}, {"b": "A", "c": "B", "a": "C"}),
        ({"a": 50, "b": 50}, {"a": "A", "b": "A"}),
        ({"a": 1, "b": 60, "c": 35, "d": 4}, {"b": "A", "c": "A", "d": "C", "a": "C"}),
    ],
)
def test_classify(sales, expected):
    assert classify(sales) == expected

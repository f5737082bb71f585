import pytest
from shop import discounted, invoice, line_total, shipping, taxes


@pytest.mark.parametrize(
    ("price", "quantity", "expected"),
    [(100, 0, 0), (100, 1, 100), (100, 9, 900), (100, 10, 900), (200, 50, 9000), (10, 100, 800)],
)
def test_line_total(price, quantity, expected):
    assert line_total(price, quantity) == expected


def test_negative():
    with pytest.raises(ValueError):
        line_total(1, -1)


@pytest.mark.parametrize(
    ("total", "voucher", "expected"),
    [
        (1000, None, 1000),
        (1000, ("percent", 10, 0), 900),
        (1000, ("percent", 10, 1000), 900),
        (999, ("percent", 10, 1000), 999),
        (1000, ("fixed", 300, 500), 700),
        (200, ("fixed", 300, 0), 0),
    ],
)
def test_discounted(total, voucher, expected):
    assert discounted(total, voucher) == expected


def test_unknown_voucher():
    with pytest.raises(ValueError):
        discounted(1, ("gift", 1, 0))


@pytest.mark.parametrize(
    ("weight", "country", "total", "expected"),
    [
        (500, "DE", 100, 400),
        (500, "DE", 5000, 0),
        (500, "AT", 5000, 900),
        (1000, "FR", 100, 900),
        (1001, "DE", 100, 550),
        (1500, "DE", 100, 550),
        (2600, "US", 100, 2100),
    ],
)
def test_shipping(weight, country, total, expected):
    assert shipping(weight, country, total) == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([], {}),
        ([("book", 1070, 1)], {7: 70}),
        ([("toy", 1190, 2)], {19: 380}),
        ([("book", 535, 1), ("food", 535, 1), ("toy", 119, 1)], {7: 70, 19: 19}),
        ([("gift card", 5000, 1)], {}),
        ([("food", 100, 10)], {7: 59}),
    ],
)
def test_taxes(items, expected):
    assert taxes(items) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"items": [("book", 1000, 1)]}, 1400),
        ({"items": [("book", 6000, 1)]}, 6000),
        ({"items": [("book", 6000, 1)], "voucher": ("fixed", 2000, 0)}, 4400),
        ({"items": [("toy", 100, 10), ("book", 100, 1)], "country": "US", "weight": 3000}, 3100),
    ],
)
def test_invoice(arguments, expected):
    assert invoice(**arguments) == expected

# Run: pytest --stripe failing_test
# A price is wrong in dollars: the slice keeps the earlier call that asked for it in euros.
from prices import price


def test_prices():
    pad = price("pad", "EUR")
    pen = price("pen", "EUR")
    ink = price("ink", "USD")
    assert pad + pen == 5.00
    assert ink > 5.00
    assert price("pen", "USD") == 2.50

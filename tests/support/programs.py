"""Small programs that several rooms ask about."""

from __future__ import annotations

HALF = "def half(n):\n    return n / 2\n"
"""``half.py``, wrong for odd numbers."""

TESTS_OF_HALF = """\
from half import half

def test_odd():
    assert half(3) == 1

def test_even():
    assert half(4) == 2
"""

WITH_A_WRONG_TEST = f"""\
{TESTS_OF_HALF}
def test_wrong():
    assert half(0) == 1
"""

LAST = """\
def last(items):
    n = len(items)
    unused = 0
    return items[n]

print("begin")
print(last([1, 2]))
"""

SHOP = """\
def total(prices, free):
    cost = sum(prices)
    if cost > free:
        return cost
    return cost + 5
"""
"""``shop.py``, wrong where the cost is what makes it free."""

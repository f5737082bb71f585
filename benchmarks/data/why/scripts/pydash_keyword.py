# pydash 8.0.4 8.0.5 typing-extensions
from __future__ import annotations

import pydash


def price(item, *, tax=2):
    return item["price"] + tax


items = [{"price": 10}, {"price": 20}]
print(pydash.map_(items, "price"))
print(pydash.map_(items, price))

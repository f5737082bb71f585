import sys
from shop.orders.basket import Basket
from shop.orders import TAX, basket as module
import shop.prices as prices
import shop

b = Basket()
b.add("apple", 3)
b.add("pear")
try:
    b.add("melon")
except prices.NoPrice as e:
    print("no price for", e)
print(b.total(), TAX, shop.NAME, module.__name__)
print(sorted(m for m in sys.modules if m.startswith("shop")))

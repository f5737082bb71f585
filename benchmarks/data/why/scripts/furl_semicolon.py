# furl 2.1.2 2.1.3 --check stdout:/color/ six orderedmultidict
from __future__ import annotations

from furl import furl

address = furl("https://shop.example/find?color=red;blue&size=3")
print("color", address.args["color"])
print("size", address.args["size"])

from . import VERSION
TABLE = {"a": 1, "b": 2}
if VERSION.startswith("1."):
    TABLE["c"] = 3

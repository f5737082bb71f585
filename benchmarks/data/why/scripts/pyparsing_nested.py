# pyparsing 3.2.2 3.2.3 --check stdout:/nested/
from __future__ import annotations

from pyparsing import Word, nested_expr, nums

number = Word(nums).set_parse_action(lambda found: int(found[0]) * 10)
print("flat", number.parse_string("7"))
print("nested", nested_expr("(", ")", content=number).parse_string("(1 (2 3))"))

"""Passing and failing calls brought together within nested arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.inputs import DeltaDebugger


def total(orders: list[dict[str, Any]], tax: float = 0.2) -> float:
    prices = [order["price"] * order.get("count", 1) for order in orders]
    return sum(prices) * (1 + tax)


ORDERS = [
    {"name": "pen", "price": 2, "count": 12},
    {"name": "ink", "price": 4, "count": None},
    {"name": "pad", "price": 3},
]


def test_items_of_dicts_in_a_list() -> None:
    with DeltaDebugger() as dd:
        total(ORDERS)
    passing, failing, difference = dd.min_arg_diff()
    assert passing["orders"] == [{"name": "ink", "price": 4}]
    assert failing["orders"] == [{"name": "ink", "price": 4, "count": None}]
    assert difference == {"orders": [{"count": None}]}
    assert dd.certified
    assert dd.max_args()["orders"] == [ORDERS[0], {"name": "ink", "price": 4}, ORDERS[2]]
    assert dd.certified


def markup(rows: list[dict[str, str]], strict: bool) -> None:
    for row in rows:
        for text in row.values():
            if "<" in text and ">" in text[text.index("<") :]:
                raise ValueError("markup")


ROWS = [{"a": "plain", "b": "x <i> y"}, {"c": "<<b>>", "d": "ok"}, {"e": "1 < 2"}]


def test_characters_of_texts_of_dicts_in_a_list() -> None:
    with DeltaDebugger() as dd:
        markup(ROWS, True)
    passing, failing, difference = dd.min_arg_diff()
    assert difference in ({"rows": [{"b": "<"}]}, {"rows": [{"b": ">"}]})
    markup(**passing)
    [(name, text)] = failing["rows"][0].items()
    assert len(text) == len(passing["rows"][0][name]) + 1
    assert dd.certified
    largest = dd.max_args()
    assert largest["rows"] == [
        {"a": "plain", "b": "x <i y"}, {"c": "<<b", "d": "ok"}, {"e": "1 < 2"}
    ]  # fmt: skip
    assert dd.certified


def test_depth_one_moves_outermost_parts_only() -> None:
    with DeltaDebugger(depth=1) as dd:
        markup(ROWS, True)
    assert dd.min_arg_diff()[2] == {"rows": [ROWS[0]]}
    assert dd.max_args()["rows"] == [ROWS[2]]


def test_budgets_leave_a_passing_and_a_failing_call() -> None:
    for count in range(3, 16):
        with DeltaDebugger(max_tests=count, isolate=False) as dd:
            markup(ROWS, True)
        markup(**dd.max_args())
        assert not dd.certified
        assert dd.tests <= count


def test_what_is_empty_is_added_where_what_is_in_it_cannot_be() -> None:
    def call(value: Any) -> None:
        if "a" in "".join(leaves(value)):
            raise ValueError

    with DeltaDebugger(isolate=False) as dd:
        call([["b", ["a"]], "a"])
    assert dd.max_args()["value"] == [["b", [""]], ""]
    assert dd.certified


NESTED = st.recursive(
    st.text("ab", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner),
    max_leaves=5,
)


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for part in value.values() if isinstance(value, dict) else value:
            yield from leaves(part)


def smaller(value: Any) -> Iterator[Any]:
    """The value with a single part less, whatever lies in it."""
    if isinstance(value, str):
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield value[:index] + value[index + 1 :]
            yield from (value[:index] + [one] + value[index + 1 :] for one in smaller(part))
    else:
        for key, part in value.items():
            yield {other: one for other, one in value.items() if other != key}
            yield from ({**value, key: one} for one in smaller(part))


RULES: list[Callable[[Any], bool]] = [
    lambda value: sum(text.count("a") for text in leaves(value)) >= 2,
    lambda value: any("ab" in text for text in leaves(value)),
    lambda value: len(list(leaves(value))) > 1 and "b" in "".join(leaves(value)),
]


@settings(max_examples=40, deadline=None)
@given(NESTED, st.sampled_from(RULES))
def test_no_single_part_can_be_moved(value: Any, rule: Callable[[Any], bool]) -> None:
    def call(value: Any) -> None:
        if rule(value):
            raise ValueError

    if not rule(value):
        return
    with DeltaDebugger(isolate=False) as dd:
        call(value)
    passing, failing, _ = (side.get("value") for side in dd.min_arg_diff())
    assert dd.certified
    assert rule(failing)
    assert not rule(passing)
    largest = dd.max_args()["value"]
    assert not rule(largest)
    assert passing in list(smaller(failing))

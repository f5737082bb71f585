"""What is returned consists of the caller's own objects."""

from __future__ import annotations

import ast
import collections
from dataclasses import dataclass, field
from typing import Any

import pytest

from stripe.dd import Outcome
from stripe.inputs import DeltaDebugger
from tests.dd.book import Nodes


@dataclass(eq=False)
class Item:
    name: str
    tags: list[str] = field(default_factory=list)


def items() -> list[Item]:
    return [Item(name) for name in ("pen", "ink", "pad", "nib")]


def found(value: Any) -> list[Item]:
    """The items in any containers, in order."""
    if isinstance(value, Item):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    return [item for part in value for item in found(part)]


def needs_ink(value: Any) -> None:
    if any(item.name == "ink" for item in found(value)):
        raise ValueError("ink")


# --- kept elements ------------------------------------------------------------------------------


WRAPS: list[Any] = [
    list,
    tuple,
    set,
    frozenset,
    collections.deque,
    collections.UserList,
    lambda all_items: {item.name: item for item in all_items},
    lambda all_items: collections.OrderedDict((item.name, item) for item in all_items),
    lambda all_items: [[all_items[:2]], {"rest": (all_items[2:],)}],
    lambda all_items: {"rows": ({"first": all_items}, [])},
]


@pytest.mark.parametrize(
    ("wrap", "isolate"),
    [*((wrap, False) for wrap in WRAPS), *((wrap, True) for wrap in WRAPS[::3])],
)
def test_what_is_kept_is_the_callers(wrap: Any, isolate: bool) -> None:
    all_items = items()

    value = wrap(all_items)
    with DeltaDebugger(isolate=isolate) as dd:
        needs_ink(value)
    assert found(dd.min_args()["value"]) == [all_items[1]]
    assert type(dd.min_args()["value"]) is type(value)
    largest = found(dd.max_args()["value"])
    assert sorted(map(id, largest)) == sorted(id(item) for item in all_items if item.name != "ink")
    _passing, failing, difference = dd.min_arg_diff()
    assert found(difference["value"]) == [all_items[1]]
    assert all_items[1] in found(failing["value"])
    assert dd.args()["value"] is value


@pytest.mark.parametrize("isolate", [True, False])
def test_a_tree_is_reduced_by_a_list_of_its_own_nodes(isolate: bool) -> None:
    nodes = Nodes(transform=False)

    def compile_and_test(tree: ast.AST, keep_list: list[ast.AST]) -> None:
        nodes.tree = tree  # type: ignore[assignment]
        nodes.run(keep_list)

    tree = nodes.tree
    for _again in range(1 if isolate else 2):  # nodes that were marked before
        with DeltaDebugger(isolate=isolate) as dd:
            compile_and_test(tree, nodes.all())
        reduced = dd.min_args()
        nodes.tree = tree
        text = ast.unparse(nodes.reduced(reduced["keep_list"]))
        assert "def remove_html_markup(s):" in text
        assert "quote = not quote" in text
        assert reduced["tree"] is tree
        with pytest.raises(AssertionError):
            compile_and_test(tree, reduced["keep_list"])


def test_what_is_not_given_goes_with_what_is() -> None:
    def fails(everything: list[Item], chosen: list[Item]) -> None:
        if any(item is other for item in chosen for other in everything):
            raise ValueError

    all_items = items()
    with DeltaDebugger() as dd:
        fails(all_items, all_items[1:])
    assert dd.test({"chosen": all_items[2:3]}) is Outcome.FAIL
    assert dd.test({"chosen": items()}) is Outcome.PASS
    with pytest.raises(ValueError, match=r"^$"):
        dd.call({"chosen": all_items[2:3]})


# --- calls that change what they get ------------------------------------------------------------


def test_a_list_that_the_call_empties_is_a_new_one_of_the_same_elements() -> None:
    def fails(waiting: list[Item]) -> None:
        while waiting:
            needs_ink([waiting.pop()])

    waiting = all_items = items()
    all_items = list(waiting)
    with DeltaDebugger() as dd:
        fails(waiting)
    assert waiting == all_items[:1]
    assert dd.args() == {"waiting": all_items}
    assert dd.min_args() == {"waiting": [all_items[1]]}


def test_an_object_that_the_call_changes_is_the_callers_if_it_fails_again() -> None:
    def fails(chosen: list[Item]) -> None:
        for item in chosen:
            item.tags.append("seen")
        needs_ink(chosen)

    chosen = items()
    with DeltaDebugger() as dd:
        fails(chosen)
    assert dd.min_args()["chosen"] == [chosen[1]]
    # As it was when the call began:
    before = dd.args()["chosen"]
    assert [item.tags for item in before] == [[]] * 4
    assert before[1] is not chosen[1]
    assert chosen[1].tags == ["seen"]


def test_an_object_that_the_call_uses_up_is_a_copy() -> None:
    def fails(first: list[Item], second: list[Item]) -> None:
        if [item.name for item in first + second] == ["pen", "ink"]:
            second[-1].name = "used up"
            raise ValueError

    pen, ink = Item("pen"), Item("ink")
    with DeltaDebugger() as dd:
        fails([pen], [ink])
    reduced = dd.min_args()
    assert reduced["first"] == [pen]
    assert [item.name for item in reduced["second"]] == ["ink"]
    assert ink.name == "used up"
    with pytest.raises(ValueError, match=r"^$"):
        fails(**reduced)
    # The answer was a copy, and a new one each time.
    assert [item.name for item in dd.min_args()["second"]] == ["ink"]


def test_what_is_shown_is_how_the_call_began() -> None:
    def fails(box: dict[str, list[int]]) -> None:
        box["numbers"].append(7)
        raise ValueError(len(box["numbers"]) > 0)

    box = {"numbers": [1]}
    with DeltaDebugger(depth=1) as dd:
        fails(box)
    assert repr(dd) == "fails(box={'numbers': [1]})"
    assert dd.args() == {"box": {"numbers": [1]}}
    assert box == {"numbers": [1, 7]}


def test_two_names_of_one_list_stay_one() -> None:
    def fails(one: list[list[int]], other: list[list[int]]) -> None:
        if one and other and one[0] is other[0]:
            raise ValueError

    inner = [1]
    with DeltaDebugger(depth=1) as dd:
        fails([inner, [2]], [inner, [3]])
    reduced = dd.min_args()
    assert reduced["one"][0] is reduced["other"][0] is inner


def test_keys_are_the_callers() -> None:
    def fails(prices: dict[Item, int]) -> None:
        needs_ink(list(prices))

    all_items = items()
    with DeltaDebugger() as dd:
        fails(dict.fromkeys(all_items, 1))
    assert list(dd.min_args()["prices"]) == [all_items[1]]

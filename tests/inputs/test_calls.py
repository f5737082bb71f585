"""Which calls are observed, how they are made again, and what is said when that cannot be."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sys
import threading
from typing import Any

import pytest

from stripe.dd import Outcome
from stripe.inputs import (
    DeltaDebugger,
    NoCallError,
)
from tests.inputs.functions import needs


class Stack:
    def __init__(self, items: list[int], limit: int = 3) -> None:
        if len(items) > limit:
            raise OverflowError("too many")
        self.items = items

    def push_all(self, *more: int, check: bool, **labels: str) -> None:
        self.items.extend(more)
        if check and 7 in self.items and "bad" in labels:
            raise KeyError("bad")

    @classmethod
    def parse(cls, text: str) -> None:
        needs(text)

    @staticmethod
    def check(text: str) -> None:
        needs(text)

    def __add__(self, other: list[int]) -> None:
        if other:
            raise TypeError("no addition")


# --- what is observed ---------------------------------------------------------------------------


def test_the_interface_of_the_book() -> None:
    with DeltaDebugger() as dd:
        needs("ab<cd>ef")

    assert dd.function() is needs
    assert dd.args() == {"text": "ab<cd>ef", "wanted": "<>"}
    assert isinstance(dd.exception(), ValueError)
    assert dd.format_call() == "needs(text='ab<cd>ef', wanted='<>')"
    assert dd.format_exception() == "ValueError: found"
    assert dd.min_args() == {"text": "", "wanted": ""}
    assert str(dd) == repr(dd) == "needs(text='', wanted='')"
    assert dd.test({"text": "<"}) is Outcome.PASS
    with pytest.raises(ValueError, match="found"):
        dd.call()
    dd.call({"text": "nothing"})


def test_what_was_printed_is_python() -> None:
    with DeltaDebugger() as dd:
        Stack([1]).push_all(7, 8, check=True, good="", bad="x")
    namespace: dict[str, Any] = {"Stack": type("Stack", (), {"push_all": lambda *_, **__: "ran"})}

    shown = dd.format_call({"self": 0, "labels": {"bad": "x"}})
    assert shown == "Stack.push_all(0, 7, 8, check=True, bad='x')"
    assert eval(shown, namespace) == "ran"


def test_options_that_are_off_are_not_shown() -> None:
    class Box:
        def __init__(self, size: int, colour: str = "red", *, lid: Any = None) -> None:
            raise ValueError(size)

    def late(
        first: Any, second: Any = None, /, third: bool = True, *more: int, z: Any = False
    ) -> None:
        raise ValueError

    with DeltaDebugger() as dd:
        Box(1, lid=None)
    assert dd.format_call() == "Box(size=1, colour='red')"
    assert dd.format_call({"lid": 1}) == "Box(size=1, colour='red', lid=1)"
    with DeltaDebugger() as dd:
        late(1, None, True, 4)
    assert dd.format_call() == "late(1, None, True, 4)"
    with DeltaDebugger() as dd:
        late(1, None, False, z=True)
    assert dd.format_call() == "late(1, None, third=False, z=True)"
    with DeltaDebugger() as dd:
        late(None)
    assert dd.format_call() == "late(None, None)"


def test_methods_with_variadic_and_keyword_only_arguments() -> None:
    stack = Stack([1, 2, 3])
    with DeltaDebugger() as dd:
        stack.push_all(5, 7, 9, check=True, good="yes", bad="no")

    reduced = dd.min_args()
    assert (reduced["more"], reduced["check"], reduced["labels"]) == ((7,), True, {"bad": ""})
    assert dd.function() is Stack.push_all


def test_what_a_call_did_to_its_arguments_does_not_count() -> None:
    stack = Stack([1, 2, 3])
    with DeltaDebugger() as dd:
        stack.push_all(7, check=True, bad="")

    assert stack.items == [1, 2, 3, 7]  # by the observed call alone
    assert dd.args()["self"].items == [1, 2, 3]
    dd.min_args()
    assert stack.items == [1, 2, 3, 7]
    assert dd.args()["self"].items == [1, 2, 3]


def test_what_is_returned_may_be_changed() -> None:
    def pop(items: list[list[int]]) -> None:
        while items[0].pop() != 7:
            pass
        raise ValueError

    with DeltaDebugger() as dd:
        pop([[7, 8], [9]])
    dd.args()["items"].clear()
    dd.min_args()["items"].clear()
    with pytest.raises(ValueError, match=r"^$"):
        dd.call()
    assert dd.args() == {"items": [[7, 8], [9]]}
    assert dd.min_args() == {"items": [[7]]}


def test_class_and_static_methods() -> None:
    with DeltaDebugger() as dd:
        Stack.parse("ab<>")
    assert dd.min_args() == {"cls": Stack, "text": "<>"}
    with DeltaDebugger() as dd:
        Stack.check("ab<>")
    assert dd.min_args() == {"text": "<>"}


def test_an_object_that_cannot_be_made() -> None:
    with DeltaDebugger() as dd:
        Stack([1, 2, 3, 4, 5, 6], limit=2)

    assert dd.function() is Stack
    assert str(dd) == "Stack(items=[1, 2, 3], limit=2)"


def test_operators() -> None:
    with DeltaDebugger() as dd:
        Stack([]) + [1, 2, 3]
    assert len(dd.min_args()["other"]) == 1


def test_closures_and_lambdas() -> None:
    wanted = "<>"

    def inner(text: str) -> None:
        needs(text, wanted)

    with DeltaDebugger() as dd:
        inner("a<b>")
    assert dd.min_args() == {"text": "<>"}
    with DeltaDebugger() as dd:
        (lambda text: needs(text, wanted))("a<b>")
    assert dd.min_args() == {"text": "<>"}


def test_wrapped_functions_bear_their_name() -> None:
    @functools.wraps(needs)
    def wrapper(*args: Any, **kwargs: Any) -> None:
        needs(*args, **kwargs)

    with DeltaDebugger() as dd:
        wrapper("a<b>", wanted="<")
    assert str(dd) == "needs('', wanted='')"


def test_generators_are_run() -> None:
    def numbers(until: list[int]) -> Any:
        for number in until:
            yield 1 // number

    with DeltaDebugger() as dd:
        list(numbers([1, 2, 0, 3]))
    assert dd.min_args() == {"until": [0]}


def test_coroutines_are_run() -> None:
    async def fetch(text: str) -> None:
        await asyncio.sleep(0)
        needs(text)

    with DeltaDebugger(calls=fetch) as dd:
        asyncio.run(fetch("x<y>"))
    assert dd.min_args() == {"text": "<>"}


def test_arguments_are_computed_by_other_calls() -> None:
    def text() -> str:
        return "a<b>"

    with DeltaDebugger() as dd:
        needs(text())
    assert dd.function() is needs


def test_from_inside_of_a_coroutine() -> None:
    async def fetch(text: str) -> None:
        await asyncio.sleep(0)
        needs(text)

    async def main() -> dict[str, Any]:
        with DeltaDebugger() as dd:
            await fetch("x<y>")
        return dd.min_args()

    assert asyncio.run(main()) == {"text": "<>"}


def test_entered_by_an_exit_stack() -> None:
    with contextlib.ExitStack() as stack:
        dd = stack.enter_context(DeltaDebugger())
        needs("a<b>")
    assert dd.function() is needs


def test_a_passing_call_that_is_not_empty() -> None:
    def mean(numbers: list[Any]) -> float:
        return sum(numbers) / len(numbers)

    with DeltaDebugger() as dd:
        mean([1, "2", 3])
    assert dd.max_args() == {"numbers": [1, 3]}
    passing, failing, difference = dd.min_arg_diff()
    assert dd.certified
    assert (passing["numbers"], failing["numbers"]) == ([1, 3], [1, "", 3])
    assert difference == {"numbers": [""]}


def test_deeper_calls_can_be_selected() -> None:
    def outer(lines: list[str]) -> None:
        for line in lines:
            inner(line.strip())

    def inner(line: str) -> None:
        needs(line)

    with DeltaDebugger(calls=[inner, "outer", needs]) as dd:
        outer(["a", " b<c> ", "d"])

    assert [call.name for call in dd.calls()] == ["needs", "inner", "outer"]
    assert dd.function() is outer
    assert dd.min_args() == {"lines": ["<>"]}
    dd.select("inner")
    assert str(dd) == "inner(line='<>')"
    dd.select(0)
    assert dd.function() is needs
    with pytest.raises(NoCallError, match="Failed calls: needs, inner, outer"):
        dd.select("middle")


def test_a_call_whose_exception_is_caught() -> None:
    def careful(texts: list[str]) -> None:
        for text in texts:
            try:
                needs(text)
            except ValueError:
                pass

    with DeltaDebugger(calls="needs") as dd:
        careful(["a", "b<>", "c"])
    assert dd.args()["text"] == "b<>"


def test_recursive_functions() -> None:
    def depth(tree: Any) -> int:
        return 1 + max(map(depth, tree)) if isinstance(tree, list) else 0

    with DeltaDebugger(calls=depth) as dd:
        depth([[1], [[], 2]])
    assert dd.min_args() == {"tree": []}


def test_calls_of_other_threads_do_not_count() -> None:
    def work() -> None:
        try:
            needs("<>")
        except ValueError:
            pass

    with DeltaDebugger() as dd:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        needs("main <>")
    assert dd.args()["text"] == "main <>"


def test_debuggers_inside_each_other() -> None:
    with DeltaDebugger() as outer:
        with DeltaDebugger() as inner:
            needs("a<b>")
        needs("x<>")
    assert outer.args()["text"] == "x<>"
    assert inner.min_args()["wanted"] == ""
    assert isinstance(outer.exception(), ValueError)


def test_nothing_of_us_stays_in_the_interpreter() -> None:
    before = [sys.monitoring.get_tool(tool) for tool in range(6)]
    with DeltaDebugger(isolate=False) as dd:
        needs("<>")
    dd.min_args()
    assert [sys.monitoring.get_tool(tool) for tool in range(6)] == before
    for tool in range(6):
        if before[tool] is None:
            sys.monitoring.use_tool_id(tool, "test")
            assert sys.monitoring.get_local_events(tool, needs.__code__) == 0
            sys.monitoring.free_tool_id(tool)

"""Which calls are observed, how they are made again, and what is said when that cannot be."""

import asyncio
import contextlib
import functools
import os
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from stripe.dd import Outcome
from stripe.inputs import (
    DeltaDebugger,
    FailureNotReproducedError,
    NoCallError,
    NotFailingError,
    NotPassingError,
)


def needs(text: str, wanted: str = "<>") -> None:
    if all(character in text for character in wanted):
        raise ValueError("found")


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
    assert (passing["numbers"], failing["numbers"]) == ([1, 3], [1, "2", 3])
    assert difference == {"numbers": ["2"]}


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


# --- limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize("isolate", [True, False])
def test_calls_that_hang_are_ended(isolate: bool) -> None:
    def parse(text: str) -> None:
        while "<" not in text:
            try:
                pass
            except BaseException:
                pass
        needs(text)

    with DeltaDebugger(timeout=0.3, isolate=isolate) as dd:
        parse("ab<c>")
    assert dd.min_args() == {"text": "<>"}


def test_calls_that_wait_in_c_are_ended() -> None:
    def parse(text: str) -> None:
        if "<" not in text:
            time.sleep(1e6)
        needs(text)

    with DeltaDebugger(timeout=0.3) as dd:
        parse("ab<c>")
    assert dd.min_args() == {"text": "<>"}


@pytest.mark.parametrize("daemon", [False, True])
def test_processes_that_a_call_starts_end_with_it(daemon: bool) -> None:
    def parse(text: str, pipe: int) -> None:
        command = ["setsid", "-f", "sleep", "1000"] if daemon else ["sleep", "1000"]
        process = subprocess.Popen(command, pass_fds=[pipe])
        if daemon:
            process.wait()
        needs(text)

    reading, writing = os.pipe()

    def outer(text: str) -> None:
        if text != "ab<c>":
            parse(text, writing)
        needs(text)

    with DeltaDebugger() as dd:
        outer("ab<c>")
    assert dd.min_args() == {"text": "<>"}
    os.close(writing)
    assert os.read(reading, 1) == b""  # nobody holds the other end any more
    os.close(reading)


def test_what_a_test_does_to_the_program_stays_there(tmp_path: Any) -> None:
    seen: list[str] = []

    def parse(text: str) -> None:
        seen.append(text)
        print("to be discarded")
        needs(text)

    with DeltaDebugger() as dd:
        parse("ab<c>")
    dd.min_args()
    assert seen == ["ab<c>"]


def test_calls_that_end_the_interpreter_are_unresolved(capfd: Any) -> None:
    def parse(text: str) -> None:
        if "c" not in text:
            os.abort()
        needs(text)

    with DeltaDebugger() as dd:
        parse("ab<c>")
    assert dd.min_args() == {"text": "<c>"}
    assert dd.test({"text": ""}) is Outcome.UNRESOLVED
    assert capfd.readouterr() == ("", "")


def test_budgets() -> None:
    with DeltaDebugger(max_tests=5) as dd:
        needs("a" * 100 + "<>" + "b" * 100, "<>")
    reduced = dd.min_args()
    assert not dd.certified
    assert dd.tests <= 5
    assert len(reduced["text"]) < 202
    assert dd.test(reduced) is Outcome.FAIL


# --- errors -------------------------------------------------------------------------------------


def test_no_call() -> None:
    with pytest.raises(NoCallError, match=r"No call collected \[no-call\]"), DeltaDebugger():
        pass
    with pytest.raises(NoCallError):
        DeltaDebugger().min_args()
    with pytest.raises(NoCallError, match="not a Python function"), DeltaDebugger(calls=len):
        pass


def test_an_exception_of_no_call_goes_on() -> None:
    with pytest.raises(ZeroDivisionError) as caught, DeltaDebugger():
        1 // 0  # noqa: B018
    assert "no call of a Python function" in caught.value.__notes__[0]


def test_not_failing() -> None:
    with (
        pytest.raises(NotFailingError, match=r"needs\(text='a', wanted='<>'\) did not raise"),
        DeltaDebugger(),
    ):
        needs("a")


def test_not_failing_again() -> None:
    calls: list[int] = []

    def once() -> None:
        calls.append(1)
        if len(calls) == 1:
            raise ValueError

    with DeltaDebugger() as dd:
        once()
    with pytest.raises(NotFailingError, match=r"When called again, once.* did not fail"):
        dd.min_args()


def test_not_reproduced() -> None:
    calls: list[int] = []

    def count(text: str) -> None:
        calls.append(1)
        raise ValueError(len(calls))

    with DeltaDebugger() as dd:
        count("abc")
    message = "When called again, count.* raised ValueError: 2 instead of ValueError: 1"
    with pytest.raises(FailureNotReproducedError, match=message):
        dd.min_args()


def test_an_argument_that_is_used_up_is_named() -> None:
    def total(numbers: Any) -> None:
        if sum(numbers) > 5:
            raise ValueError("too much")

    with DeltaDebugger() as dd:
        total(number for number in [1, 2, 3])
    with pytest.raises(NotFailingError, match="numbers could not be copied"):
        dd.min_args()


def test_not_passing() -> None:
    def never(text: str) -> None:
        raise ValueError("always")

    with DeltaDebugger() as dd:
        never("abc")
    assert dd.min_args() == {"text": ""}
    with pytest.raises(NotPassingError, match=r"never\(text=''\) does not pass"):
        dd.max_args()


def test_unknown_parameter_and_mode() -> None:
    with DeltaDebugger(order=["nothing"]) as dd:
        needs("<>")
    with pytest.raises(ValueError, match="needs has no parameter 'nothing'"):
        dd.min_args()
    with pytest.raises(ValueError, match="same must be one of"):
        DeltaDebugger(same="colour")  # type: ignore[arg-type]


# --- the same failure ---------------------------------------------------------------------------


def test_what_the_same_failure_is() -> None:
    def convert(text: str) -> None:
        if text.startswith("!"):
            raise ValueError("empty")
        float(text)

    for same, left in (("message", "12x3"), ("type", ""), ("place", "")):
        with DeltaDebugger(same=same) as dd:  # type: ignore[arg-type]
            convert("12x3")
        assert dd.min_args() == {"text": left}
    with DeltaDebugger(same=lambda one, _: "x" in str(one)) as dd:
        convert("12x3")
    assert dd.min_args() == {"text": "x"}


def test_addresses_in_messages_do_not_count() -> None:
    class Thing:
        pass

    def use(things: list[Thing]) -> None:
        raise TypeError(f"bad {things[-1]!r}") if things else AssertionError

    with DeltaDebugger() as dd:
        use([Thing(), Thing(), Thing()])
    assert len(dd.min_args()["things"]) == 1

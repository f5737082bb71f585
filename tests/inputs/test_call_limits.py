"""Calls that hang, end the interpreter or do not fail again; and what the same failure is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from stripe.dd import Outcome
from stripe.errors import NotReducible
from stripe.inputs import (
    DeltaDebugger,
    FailureNotReproducedError,
    NoCallError,
    NotFailingError,
    NotPassingError,
)
from stripe.inputs.calls.call import same_place, same_wording
from stripe.inputs.failing_test import reduced
from tests.inputs.functions import needs

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

    with DeltaDebugger(timeout=1.0, isolate=isolate) as dd:
        parse("ab<c>")
    assert dd.min_args() == {"text": "<>"}


def test_calls_that_wait_in_c_are_ended() -> None:
    def parse(text: str) -> None:
        if "<" not in text:
            time.sleep(1e6)
        needs(text)

    with DeltaDebugger(timeout=1.0) as dd:
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
        pytest.raises(NotFailingError, match=r"needs\(text='a', wanted='<>'\) did not") as refused,
        DeltaDebugger(),
    ):
        needs("a")
    assert refused.value.slug == "not-failing"


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
    with pytest.raises(FailureNotReproducedError, match=message) as refused:
        dd.min_args()
    assert refused.value.slug == "failure-not-reproduced"


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
    with pytest.raises(NotPassingError, match=r"never\(text=''\) does not pass") as refused:
        dd.max_args()
    assert refused.value.slug == "not-passing"


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


def test_what_a_text_tells_of_the_arguments_may_differ() -> None:
    with DeltaDebugger(same="wording") as dd:
        json.loads('{"name": "pen", "tags": ["a", "b",], "price": 3}')
    # "Illegal trailing comma ..." since 3.13; before, that a value is expected.
    assert dd.min_args()["s"] == ('["",]' if sys.version_info >= (3, 13) else "")
    assert dd.certified


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("line 1 column 34 (char 33)", "line 2 column 1 (char -7)", True),
        ("'ab\\'c' is no name", "'' is no name", True),
        ('no "x" in it', "no 'y' in it", True),
        ("unknown: 1.5e3", "unknown: 0x10", True),
        ("it isn't 3 and can't be", "it isn't 4 and can't be", True),
        ("too short", "too long", False),
        ("'a' is no name", "'a' is no number", False),
        ("no a1", "no b1", False),
    ],
)
def test_wording(one: str, other: str, same: bool) -> None:
    assert same_wording(ValueError(one), ValueError(other)) is same
    assert not same_wording(ValueError(one), TypeError(one))


@pytest.mark.parametrize("value", [1, threading.Lock()], ids=["plain", "not plain"])
def test_a_test_by_hand_is_made_elsewhere(value: Any) -> None:
    """Whatever it does to this process, it does to another."""
    made: list[object] = []

    def parse(value: object, text: str) -> None:
        made.append(value)
        needs(text)

    with DeltaDebugger() as dd:
        parse(0, "<>")
    del made[:]
    assert dd.test({"value": value}) is Outcome.FAIL
    assert dd.test({"value": value, "text": ""}) is Outcome.PASS
    assert made == []


def test_the_same_place_is_a_line_that_raised() -> None:
    def raised(kind: type[Exception], *, first: bool) -> Exception:
        try:
            if first:
                raise kind("here")
            raise kind("there")
        except Exception as error:
            return error

    one = raised(ValueError, first=True)
    assert same_place(one, raised(ValueError, first=True))
    assert not same_place(one, raised(ValueError, first=False))
    assert not same_place(one, raised(KeyError, first=True))
    assert not same_place(one, ValueError("here"))


def test_values_of_a_star_are_given_to_the_call() -> None:
    def parse(*texts: str, mark: str) -> None:
        needs("".join(texts) + mark)

    with DeltaDebugger() as dd:
        parse("a<", "b", mark=">")
    assert dd.args() == {"texts": ("a<", "b"), "mark": ">"}
    with pytest.raises(ValueError):
        dd.call()
    dd.call({"texts": ("a", "b")})
    assert "".join(dd.min_args()["texts"]) + dd.min_args()["mark"] == "<>"


def test_other_arguments_for_dd_alone() -> None:
    with DeltaDebugger() as dd:
        needs("a<b>")
    assert dd.dd("text", {"text": "<--->"})[1] == "<>"
    with pytest.raises(NotFailingError, match=r"Input 'abc' expected to fail, but does not.* PASS"):
        dd.dd("text", {"text": "abc"})


def test_a_call_that_took_no_time_may_take_some() -> None:
    def parse(*, text: str) -> None:
        needs(text)

    with pytest.raises(ValueError) as caught:
        parse(text="a<b>")
    said = reduced(parse, "parse", {"text": "a<b>"}, {}, caught.value, elapsed=0.0, max_time=60.0)
    assert said.splitlines()[0] == "parse(text='<>')"


def test_where_other_tools_have_all_places_of_monitoring_it_is_told() -> None:
    taken = [number for number in range(6) if sys.monitoring.get_tool(number) is None]
    for number in taken:
        sys.monitoring.use_tool_id(number, "theirs")
    try:
        with pytest.raises(NotReducible) as caught, DeltaDebugger():
            pass
    finally:
        for number in taken:
            sys.monitoring.free_tool_id(number)
    assert caught.value.slug == "no-monitoring"

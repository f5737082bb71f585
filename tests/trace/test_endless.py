"""Where a loop goes on, and what is said of runs that part or end, in traces made by hand."""

from __future__ import annotations

from array import array

from stripe.trace import NONE
from stripe.trace.first_divergence import LONGEST, cut
from stripe.trace.infinite_loops import (
    ROUNDS,
    ended,
    goes_on,
    going_on,
    no_loop,
    not_followed,
    settled,
)
from tests.trace.test_effects import made


def test_a_loop_goes_on_from_the_middle_at_the_latest() -> None:
    trace = made({"a": ("p.py", "", "")}, *[("a", NONE, NONE)] * 20)
    assert goes_on(trace, range(ROUNDS), 10)
    assert not goes_on(trace, range(ROUNDS), 11)
    assert not goes_on(trace, range(ROUNDS - 1), 10)


def test_a_run_went_on_at_the_condition_that_called_what_came_last() -> None:
    trace = made(
        {"while": ("p.py", "", ""), "f:b": ("p.py", "", "")},
        ("while", NONE, NONE),
        ("while", NONE, NONE),
        ("f:b", 1, NONE),
    )
    assert going_on(trace) == 1  # it is not known what decided: what has been executed before
    once = made(
        {"f:a": ("p.py", "", ""), "f:b": ("p.py", "", "")}, ("f:a", NONE, NONE), ("f:b", 0, NONE)
    )
    assert going_on(once) == 1
    control = array("i", [NONE, 0, NONE])
    trace.find_control = lambda: control
    trace._control = None
    assert going_on(trace) == 1


def test_some_rounds_after_all_go_the_same_way() -> None:
    names = ["w", "a", "w", "b", *["w", "a"] * 8]
    trace = made(dict.fromkeys("wab", ("p.py", "", "")), *[(name, NONE, NONE) for name in names])
    headers = [event for event, name in enumerate(names) if name == "w"]
    assert settled(trace, headers) == headers[2 + ROUNDS]


def test_rounds_may_alternate() -> None:
    """The loop has settled where it repeats what it did some rounds before."""
    names = ["w", "c", *["w", "a", "w", "b", "w", "b"] * 9]
    trace = made(dict.fromkeys("wabc", ("p.py", "", "")), *[(name, NONE, NONE) for name in names])
    headers = [event for event, name in enumerate(names) if name == "w"]
    assert settled(trace, headers) == headers[1 + 3 * ROUNDS]


def test_rounds_that_never_repeat_have_not_settled() -> None:
    names = [name for number in range(12) for name in ["w", *["a"] * number]]
    trace = made(dict.fromkeys("wa", ("p.py", "", "")), *[(name, NONE, NONE) for name in names])
    headers = [event for event, name in enumerate(names) if name == "w"]
    assert settled(trace, headers) == headers[-2]


def test_the_last_words_of_a_run_that_ended() -> None:
    assert str(ended(3, b"first\nlast\n").message).endswith(
        "(exit status 3); the check 'hang' is about one that does not. Its last words: last"
    )
    assert ended(0, b"").message.endswith("that does not.")


def test_what_else_is_no_endless_loop() -> None:
    assert no_loop().slug == "no-loop"
    assert not_followed("ends").slug == "not-reproducible"
    assert "to where the recorded run was cut off: it ends." in not_followed("ends").message


def test_a_text_is_cut_if_it_is_too_long() -> None:
    assert cut("x" * LONGEST) == "x" * LONGEST
    assert cut("x" * (LONGEST + 1)) == "x" * LONGEST + "..."

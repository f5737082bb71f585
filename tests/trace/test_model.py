"""What an event cannot be kept without."""

from __future__ import annotations

from random import Random

import pytest

from stripe.trace import NONE, Activation, SourceFile, Statement, Trace
from tests.support.noting import happen


@pytest.fixture
def trace() -> Trace:
    """A call (1) in a loop (0), what it executes (2), and what that says the scope of is (3)."""
    statement = Statement(0, 0, "Expr", 1, 1, 1, 0, "<module>", NONE)
    trace = Trace([SourceFile("prog.py", "f()\n")], [statement], [Activation(0, "f", 0, NONE)])
    for caller, scope, control in [
        (NONE, NONE, NONE),
        (NONE, NONE, 0),
        (1, NONE, NONE),
        (1, 2, 0),
    ]:
        happen(trace, 0, caller=caller, scope=scope, control=control)
    return trace


@pytest.mark.parametrize(
    ("event", "parents", "with_control"),
    [(0, [], []), (1, [], [0]), (2, [1], [1]), (3, [1, 2], [1, 2, 0])],
)
def test_parents(trace: Trace, event: int, parents: list[int], with_control: list[int]) -> None:
    assert list(trace.parents(event)) == parents
    assert list(trace.parents(event, control=True)) == with_control


def closed(trace: Trace, events: set[int], *, control: bool) -> set[int]:
    """What is left of events once those that lack a parent have gone, and so on."""
    while True:
        kept = {e for e in events if events.issuperset(trace.parents(e, control=control))}
        if kept == events:
            return kept
        events = kept


@pytest.mark.parametrize("control", [False, True])
def test_closed_is_what_has_all_its_parents(trace: Trace, control: bool) -> None:
    for number in range(16):
        events = {event for event in range(4) if number >> event & 1}
        left = closed(trace, events, control=control)
        assert trace.close(events, control=control) == tuple(sorted(left))


def test_few_of_many_events_are_closed_as_most_are(trace: Trace) -> None:
    few = [trace.close(events) for events in ((0, 1, 3), (0, 1, 2, 3), (2, 3))]
    for _ in range(100):
        happen(trace, 0)
    assert few == [trace.close(events) for events in ((0, 1, 3), (0, 1, 2, 3), (2, 3))]
    assert few == [(0, 1), (0, 1, 2, 3), ()]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("control", [False, True])
def test_what_was_closed_before_changes_nothing(seed: int, control: bool, trace: Trace) -> None:
    random = Random(seed)

    def parent(event: int) -> int:
        return random.choice([NONE, NONE, NONE, random.randrange(event)])

    for event in range(4, 40):
        happen(trace, 0, caller=parent(event), scope=parent(event), control=parent(event))
    whole = set(range(len(trace)))
    for _ in range(40):
        events = whole - set(random.sample(sorted(whole), 2))
        left = closed(trace, events, control=control)
        assert trace.close(events, control=control) == tuple(sorted(left))
        if random.random() < 0.2 and len(left) > 10:
            whole = left

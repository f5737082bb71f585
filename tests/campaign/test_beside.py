"""Runs beside each other: as many as there are jobs, and none of them lost but by Ctrl-C."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future

import pytest

from stripe.campaign.campaign import Campaign
from stripe.campaign.parallel import beside
from stripe.interrupts import StopFlag
from tests.support.patience import PATIENCE


def test_with_one_job_each_is_made_when_it_is_begun() -> None:
    order: list[str] = []

    def run(name: str) -> str:
        assert threading.current_thread() is threading.main_thread()
        order.append(name)
        return name

    with beside(Campaign()) as start:
        first = start(lambda: run("first"))
        order.append("between")
        second = start(lambda: run("second"))
    assert order == ["first", "between", "second"]
    assert (first(), second()) == ("first", "second")


def test_with_several_they_are_made_at_the_same_time() -> None:
    both = threading.Barrier(2)
    with beside(Campaign(jobs=2)) as start:
        waits = [start(lambda: both.wait(PATIENCE)) for _ in range(2)]
        last = start(lambda: "last")
    assert sorted(each() or 0 for each in waits) == [0, 1]
    assert last() == "last"


def test_what_one_raises_is_raised_where_it_is_asked_for() -> None:
    def fail() -> None:
        raise ValueError("it failed")

    with beside(Campaign(jobs=2)) as start:
        failing, other = start(fail), start(lambda: 1)
    assert other() == 1
    with pytest.raises(ValueError, match="it failed"):
        failing()


def test_one_that_ctrl_c_cuts_off_has_returned_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, over = StopFlag(), threading.Event()

    def interrupted(begun: Sequence[Future[object]]) -> None:
        assert begun[0].result(60) == "ended"
        raise KeyboardInterrupt

    monkeypatch.setattr("concurrent.futures.wait", interrupted)
    campaign = Campaign(jobs=2, stop=stop)
    with beside(campaign) as start:
        ended = start(lambda: "ended")
        others = [start(lambda: over.wait(PATIENCE)) for _ in range(3)]
    assert stop.torn
    assert ended() == "ended"
    assert [each() for each in others] == [None] * 3
    over.set()
    assert [each() for each in others] == [None] * 3, "nor later"
    assert campaign.attempt(lambda: 1) is None


def test_ctrl_c_may_have_come_before_they_are_waited_for() -> None:
    stop, over = StopFlag(), threading.Event()
    with beside(Campaign(jobs=2, stop=stop)) as start:
        running = start(lambda: over.wait(PATIENCE))
        stop.requested = stop.hurried = True
    assert not over.is_set()
    assert (running(), stop.torn) == (None, True)
    over.set()

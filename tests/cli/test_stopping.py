"""What Ctrl-C does while a program is recorded that may be cut off."""

from __future__ import annotations

import io
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from stripe import interrupts
from stripe.interrupts import (
    Alarm,
    CutByHand,
    OrderlyEnd,
    Terminated,
    cut_by_hand,
    cut_off_search,
    offer_cut,
    stop_on_interrupt,
)
from stripe.report.progress import Reporter
from tests.support.patience import PATIENCE


def press(*, allowed: bool = True, told: bool = True) -> bool:
    """Press Ctrl-C while a program is recorded; was it offered?"""
    offered = False
    with cut_by_hand(allowed):
        if told:
            offered = offer_cut()
        signal.raise_signal(signal.SIGINT)
    return offered


def test_ctrl_c_cuts_off_what_it_was_offered_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with OrderlyEnd(interrupts=True):
        with pytest.raises(CutByHand) as cut:
            press()
        assert cut.value.seconds >= 0
        assert not offer_cut()
        assert not press(allowed=False)  # right behind it: the same request
        monkeypatch.setattr(interrupts, "GRACE", 0.0)
        with pytest.raises(KeyboardInterrupt) as ended:
            press(allowed=False)
        assert not isinstance(ended.value, CutByHand)


@pytest.mark.parametrize(("allowed", "told"), [(True, False), (False, True)])
def test_what_was_not_offered_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, allowed: bool, told: bool
) -> None:
    monkeypatch.setattr(interrupts, "GRACE", 0.0)
    with OrderlyEnd(interrupts=True), pytest.raises(KeyboardInterrupt) as ended:
        press(allowed=allowed, told=told)
    assert not isinstance(ended.value, CutByHand)


def test_outside_of_a_command_nothing_is_offered() -> None:
    with pytest.raises(KeyboardInterrupt) as ended:
        press()
    assert not isinstance(ended.value, CutByHand)


class Finalized:
    """What Python ignores is what is raised while this goes: many objects of libraries are such."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


def wait(*finalized: Finalized) -> None:
    """Let go what is finalized, and be there for as long as nothing is raised."""
    while finalized:
        finalized = finalized[1:]
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        time.sleep(0.01)
    pytest.fail("nothing was raised")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_finalizer_runs_is_not_lost(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupts, "GRACE", 0.0)
    expected = KeyboardInterrupt if number == signal.SIGINT else Terminated
    with OrderlyEnd(interrupts=True), pytest.raises(expected):
        wait(Finalized(number))


def test_what_is_ignored_twice_is_raised_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "GRACE", 0.0)
    before = sys.unraisablehook
    with OrderlyEnd(interrupts=True), pytest.raises(KeyboardInterrupt):
        wait(Finalized(signal.SIGINT), Finalized(signal.SIGALRM))
    assert sys.unraisablehook is before
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_a_test_is_cut_off_though_a_finalizer_ran_when_it_was_to_be() -> None:
    with OrderlyEnd(interrupts=True), stop_on_interrupt() as flag:
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt), cut_off_search():
            wait(Finalized(signal.SIGALRM))
        assert flag.over


def test_an_alarm_while_a_finalizer_runs_is_not_lost() -> None:
    with pytest.raises(LookupError), Alarm(0.5, LookupError):
        wait(Finalized(signal.SIGALRM))


def test_errors_of_finalizers_are_told_as_ever() -> None:
    class Broken:
        def __del__(self) -> None:
            raise ValueError("of its own")

    heard: list[sys.UnraisableHookArgs] = []
    before, sys.unraisablehook = sys.unraisablehook, heard.append
    try:
        with OrderlyEnd(interrupts=True):
            Broken()
    finally:
        sys.unraisablehook = before
    assert [str(each.exc_value) for each in heard] == ["of its own"]


def test_signals_are_for_the_main_thread() -> None:
    """Another one would handle none of them, and the main one would sleep on."""
    blocked: list[set[int]] = []
    thread = threading.Thread(
        target=lambda: blocked.append({*signal.pthread_sigmask(signal.SIG_BLOCK, ())})
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    interrupts.start_without_signals(thread)
    thread.join()
    assert {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM} <= blocked[0]
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_what_tells_progress_gets_no_signals() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with Reporter(Terminal()) as reporter:
        assert reporter._ticking is not None
        status = Path(f"/proc/self/task/{reporter._ticking.native_id}/status").read_text()
    [mask] = [int(line.split()[1], 16) for line in status.splitlines() if "SigBlk" in line]
    assert mask & 1 << (signal.SIGINT - 1)

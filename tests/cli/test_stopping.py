"""What Ctrl-C does while a program is recorded that may be cut off."""

from __future__ import annotations

import signal

import pytest

from stripe import interrupts
from stripe.interrupts import CutByHand, OrderlyEnd, cut_by_hand, offer_cut


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

"""Why tests decide nothing: reasons that are told by tests and counted by a campaign."""

from __future__ import annotations

from stripe import dd
from stripe.campaign.campaign import Campaign
from stripe.campaign.problem import Problem
from stripe.campaign.unresolved import MOST, OTHER, UNKNOWN, Unresolved
from stripe.dd import Configuration, Outcome


def test_what_was_asked_for_is_counted_and_little_is_remembered() -> None:
    found = Unresolved()
    for number in range(MOST + 5):
        found.record((number,), f"reason {number}")
        found.count((number,), Outcome.UNRESOLVED)
    found.count((0,), Outcome.PASS)
    found.count((1, 2), Outcome.UNRESOLVED)
    assert found.counts[OTHER] == 6
    assert len(found.counts) == MOST + 1
    fresh = Unresolved()
    fresh.count((1, 2), Outcome.UNRESOLVED)
    assert fresh.counts == {UNKNOWN: 1}


def test_reasons_are_counted_once_for_each_test_that_was_asked_for() -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        if {2, 5} <= set(configuration):
            return Outcome.FAIL
        if len(configuration) % 2:
            campaign.unresolved.record(configuration, "odd")
            return Outcome.UNRESOLVED
        return Outcome.PASS

    campaign = Campaign()
    campaign.search(Problem(range(8), test), dd.ddmin)
    assert campaign.unresolved.counts == {"odd": campaign.counts[Outcome.UNRESOLVED]}

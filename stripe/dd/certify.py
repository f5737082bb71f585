"""Proving that an answer is 1-minimal, or making it so."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from stripe.dd.outcomes import Configuration, Outcome
from stripe.dd.tester import Tester
from stripe.index_set import without_one

type Drop[D: Hashable] = Callable[[Configuration[D], int], Configuration[D]]
"""A configuration without the delta at a position, and without what goes with it."""


@dataclass(slots=True)
class Certificate[D: Hashable]:
    """How far a proof of 1-minimality has come.

    It is kept up to date, so that a search that runs out of budget can still show it.
    """

    configuration: Configuration[D]
    """The failing configuration the proof is about, closed."""
    outcomes: dict[D, Outcome] = field(default_factory=dict)
    """Delta -> outcome of the configuration without it."""
    required: set[D] = field(default_factory=set)
    """Deltas that closing puts back."""
    complete: bool = False


def prove[D: Hashable](
    certificate: Certificate[D], tester: Tester[D], drop: Drop[D] = without_one
) -> None:
    """Test every single removal from a failing configuration, from the last delta to the first.

    When a removal still fails it is taken, and the proof goes on around the smaller configuration
    until one whole round has brought nothing: the configuration is then 1-minimal (Zeller &
    Hildebrandt, TSE 2002, definition 10). With k deltas at the end it takes k tests at least.

    Args:
        certificate: what to prove; it is filled in.
        tester: answers, and never by what a journal says.
        drop: how a single delta is left out.

    Raises:
        BudgetExhausted: with ``certificate`` as far as it has come.
    """
    position = len(certificate.configuration)
    while len(certificate.outcomes) + len(certificate.required) < len(certificate.configuration):
        position = (position or len(certificate.configuration)) - 1
        current = certificate.configuration
        delta = current[position]
        without = tester.closed(drop(current, position))
        if tester.closes and delta in without:
            certificate.required.add(delta)
            continue
        outcome = tester.test(without, _ahead(current, position, drop), own=True, closed=True)
        if outcome is not Outcome.FAIL:
            certificate.outcomes[delta] = outcome
            continue
        # What closing took away before `position` moves it.
        left = set(without)
        position = sum(1 for other in current[:position] if other in left)
        certificate.configuration = without
        certificate.outcomes = {}
        certificate.required = set()
    certificate.complete = True


def _ahead[D: Hashable](
    current: Configuration[D], position: int, drop: Drop[D]
) -> Iterator[Configuration[D]]:
    """The next removals, if this one turns out not to fail."""
    for before in range(position - 1, -1, -1):
        yield drop(current, before)

"""What says whether a changed run is like the one that fails or like the one that passes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from stripe.backend import End, Observation
from stripe.checks import Check, Criterion
from stripe.checks.check import silent
from stripe.dd import Outcome
from stripe.errors import NotReducible

NEITHER = "it did what neither run did"
"""Why a test is unresolved that ended well: what it printed, say, is a mixture."""


@dataclass(frozen=True, slots=True)
class Judges:
    """Says what a changed run has come to.

    The failing run's behaviour is FAIL, the passing run's is PASS, all else is UNRESOLVED; where
    the check sees nothing in the passing run, whatever is not the failure is PASS. ``silent``: the
    passing run prints nothing at all, which tells nothing of other runs, and is PASS here.
    """

    failing: Criterion
    passing: Criterion | None
    silent: bool = False

    def judge(self, observation: Observation) -> Outcome:
        """The outcome of a run; its directory must still be valid."""
        outcome = self.failing.judge(observation)
        if self.silent and outcome is Outcome.UNRESOLVED and quiet(observation):
            outcome = Outcome.PASS
        if outcome is not Outcome.PASS or self.passing is None:
            return outcome
        same = self.passing.judge(observation) is Outcome.FAIL
        return Outcome.PASS if same else Outcome.UNRESOLVED


def quiet(observation: Observation) -> bool:
    """Whether a run came to its end well without printing anything."""
    ended = observation.end is End.EXITED and observation.status == 0
    return ended and silent(observation)


def judges_of(check: Check, failing: Criterion, observation: Observation) -> Judges:
    """What says which of both runs another is like; ``observation`` is the passing one.

    Raises:
        NotReducible: ``passing-fails``.
    """
    passing = None
    with suppress(NotReducible):
        passing = check.reference(observation)
    if failing.judge(observation) is Outcome.FAIL:
        raise NotReducible(
            "passing-fails",
            "The run that should pass fails as the other one does, as far as the check can tell.",
            "Give --pass something for which the program is right; --check says what the failure "
            "is.",
        )
    judges = Judges(failing, passing, quiet(observation))
    if judges.judge(observation) is not Outcome.PASS:
        raise NotReducible(
            "passing-fails",
            "The run that should pass ends in a way of its own, which is neither the failure nor "
            "a success.",
            "Give --pass something with which the program comes to its end well.",
        )
    return judges

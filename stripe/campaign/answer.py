"""What reductions of whatever answer has in common: what it took, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stripe.dd import Outcome, Reason


@dataclass(frozen=True, slots=True)
class Level:
    """One pass in one kind of deltas: how many there were, and were left, and what it took."""

    name: str
    before: int
    after: int
    tests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What every reduction answers.

    - ``outcomes``: executed tests by outcome; ``cached``: questions answered without running
      anything; ``resumed``: answers taken from the journal of an earlier run
    - ``certified``: without any single delta of the finest level it does not fail (1-minimal); if
      not, ``stopped`` says why
    - ``verified``: the answer failed (and passed) once more in the end; ``None``: not tried
    - ``seconds``: how long it took
    - ``failure``, ``failure_now``: the signatures of the failure with all deltas and of the answer;
      they differ if the search slipped to another failure
    - ``output``: the files in which the answer is; ``notes``: facts the user must know
    """

    outcomes: Mapping[Outcome, int]
    cached: int
    resumed: int
    certified: bool
    stopped: Reason
    verified: bool | None
    seconds: float
    failure: str
    failure_now: str
    levels: tuple[Level, ...]
    output: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def tests(self) -> int:
        """How many different configurations were tested."""
        return sum(self.outcomes.values())

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the search early."""
        return self.stopped is Reason.STOPPED

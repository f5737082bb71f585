"""What a search for causes in states answers, as data.

All of it can be written as JSON (:meth:`CausesResult.to_json`) and read again
(:func:`stripe.states.reading.from_json`); every report is made from that and nothing else.
Its model is :mod:`stripe.results.causes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stripe.dd import Outcome, Reason
from stripe.states.chain import Transition
from stripe.states.isolation import Cause
from stripe.states.links import Link


@dataclass(frozen=True, slots=True)
class CausesResult:
    """The answer of :func:`stripe.states.causes.find_causes`.

    - ``chain``: the cause at each moment that was searched, in order
    - ``transitions``: between which of them the variables change
    - ``links``: between the ``steps``, what tests have shown of them
    - ``moments``: of the failing run; ``matched``: those with a partner in the passing run
    - ``outcomes``: executed tests by outcome; ``cached``: questions answered without running one;
      ``resumed``: answers taken from the journal of an earlier run
    - ``source``: the lines of the chain and those around them, by file and line
    - ``ends``: how the failing run ended, and the passing one
    """

    program: str
    failing: str
    passing: str
    check: str
    chain: tuple[Cause, ...]
    transitions: tuple[Transition, ...]
    moments: int
    matched: int
    outcomes: Mapping[Outcome, int]
    cached: int
    undecided: Mapping[str, int]
    certified: bool
    stopped: Reason
    seconds: float
    source: Mapping[tuple[str, int], str] = field(repr=False)
    ends: tuple[str, str]
    notes: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    resumed: int = 0

    @property
    def tests(self) -> int:
        """How many tests were run."""
        return sum(self.outcomes.values())

    @property
    def steps(self) -> tuple[Cause, ...]:
        """The first cause, and what it passes to at each transition."""
        return (*self.chain[:1], *(each.after for each in self.transitions))

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data."""
        from stripe.states.form import document_of  # lazy

        return document_of(self).to_json()

"""What a search for causes in states answers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stripe.dd import Outcome, Reason
from stripe.states.chain import Transition
from stripe.states.isolating import Cause

VERSION = 1
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True)
class CausesResult:
    """The answer of :func:`stripe.states.causes.find_causes`.

    - ``chain``: the cause at each moment that was searched, in order
    - ``transitions``: between which of them the variables change
    - ``moments``: of the failing run; ``matched``: those with a partner in the passing run
    - ``source``: the text of the lines in the chain, by file and line
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
    undecided: Mapping[str, int]
    certified: bool
    stopped: Reason
    seconds: float
    source: Mapping[tuple[str, int], str]
    notes: tuple[str, ...] = ()

    @property
    def tests(self) -> int:
        """How many tests were run."""
        return sum(self.outcomes.values())

    @property
    def steps(self) -> tuple[Cause, ...]:
        """The first cause, and what it passes to at each transition."""
        return (*self.chain[:1], *(each.after for each in self.transitions))

    def to_json(self) -> dict[str, Any]:
        """Plain data for other programs; ``docs/causes.md`` describes it."""
        numbers = {id(cause): number for number, cause in enumerate(self.chain)}
        return {
            "stripe-causes": VERSION,
            "program": self.program,
            "fail": self.failing,
            "pass": self.passing,
            "check": self.check,
            "chain": [_cause(each) for each in self.chain],
            "transitions": [
                {
                    "from": numbers[id(each.before)],
                    "to": numbers[id(each.after)],
                    "direct": each.direct,
                }
                for each in self.transitions
            ],
            "moments": self.moments,
            "matched": self.matched,
            "tests": {outcome.value: count for outcome, count in self.outcomes.items()},
            "unresolved": dict(self.undecided),
            "certified": self.certified,
            "stopped": self.stopped.value,
            "seconds": round(self.seconds, 3),
            "notes": list(self.notes),
        }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "file": cause.match.failing.file,
        "line": cause.match.failing.line,
        "occurrence": cause.match.failing.occurrence,
        "occurrence_when_passing": cause.match.passing.occurrence,
        "function": cause.match.backtrace[0].function,
        "backtrace": [
            {"function": call.function, "file": call.file, "line": call.line}
            for call in cause.match.backtrace
        ],
        "variables": [
            {
                "name": each.name,
                "change": each.change.value,
                "passing": each.before or None,
                "failing": each.after or None,
            }
            for each in cause.variables
        ],
        "differences": cause.deltas,
        "context": cause.context,
        "certified": cause.certified,
    }

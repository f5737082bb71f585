"""What a search for causes in states answers, as data.

All of it can be written as JSON (:meth:`CausesResult.to_json`) and read again
(:func:`stripe.states.reading.from_json`); every report is made from that and nothing else.
:data:`VERSION` counts the incompatible changes of that form; its JSON Schema is
``stripe/report/schema/causes.json``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stripe.campaign.answer import tests_told
from stripe.dd import Outcome, Reason
from stripe.states.chain import Transition
from stripe.states.isolation import Cause, Variable
from stripe.states.links import Link

VERSION = 1
"""The version of the JSON form."""


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
        """The result as plain JSON data, version :data:`VERSION`."""
        numbers = {id(cause): number for number, cause in enumerate(self.chain)}
        return {
            "format": "stripe-causes-result",
            "version": VERSION,
            "program": self.program,
            "fail": {"input": self.failing, "end": self.ends[0]},
            "pass": {"input": self.passing, "end": self.ends[1]},
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
            "links": [
                {
                    "from": numbers[id(each.before)],
                    "to": numbers[id(each.after)],
                    "shown": each.shown.value,
                    "without": list(each.without),
                    "with": list(each.within),
                    "why": each.why,
                }
                for each in self.links
            ],
            "moments": self.moments,
            "matched": self.matched,
            "source": [
                {"file": file, "line": line, "text": text}
                for (file, line), text in self.source.items()
            ],
            "tests": tests_told(self.outcomes, self.cached, self.resumed),
            "undecided": dict(self.undecided),
            "certified": self.certified,
            "stopped": self.stopped.value,
            "seconds": self.seconds,
            "notes": list(self.notes),
        }


def _variables(variables: Sequence[Variable]) -> list[dict[str, Any]]:
    return [
        {
            "name": each.name,
            "change": each.change.value,
            "passing": each.before or None,
            "failing": each.after or None,
        }
        for each in variables
    ]


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "file": cause.match.failing.file,
        "line": cause.match.failing.line,
        "occurrence": cause.match.failing.occurrence,
        "occurrence_when_passing": cause.match.passing.occurrence,
        "backtrace": [
            {"function": call.function, "file": call.file, "line": call.line}
            for call in cause.match.backtrace
        ],
        "variables": _variables(cause.variables),
        "context": _variables(cause.context),
        "differences": cause.deltas,
        "certified": cause.certified,
        "graph": cause.overlay.to_json(),
    }

"""What a search for failure-inducing changes answers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stripe.dd import Outcome, Reason

VERSION = 1
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True)
class Level:
    """One pass: how many groups of changes there were, and were left, and what it took."""

    name: str
    before: int
    after: int
    tests: int


@dataclass(frozen=True, slots=True)
class Blamed:
    """Changes of one file by one step: what is to blame, or a part of it.

    - ``functions``: where they are; ``commit`` and ``subject``: who made them, if that is known
    - ``lines``: ``-`` or ``+`` and the text
    """

    path: str
    kinds: tuple[str, ...]
    functions: tuple[str, ...]
    commit: str
    subject: str
    author: str
    date: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ChangesResult:
    """The answer of :func:`stripe.changes.find_changes`.

    - ``patch``: from the good version to the good one with the blamed changes, as git applies it
    - ``lines``: how many were changed between the versions; ``blamed_lines``: by the answer
    - ``predicted``: questions that needed no test, for what cannot be right; ``outcomes``: tests
      that were run
    - ``certified``: without any single one of the blamed changes, in the finest ``granularity``, it
      does not fail
    - ``verified``: the answer failed once more in a place of its own; ``None``: not tried
    """

    good: str
    bad: str
    granularity: str
    changes: int
    lines: int
    blamed_lines: int
    blamed: tuple[Blamed, ...]
    patch: bytes
    outcomes: Mapping[Outcome, int]
    predicted: int
    cached: int
    resumed: int
    undecided: Mapping[str, int]
    certified: bool
    stopped: Reason
    verified: bool | None
    seconds: float
    failure: str
    failure_now: str
    levels: tuple[Level, ...]
    notes: tuple[str, ...] = ()
    output: tuple[str, ...] = ()

    @property
    def tests(self) -> int:
        """How many versions were tested."""
        return sum(self.outcomes.values())

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data, version :data:`VERSION`."""
        return {
            "format": "stripe-changes-result",
            "version": VERSION,
            "good": self.good,
            "bad": self.bad,
            "granularity": self.granularity,
            "changes": self.changes,
            "lines": {"changed": self.lines, "blamed": self.blamed_lines},
            "blamed": [
                {
                    "path": each.path,
                    "kinds": list(each.kinds),
                    "functions": list(each.functions),
                    "commit": each.commit,
                    "subject": each.subject,
                    "author": each.author,
                    "date": each.date,
                    "lines": [sign + text for sign, text in each.lines],
                }
                for each in self.blamed
            ],
            "patch": self.patch.decode("utf-8", "replace"),
            "tests": {
                "executed": self.tests,
                **{outcome.name: self.outcomes.get(outcome, 0) for outcome in Outcome},
                "predicted": self.predicted,
                "cached": self.cached,
                "resumed": self.resumed,
            },
            "undecided": dict(self.undecided),
            "certified": self.certified,
            "stopped": self.stopped.value,
            "verified": self.verified,
            "failure": {"bad": self.failure, "answer": self.failure_now},
            "levels": [
                {
                    "granularity": level.name,
                    "before": level.before,
                    "after": level.after,
                    "tests": level.tests,
                }
                for level in self.levels
            ],
            "seconds": round(self.seconds, 6),
            "notes": list(self.notes),
            "output": list(self.output),
        }

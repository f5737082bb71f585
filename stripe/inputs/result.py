"""What a reduction of an input answers, as data; :data:`VERSION` counts incompatible changes."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stripe.dd import Outcome, Reason

VERSION = 1
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True)
class Level:
    """One pass over the input in one kind of units: how many there were, and were left."""

    units: str
    before: int
    after: int
    tests: int


@dataclass(frozen=True, slots=True)
class InputResult:
    """The answer of :func:`stripe.inputs.reduction.reduce_input`.

    - ``failing``: the smallest input found that still fails; in mode ``max`` the original one
    - ``passing``: in the modes ``max`` and ``diff``, the input closest to it that passes
    - ``units``: the finest units, in which the answer is 1-minimal if ``certified``
    - ``outcomes``: executed tests by outcome; ``cached``: answered without running anything;
      ``resumed``: taken from the journal of an earlier run
    - ``verified``: the answer failed (and passed) once more in the end; ``None``: not tried
    - ``failure``, ``failure_now``: the signatures of the failure on the original input and on the
      answer; they differ if the search slipped to another failure
    """

    file: str
    mode: str
    units: str
    original: int
    failing: bytes = field(repr=False)
    passing: bytes | None = field(repr=False)
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
        """How many different inputs were tested."""
        return sum(self.outcomes.values())

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the search early."""
        return self.stopped is Reason.STOPPED

    @property
    def answer(self) -> bytes:
        """The input that was asked for."""
        return self.passing if self.mode == "max" and self.passing is not None else self.failing

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data, version :data:`VERSION`."""
        return {
            "format": "stripe-input-result",
            "version": VERSION,
            "file": self.file,
            "mode": self.mode,
            "units": self.units,
            "bytes": {
                "original": self.original,
                "failing": len(self.failing),
                "passing": None if self.passing is None else len(self.passing),
            },
            "failing": _text(self.failing),
            "passing": None if self.passing is None else _text(self.passing),
            "output": list(self.output),
            "tests": {
                "executed": self.tests,
                **{outcome.name: self.outcomes.get(outcome, 0) for outcome in Outcome},
                "cached": self.cached,
                "resumed": self.resumed,
            },
            "certified": self.certified,
            "stopped": self.stopped.value,
            "verified": self.verified,
            "failure": {"original": self.failure, "answer": self.failure_now},
            "levels": [
                {
                    "units": level.units,
                    "before": level.before,
                    "after": level.after,
                    "tests": level.tests,
                }
                for level in self.levels
            ],
            "seconds": round(self.seconds, 6),
            "notes": list(self.notes),
        }


def _text(content: bytes) -> dict[str, str]:
    """Text as it is, anything else in base 64."""
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}

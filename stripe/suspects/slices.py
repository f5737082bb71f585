"""What the slices of a failing run say of the lines that are suspected.

It stands beside the ranking and has no part in it: a slice may lack the line that is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from stripe.backend import Target
from stripe.interventions import Case, Line, Test
from stripe.results.suspects import Standing

RESERVED = 0.2
"""The share of all seconds that is kept for the slice..."""

MOST = 0.5
"""...and the largest one that it gets if the search ends early."""

LEAST_SECONDS = 1.0
"""Less is not worth to begin."""


@dataclass(frozen=True, slots=True)
class SliceView:
    """The critical slice of one failing run, by lines.

    - ``run``: its name; ``check``: what of it had to stay
    - ``standing``: of lines that it executed
    - ``kept`` of ``of`` executions of statements are in the critical slice
    - ``certified``: none of them can be left out; if not, the search ended before
    - ``dynamic``: whether there is a dynamic slice to compare it with
    """

    run: str
    check: str
    standing: Mapping[Line, Standing]
    kept: int
    of: int
    certified: bool
    dynamic: bool

    def of_line(self, line: Line) -> Standing:
        """What is said of a line."""
        return self.standing.get(line, Standing.ABSENT)


@dataclass(frozen=True, slots=True)
class FailingRun:
    """A run that fails: of all that ``target`` runs the one ``test``, which may be a ``case``."""

    target: Target
    test: Test
    case: Case | None = None


class Slicing(Protocol):
    """Finds the slice of a failing run."""

    def __call__(self, run: FailingRun, seconds: float) -> SliceView:
        """The best slice after about so many seconds.

        Raises:
            StripeError: there is none; why, and what to do about it.
        """
        ...

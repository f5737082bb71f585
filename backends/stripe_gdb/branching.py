"""Replays that begin alike: what is asked of the ptrace engine (``tracer/branching.py``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from stripe.kit.engines import Facts
from stripe.packed import packed, united
from stripe.trace.shrinking import missing
from stripe_gdb.runner import Runner

FUTILE = 3
"""So many trunks that came to hardly any of their branches, and no more are tried."""


class Branches:
    """Whether and how to replay configurations that begin alike."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._futile = 0

    @property
    def possible(self) -> bool:
        """Whether there is an engine that can, and does."""
        return self._runner.target.engine == "ptrace" and self._futile < FUTILE

    def request(self, candidates: Sequence[Sequence[int]]) -> tuple[Sequence[int], dict[str, Any]]:
        """The configuration that they begin like, and what a request says of branches."""
        base = united(candidates[:2])  # nearly always that of all
        left_out = [missing(base, packed(each)) for each in candidates]
        if None in left_out:
            base = united(candidates)
            left_out = [missing(base, packed(each)) for each in candidates]
        deadline = self._runner.target.deadline
        each = deadline.limit(self._runner.timeout)
        whole = deadline.limit(self._runner.timeout * (len(candidates) + 1))
        return base, {"branches": left_out, "timeout": each, "seconds": whole}

    def answers(self, facts: Facts, asked: int) -> Iterable[tuple[int, Facts]]:
        """What came of the branches, as far as it is known."""
        told: Sequence[tuple[int, Facts]] = facts.get("answers", ())
        self._futile += len(told) * 4 < asked
        return told

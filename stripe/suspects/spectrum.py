"""Suspicion of a line by which tests execute it: the spectrum of a test suite.

Formulas as in Wong et al., A Survey on Software Fault Localization (TSE 2016), section 3.2: Ochiai,
DStar with the exponent 2, Tarantula.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from stripe.interventions import Line, Test, Verdict


class Counts(NamedTuple):
    """Failing and passing tests that execute a line, and how many of each there are."""

    failed: int
    passed: int
    failing: int
    passing: int


def ochiai(counts: Counts) -> float:
    """Failed by the geometric mean of all failing tests and of all that execute the line."""
    below = math.sqrt(counts.failing * (counts.failed + counts.passed))
    return counts.failed / below if below else 0.0


def dstar(counts: Counts) -> float:
    """Failed squared, by what speaks against the line; infinite where nothing does."""
    below = counts.passed + counts.failing - counts.failed
    if below:
        return counts.failed**2 / below
    return math.inf if counts.failed else 0.0


def tarantula(counts: Counts) -> float:
    """The share of failing tests, by that and the share of passing ones."""
    failed = counts.failed / counts.failing if counts.failing else 0.0
    passed = counts.passed / counts.passing if counts.passing else 0.0
    return failed / (failed + passed) if failed else 0.0


FORMULAS: Mapping[str, Callable[[Counts], float]] = {
    "ochiai": ochiai,
    "dstar": dstar,
    "tarantula": tarantula,
}


def spectrum(
    tests: Sequence[Test], lines: Sequence[Line], always: Collection[Line] = ()
) -> dict[str, dict[Line, float]]:
    """The score of each line, by formula; ``always``: every test executes these."""
    failing = [each.lines for each in tests if each.verdict is Verdict.FAILED]
    passing = [each.lines for each in tests if each.verdict is Verdict.PASSED]
    counts = {
        line: Counts(
            sum(line in always or line in each for each in failing),
            sum(line in always or line in each for each in passing),
            len(failing),
            len(passing),
        )
        for line in lines
    }
    return {
        name: {line: formula(found) for line, found in counts.items()}
        for name, formula in FORMULAS.items()
    }

"""Measuring side by side: interleaved runs, medians, the spread, and the table they make."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    ``low`` and ``high`` are the extremes over the rounds, so that noise shows.  ``goal`` is
    the figure to reach: at most that, or at least that; ``None``: told for information.
    """

    benchmark: str
    compared: str
    figure: float
    low: float
    high: float
    unit: str
    goal: float | None = None
    at_least: bool = False

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; ``None`` without a goal."""
        if self.goal is None:
            return None
        return self.figure >= self.goal if self.at_least else self.figure <= self.goal

    def data(self) -> dict[str, Any]:
        return {**asdict(self), "reached": self.reached}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much to measure: everything, or (``quick``) just enough to see that it works."""

    quick: bool

    def choose(self, full: int, quick: int) -> int:
        return quick if self.quick else full


def cpu_seconds() -> float:
    """Processor seconds of this process, and of those it started that have ended."""
    return sum(os.times()[:4])


def interleaved(
    rounds: int, *actions: Callable[[int], object], warm_up: int = 1
) -> list[list[float]]:
    """The wall-clock seconds of each action in each round.

    They take turns, A B A B ..., so that a slow spell of the machine hits all of them.

    An action is given the number of its round.  The first ``warm_up`` rounds do not count.
    """
    times: list[list[float]] = [[] for _ in actions]
    for number in range(-warm_up, rounds):
        for action, column in zip(actions, times, strict=True):
            began = time.perf_counter()
            action(max(number, 0))
            taken = time.perf_counter() - began
            if number >= 0:
                column.append(taken)
    return times


def ratio(
    benchmark: str,
    compared: str,
    above: Sequence[float],
    below: Sequence[float],
    goal: float | None = None,
    *,
    at_least: bool = False,
) -> Row:
    """The ratio of two medians; the extremes are those of the ratios of single rounds."""
    single = [one / other for one, other in zip(above, below, strict=True)]
    figure = median(above) / median(below)
    return Row(benchmark, compared, figure, min(single), max(single), "x", goal, at_least)


def value(
    benchmark: str,
    compared: str,
    figures: Sequence[float],
    unit: str,
    goal: float | None = None,
    *,
    at_least: bool = False,
) -> Row:
    """The median of some figures."""
    low, high = min(figures), max(figures)
    return Row(benchmark, compared, median(figures), low, high, unit, goal, at_least)


def table(rows: Iterable[Row]) -> str:
    """The rows as text with aligned columns."""
    cells = [("benchmark", "what is compared", "figure", "min - max", "goal", "reached")]
    for row in rows:
        goal, reached = "", ""
        if row.goal is not None:
            goal = f"{'>=' if row.at_least else '<='} {row.goal:g}"
            reached = "yes" if row.reached else "NO"
        spread = "" if row.low == row.high else f"{number(row.low)} - {number(row.high)}"
        figure = f"{number(row.figure)} {row.unit}"
        cells.append((row.benchmark, row.compared, figure, spread, goal, reached))
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    lines = []
    for line in cells:
        parts = [
            cell.rjust(width) if column in (2, 3) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        lines.append("  ".join(parts).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)


def number(figure: float) -> str:
    """Three significant digits, without exponents."""
    if abs(figure) >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.1f}" if abs(figure) >= 10 else f"{figure:.2f}"

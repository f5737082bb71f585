"""Ways to cut a configuration into pieces."""

from collections.abc import Callable, Hashable
from itertools import pairwise

from .outcomes import Configuration

__all__ = ["Split", "larger_first", "smaller_first", "steps"]

type Split[D: Hashable] = Callable[[Configuration[D], int], list[Configuration[D]]]
"""Cuts a configuration into about n contiguous pieces, none empty, in order."""


def larger_first[D: Hashable](configuration: Configuration[D], n: int) -> list[Configuration[D]]:
    """Cut into n pieces as equal as possible, the larger ones first (Cleve & Zeller 2000, Fig. 5).

    `n` is at least 1 and at most the number of deltas.
    """
    size, rest = divmod(len(configuration), n)
    edges = [i * size + min(i, rest) for i in range(n + 1)]
    return [configuration[a:b] for a, b in pairwise(edges)]


def smaller_first[D: Hashable](configuration: Configuration[D], n: int) -> list[Configuration[D]]:
    """Cut into n pieces, each floor(what is left / pieces left) long, so the smaller ones first.

    The counts of `bug.c` in Hildebrandt & Zeller (ISSTA 2000) need it: 755 -> 377 -> 188.
    """
    size, rest = divmod(len(configuration), n)
    edges = [i * size + max(0, i - (n - rest)) for i in range(n + 1)]
    return [configuration[a:b] for a, b in pairwise(edges)]


def steps[D: Hashable](configuration: Configuration[D], n: int) -> list[Configuration[D]]:
    """Cut into pieces of floor(len / n), and one shorter piece more when that leaves a rest.

    The split of `ddmin()` in the Debugging Book, "Reducing Failure-Inducing Inputs".
    """
    size = len(configuration) // n
    return [configuration[a : a + size] for a in range(0, len(configuration), size)]

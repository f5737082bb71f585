"""Ways to cut that published runs of ddmin need."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise

from stripe.dd.outcomes import Configuration


def smaller_first[D: Hashable](configuration: Configuration[D], n: int) -> list[Configuration[D]]:
    """Cut into n pieces, each floor(what is left / pieces left) long, so the smaller ones first.

    The counts of ``bug.c`` in Hildebrandt & Zeller (ISSTA 2000) need it: 755 -> 377 -> 188.
    """
    size, rest = divmod(len(configuration), n)
    edges = [i * size + max(0, i - (n - rest)) for i in range(n + 1)]
    return [configuration[a:b] for a, b in pairwise(edges)]


def steps[D: Hashable](configuration: Configuration[D], n: int) -> list[Configuration[D]]:
    """Cut into pieces of floor(len / n), and one shorter piece more when that leaves a rest.

    The split of ``ddmin()`` in the Debugging Book, "Reducing Failure-Inducing Inputs".
    """
    size = len(configuration) // n
    return [configuration[a : a + size] for a in range(0, len(configuration), size)]

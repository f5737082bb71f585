"""Changes from coarse to fine: which edits are one delta."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from stripe.changes.disjoint import DisjointSets
from stripe.changes.universe import Universe
from stripe.errors import UsageError

LEVELS = ("commit", "directory", "file", "function", "hunk", "statement", "line")
AUTO = "auto"

FINEST = LEVELS.index("statement")
"""Where ``auto`` ends: single lines mostly make programs that nobody wrote."""

type Group = tuple[int, ...]
"""Edits that are applied together."""


def levels_of(granularity: str) -> tuple[str, ...]:
    """The levels to go through: all but lines, or those with commas between them.

    Raises:
        UsageError: ``unknown-granularity``.
    """
    if granularity == AUTO:
        return LEVELS[: FINEST + 1]
    chosen = granularity.split(",")
    for each in chosen:
        if each not in LEVELS:
            raise UsageError(
                "unknown-granularity",
                f"--granularity {granularity}: {each!r} is none.",
                f"There are {', '.join(LEVELS)}; auto goes through all but lines, coarse to fine.",
            )
    return tuple(level for level in LEVELS if level in chosen)


def groups_of(universe: Universe, edits: Sequence[int], level: str) -> list[Group]:
    """The edits by what they have in common at a level; within what coarser levels tell apart.

    From functions to statements, what a statement holds together is in one group.
    """
    depth = LEVELS.index(level)
    groups: dict[Hashable, list[int]] = {}
    sets = DisjointSets()
    for number in edits:
        edit = universe.edits[number]
        path = universe.path_of(number) if depth == 1 else ""
        key: Hashable = (
            edit.step,
            path.rpartition("/")[0],
            edit.file if depth >= 2 else -1,
            universe.function_of(number) if 3 <= depth <= 4 else "",
            edit.hunk if depth == 4 else -1,
            number if depth >= 5 else -1,
        )
        if 3 <= depth <= 5:
            sets.join(key, ("unit", edit.step, universe.unit(number)))
        groups.setdefault(key, []).append(number)
    together: dict[Hashable, list[int]] = {}
    for key, group in groups.items():
        together.setdefault(sets.root(key), []).extend(group)
    return [tuple(group) for group in together.values()]

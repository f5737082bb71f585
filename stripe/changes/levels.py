"""Changes from coarse to fine: which edits are one delta."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from stripe.changes.universe import Universe
from stripe.errors import UsageError

LEVELS = ("commit", "directory", "file", "function", "hunk", "statement", "line")
AUTO = "auto"

type Group = tuple[int, ...]
"""Edits that are applied together."""


def levels_of(granularity: str) -> tuple[str, ...]:
    """The levels to go through: all, those down to one, or those with commas between them.

    Raises:
        UsageError: ``unknown-granularity``.
    """
    if granularity == AUTO:
        return LEVELS
    chosen = granularity.split(",")
    for each in chosen:
        if each not in LEVELS:
            raise UsageError(
                "unknown-granularity",
                f"--granularity {granularity}: {each!r} is none.",
                f"There are {', '.join(LEVELS)}; auto goes from coarse to fine.",
            )
    return tuple(level for level in LEVELS if level in chosen)


def groups_of(universe: Universe, edits: Sequence[int], level: str) -> list[Group]:
    """The edits by what they have in common at a level; within what coarser levels tell apart."""
    depth = LEVELS.index(level)
    statements = _statements(universe, edits) if level == "statement" else {}
    groups: dict[tuple[Hashable, ...], list[int]] = {}
    for number in edits:
        edit = universe.edits[number]
        path = universe.path_of(number) if depth == 1 else ""
        key = (
            edit.step,
            path.rpartition("/")[0],
            edit.file if depth >= 2 else -1,
            universe.function_of(number) if depth >= 3 else "",
            edit.hunk if depth >= 4 else -1,
            statements.get(number, -1),
            number if depth >= 6 else -1,
        )
        groups.setdefault(key, []).append(number)
    return [tuple(group) for group in groups.values()]


def _statements(universe: Universe, edits: Iterable[int]) -> dict[int, int]:
    """Edits of the same statement, before or after, by the first of them.

    One that removes a part of a statement and adds a part of another one has both be one.
    """
    first: dict[int, int] = {}

    def root(edit: int) -> int:
        while first.setdefault(edit, edit) != edit:
            edit = first[edit]
        return edit

    seen: dict[tuple[Hashable, ...], int] = {}
    for number in edits:
        for statement in universe.statements_of(number):
            key = (universe.edits[number].hunk, *statement)
            one, other = sorted((root(number), root(seen.setdefault(key, number))))
            first[other] = one
    return {number: root(number) for number in list(first)}

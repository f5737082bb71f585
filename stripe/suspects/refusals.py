"""Why there is nothing to be searched."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from stripe.errors import NotReducible
from stripe.interventions import Test

MOST_TOLD = 500
"""Characters of why tests cannot be collected."""


def no_suspects(failing: Sequence[Test], helpers: Collection[object]) -> NotReducible:
    """Nothing that ``failing`` tests execute is suspected; ``helpers``: what they execute."""
    why = (
        "All that the failing tests execute belongs to tests."
        if helpers
        else "No line of your code, outside of the tests' own files, is executed by what fails."
    )
    for test in failing:
        if test.detail:
            why += f" {test.name} cannot be collected: {_end(test.detail.strip())}"
    return NotReducible(
        "no-suspects",
        why,
        "Name more of what is yours: --include NAME; or the failure is in the tests, or before "
        "them (a fixture, or a plugin that is missing).",
    )


def _end(detail: str) -> str:
    """The last lines of a traceback, whole ones."""
    if len(detail) <= MOST_TOLD:
        return detail
    lines = detail[-MOST_TOLD - 1 :].partition("\n")[2]
    return lines or detail[-MOST_TOLD:]

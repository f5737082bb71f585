"""Asking before what a file says is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from stripe.backend import Target
from stripe.errors import UsageError
from stripe.reduce.consent import require_allowed
from stripe.report.plan import plan
from stripe.report.style import PLAIN_WIDTH, is_terminal

MANY = 20
"""So many lines may not all be on the screen when the question comes."""


def confirm(
    target: Target,
    checks: Sequence[str],
    source: str,
    *,
    yes: bool,
    allowed: Sequence[str],
    passing: tuple[Sequence[str], bytes] | None = None,
) -> None:
    """Show what verifying a result runs, and have the user agree; ``passing``: see the plan.

    Raises :class:`~stripe.errors.UsageError`: ``not-confirmed``, ``command-not-allowed``.
    """
    lines = list(plan(target, checks, source, width(), passing))
    sys.stderr.write("\n".join(lines) + "\n")
    if yes:
        require_allowed(checks, allowed)
        return
    hint = "Look at what is shown above. --yes answers yes; stripe show runs nothing."
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        raise UsageError(
            "not-confirmed",
            "Nothing was run: there is no terminal to ask at whether this may be run.",
            hint,
        )
    count = f"All {len(lines)} lines above. " if len(lines) > MANY else ""
    sys.stderr.write(f"{count}Run this? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("not-confirmed", "Nothing was run: the answer was not yes.", hint)


def width() -> int:
    """Columns of the terminal that standard error is, whatever standard output is."""
    try:
        # Some terminals do not know, and say 0.
        return os.get_terminal_size(sys.stderr.fileno()).columns or PLAIN_WIDTH
    except (OSError, ValueError):
        return PLAIN_WIDTH

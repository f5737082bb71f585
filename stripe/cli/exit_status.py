"""How a search ends: with which exit status, and what is said about it."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from stripe.dd import Reason
from stripe.errors import ExitStatus


def conclude(stopped: Iterable[Reason], doubt: str = "") -> int:
    """The exit status that answers deserve; what is not as it should be goes to stderr.

    Args:
        stopped: why each search ended.
        doubt: what is to be said if an answer did not hold when it was run once more.
    """
    reasons = set(stopped)
    if reasons - {Reason.FINISHED}:
        more = " --max-idle 0" if Reason.IDLE in reasons else ""
        sys.stderr.write(f"stripe: The same command with --resume{more} goes on from here.\n")
    if Reason.STOPPED in reasons:
        return ExitStatus.INTERRUPTED
    if doubt:
        sys.stderr.write(f"stripe: {doubt}\n")
        return ExitStatus.NOT_REDUCIBLE
    return ExitStatus.OK

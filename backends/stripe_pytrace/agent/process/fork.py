"""A fork that makes a run of its own: of a fork point, or a moment."""

from __future__ import annotations

import os

from .descriptors import FIRST_OF_OURS, LAST_OF_OURS
from .server import WARDEN, fork, stand_alone

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def forked() -> tuple[int, int]:
    """The child's number and where it is heard; in the child itself, 0 and where it tells."""
    reader, writer = os.pipe()
    child = fork()
    if child == 0:
        stand_alone()
        os.close(reader)
        return 0, writer
    os.close(writer)
    return child, reader


def forget_ours() -> None:
    """In the child: do without what only who has forked it needs open."""
    os.closerange(FIRST_OF_OURS, LAST_OF_OURS)
    if WARDEN is not None:
        WARDEN.descriptors = []


def clear(facts: dict[str, Any], child: int, bury: Callable[..., object]) -> bool:
    """End what a child has left behind; ``dirty`` in its facts: it may have changed files.

    Returns whether it has changed some that are not in the run's own folders.
    """
    if not facts.pop("alone", False):
        bury(group=child)
        facts["dirty"] = True
    outside = WARDEN is not None and bool(WARDEN.renew())
    facts["dirty"] = facts.get("dirty", True) or outside
    return outside

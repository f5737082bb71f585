"""How replays are told which events to keep."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import compress
from typing import Any

from stripe.index_set import as_array
from stripe.trace.model import OPPOSITE, flags


def all_marked(size: int) -> dict[str, Any]:
    """All events, each of which is told: a replay follows plans, as it does for a part of them."""
    return {"marked": flags(range(size), size), "keep": True}


def marked(events: Sequence[int], size: int) -> dict[str, Any]:
    """Of ``size`` events those to keep, as the shorter of these and the others (see ``Marks``)."""
    keep = len(events) <= size // 2
    if len(events) == size:
        return {"marked": b"", "keep": False}
    if 4 * len(events) < size:
        return {"marked": as_array(events).tobytes(), "keep": True}
    kept = flags(events, size)
    if keep:
        return {"marked": kept, "keep": True}
    if 4 * (size - len(events)) >= size:
        return {"marked": kept.translate(OPPOSITE), "keep": False}
    dropped = array("i", compress(range(size), kept.translate(OPPOSITE)))
    return {"marked": dropped.tobytes(), "keep": False}

"""How a run of a changed program ended, in the words of experiments."""

from __future__ import annotations

from stripe.errors import NotReducible
from stripe.interventions import Ended
from stripe.kit.engines import Facts

RAN_OUT = (-27, -24)  # SIGPROF, SIGXCPU


def ended_by(facts: Facts) -> Ended:
    """How an attempt ended, by what is told of its process."""
    if facts["end"] == "refused":
        return Ended.INVALID
    if facts["end"] == "timeout" or facts["status"] in RAN_OUT:
        return Ended.FUEL
    return Ended.WHOLE if facts["end"] == "exited" else Ended.CRASHED


def unseen(facts: Facts) -> NotReducible:
    """Why tests cannot be looked at: it ended before they did."""
    words = facts.get("stderr", b"").decode("utf-8", "replace").strip()[-500:]
    return NotReducible(
        "no-tests",
        f"The tests cannot be looked at: they {facts['end']}{words and f' ({words})'}.",
        "Run them yourself first.",
    )

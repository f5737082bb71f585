"""How runs ended: those that never told it, and those of experiments, in their words."""

from __future__ import annotations

from stripe.errors import NotReducible
from stripe.interventions import Ended
from stripe.kit.engines import Facts

SERVER_ENDED: Facts = {
    "end": "harmful",
    "detail": "it ended the process of STRIPE that runs tests",
    "status": 0,
    "stdout": b"",
    "stderr": b"",
}
"""What is known of a test that never gives an answer."""

RAN_OUT = (-27, -24)  # SIGPROF, SIGXCPU

MOST_TOLD = 500
"""Characters of why something cannot be run."""


def ended_by(facts: Facts) -> Ended:
    """How an attempt ended, by what is told of its process."""
    if facts["end"] == "refused":
        return Ended.INVALID
    if facts["end"] == "timeout" or facts["status"] in RAN_OUT:
        return Ended.FUEL
    return Ended.WHOLE if facts["end"] == "exited" else Ended.CRASHED


def unseen(facts: Facts) -> NotReducible:
    """Why tests cannot be looked at: it ended before they did."""
    told = (facts.get("detail", ""), facts.get("stderr", b"").decode("utf-8", "replace"))
    words = "\n".join(each.strip()[-MOST_TOLD:] for each in told if each.strip())
    return NotReducible(
        "no-tests",
        f"The tests cannot be looked at: they {facts['end']}{words and f' ({words})'}.",
        "Run them yourself first.",
    )


def not_run(why: str) -> NotReducible:
    """Why there is no test that could be run."""
    return NotReducible(
        "no-tests",
        f"The tests cannot be run: {why}",
        "Run them yourself first: they have to be found. Options for STRIPE stand before -m; what "
        "is behind is for the tests.",
    )

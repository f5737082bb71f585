"""Why a replay decides nothing."""

from __future__ import annotations

from pathlib import PurePath

from stripe.backend import End, Observation

LONGEST = 160
"""Characters of a reason."""


def reason(observation: Observation) -> str:
    """Why nothing can be said of a run, in a few words that many runs share."""
    raised = observation.exception
    if observation.end is End.SIGNAL:
        text = f"killed by signal {observation.status}"
    elif observation.end is not End.EXITED:
        text = observation.end.value
        own = observation.end is End.DIFFERED  # hardly two runs differ in the same value
        if observation.detail and observation.detail != text and not own:
            text += f": {observation.detail}"
    elif raised is not None:
        where = f" at {PurePath(raised.file).name}:{raised.line}" if raised.file else ""
        text = f"{raised.type}{where}"
    elif not observation.stdout and not observation.stderr:
        text = "it printed nothing"
    else:
        text = "the check cannot say"
    return text[:LONGEST]

"""The agent's entry: one job, told in one message."""

from __future__ import annotations

import gc
import os

from .process import wire
from .process.server import Server, be_zygote, new_zygotes, stand_alone
from .process.zygotes import BORN, ORDERS, TWIN, tell_ready, wait_for_order
from .recorded_run import RecordedRun
from .recording.monitor import NoToolId, raised_in_ours
from .recording.program import leave
from .recording.report import Report
from .replayed_run import ReplayedRun
from .snapshots.restore import with_room

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

type Job = dict[str, Any]


def main(source: int, sink: int) -> None:
    """Take a job from ``source``, answer on ``sink``; see ``host.py`` for the messages."""
    job = wire.begin(source, sink)
    gc.freeze()  # what is ours is not looked through in each run
    if job["mode"] == "wait":
        job, sink = wait(job["orphans"], source, sink)
    elif job["mode"] == "fork":
        tell_ready()
        job = wait_for_order(stand_alone)["job"]
    # A run that ends outside of this room gives it back to the system, and cannot be put back.
    with_room(lambda: work(job, source, sink))


def work(job: Job, source: int, sink: int) -> None:
    """Do a job, and end the process."""
    report = Report(sink)
    try:
        if job["mode"] == "record":
            result, fast = RecordedRun(job, report).run(), False
        else:
            result, fast = ReplayedRun(job, source, report).run()
    except (NoToolId, SyntaxError) as error:
        if job["mode"] == "fork":
            os._exit(1)
        wire.send(sink, {"end": "refused", "kind": type(error).__name__, "detail": str(error)})
        os._exit(1)
    except Exception as error:
        if raised_in_ours(error):
            report.fault(error)
        raise
    leave(result, report.send, fast=fast)


def wait(orphans: str, source: int, sink: int) -> tuple[Job, int]:
    """Start what is asked for, until a job comes: in a fork, or for this process (a ``role``).

    Returns the job, and where it reports to.
    """
    zygotes = new_zygotes()
    request = Server(source, sink, orphans, zygotes=zygotes).serve()
    if "role" in request:
        ends = zygotes.fork(TWIN)
        if ends is not None:
            be_zygote(*ends, zygotes.outputs)
            job = wire.begin(ORDERS, BORN)
            os.chdir(job["directory"])
            return job, BORN
        os.chdir(request["directory"])  # the one we were in may have been made anew since
        return {**request["job"], "zygotes": zygotes}, sink
    request["alarms"].close()  # nobody takes note of those of a run that is recorded
    return request["job"], request["sink"]

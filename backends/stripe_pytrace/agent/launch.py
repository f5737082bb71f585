"""The entry of a launcher: each of its runs is a fresh process, so it loads little of the agent."""

from __future__ import annotations

import os

from . import wire
from .server import serve


def main(source: int, sink: int) -> None:
    """Take the one job from ``source``, then start what is asked for until the host is gone."""
    job = wire.receive(source)
    if job is None:
        raise SystemExit(0)
    os.set_inheritable(source, False)
    os.set_inheritable(sink, False)
    serve(source, sink, job["orphans"])

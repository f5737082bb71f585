"""The entry of a launcher: each of its runs is a fresh process, so it loads little of the agent."""

from __future__ import annotations

from . import wire
from .server import serve


def main(source: int, sink: int) -> None:
    """Take the one job from ``source``, then start what is asked for until the host is gone."""
    job = wire.begin(source, sink)
    serve(source, sink, job["orphans"])

"""A limit of the work that something takes, counted: the same on every machine."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.patience import PATIENCE

MOST_STEPS = 3_000_000
"""Jumps and calls of Python code that may be taken, in about a second.

Reading and reporting a small result takes some ten thousands.
"""

TOOL = 3
"""Our number for ``sys.monitoring``: ``tools.mutants`` has the other one that is nobody's."""


class TooManyStepsError(BaseException):
    """Work without end, or as good as."""


@contextmanager
def limited(size: int = 0) -> Iterator[None]:
    """Let what is done inside take so many steps; a count, so that it fails on any machine.

    ``size``: bytes of what is worked on, if that may be much; a few more steps for each.
    """
    most = MOST_STEPS + 4 * size
    monitoring, steps = sys.monitoring, 0

    def step(*where: object) -> None:
        nonlocal steps
        steps += 1
        if steps == most:  # once: what cleans up must not be disturbed
            raise TooManyStepsError

    def late(*anything: object) -> None:
        raise TooManyStepsError

    kinds = monitoring.events.JUMP | monitoring.events.PY_START
    monitoring.use_tool_id(TOOL, "stripe-mutants")
    for kind in (monitoring.events.JUMP, monitoring.events.PY_START):
        monitoring.register_callback(TOOL, kind, step)
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    monitoring.set_events(TOOL, kinds)
    try:
        yield
    finally:
        monitoring.set_events(TOOL, 0)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        monitoring.free_tool_id(TOOL)

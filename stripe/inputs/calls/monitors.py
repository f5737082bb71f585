"""Finds a place for a tool of `sys.monitoring`: there are six."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from stripe.errors import NotReducible


def take_place(name: str) -> int:
    """Take a place for a tool and return its number; give it back by `free_tool_id`.

    Raises:
        NotReducible: when other tools have taken all of them.
    """
    # Those without a meaning first (PEP 669): other tools will look for theirs.
    for tool in (3, 4, 5, 1, 2, 0):
        if sys.monitoring.get_tool(tool) is None:
            sys.monitoring.use_tool_id(tool, name)
            return tool
    raise NotReducible(
        "no-monitoring",
        "All six places for tools of sys.monitoring are taken.",
        "End a debugger, profiler or coverage tool, or leave another DeltaDebugger first.",
    )


@contextmanager
def free_place(name: str) -> Iterator[int]:
    """Take a place for a tool for as long as the block lasts."""
    tool = take_place(name)
    try:
        yield tool
    finally:
        sys.monitoring.free_tool_id(tool)

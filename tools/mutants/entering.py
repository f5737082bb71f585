"""Which lines of which functions a process executes, by ``sys.monitoring``.

In tests, the command is another process: while the nearest tests are looked for, it calls
:func:`note` first, and writes down in memory what it has entered when it ends.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
from pathlib import Path
from types import CodeType

TOOL = 4
"""Our number for ``sys.monitoring``: no one else's, by its documentation."""
NOTES = Path("/dev/shm/mutants")
ROOT = f"{Path(__file__).parents[2]}{os.sep}"

entered: set[tuple[str, int, int]] = set()
"""Paths below the checkout, first lines of functions, and lines."""


def listen() -> None:
    """From now on, add to :data:`entered`."""
    line = sys.monitoring.events.LINE
    sys.monitoring.use_tool_id(TOOL, "mutants")
    sys.monitoring.register_callback(TOOL, line, _line)
    sys.monitoring.set_events(TOOL, line)
    sys.monitoring.restart_events()


def stop() -> None:
    """Listen no more."""
    sys.monitoring.set_events(TOOL, 0)
    sys.monitoring.free_tool_id(TOOL)


def note() -> None:
    """Listen until this process ends, and leave a note; but not where a test has our ear."""
    if sys.monitoring.get_tool(TOOL) or "pytest" in sys.modules:
        return
    NOTES.mkdir(exist_ok=True)
    process = os.getpid()

    def leave() -> None:
        if os.getpid() == process:
            Path(NOTES, str(process)).write_text(json.dumps(sorted(entered)))

    atexit.register(leave)
    listen()


def noted() -> set[tuple[str, int, int]]:
    """What processes have left notes about; the notes are gone then."""
    found: set[tuple[str, int, int]] = set()
    for path in NOTES.glob("*"):
        found.update((name, first, line) for name, first, line in json.loads(path.read_text()))
        path.unlink()
    return found


def _line(code: CodeType, line: int) -> object:
    if code.co_filename.startswith(ROOT) and code.co_filename.endswith(".py"):  # no template
        entered.add((code.co_filename[len(ROOT) :], code.co_firstlineno, line))
    return sys.monitoring.DISABLE

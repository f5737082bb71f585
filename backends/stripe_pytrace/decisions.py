"""Where the decisions of replays are written to, if somebody asks for them (``STRIPE_LOG``)."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable

from stripe.errors import UsageError

VARIABLE = "STRIPE_LOG"
EVENT = re.compile(r"\bevent (\d+)\b")


class DecisionLog:
    """Writes what agents tell of their decisions, replay by replay, to a file or standard error.

    ``name`` is what people call an event.
    """

    def __init__(self, path: str, name: Callable[[int], str]) -> None:
        self._path = path
        self._name = name
        self._lock = threading.Lock()
        self._replays = 0

    def write(self, what: str, decisions: str, end: str) -> None:
        """Add a replay: what it was of, its decisions a line each, and how it ended."""

        def named(found: re.Match[str]) -> str:
            return f"event {found[1]} ({self._name(int(found[1]))})"

        with self._lock:
            self._replays += 1
            head = f"replay {self._replays}"
            lines = [f"{head}: {what}", *decisions.splitlines(), f"ends: {end}"]
            text = "".join(f"{head}: {EVENT.sub(named, line)}\n" for line in lines[1:])
            text = f"{lines[0]}\n{text}"
            if not self._path:
                sys.stderr.write(text)
                return
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(text)


def decision_log(name: Callable[[int], str]) -> DecisionLog | None:
    """The log that the environment asks for: ``STRIPE_LOG=replay``, or ``replay=FILE``.

    Raises:
        UsageError: ``bad-log``.
    """
    asked = os.environ.get(VARIABLE, "")
    what, _, path = asked.partition("=")
    if not asked:
        return None
    if what != "replay":
        raise UsageError(
            "bad-log",
            f"{VARIABLE}={asked} asks for a log that there is not.",
            f"{VARIABLE}=replay writes the decisions of replays to standard error, "
            f"{VARIABLE}=replay=FILE to a file.",
        )
    return DecisionLog(path, name)

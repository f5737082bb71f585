"""What a process tells the host when it ends."""

from __future__ import annotations

import os
import sys

from ..process import wire
from .monitor import told_fault

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONGEST_VALUE = 10_000
RAISE_LIMIT = sys.setrecursionlimit  # before the program gets one that hides our frames


class Report:
    """What the process tells when it ends, however it ends by its own will."""

    def __init__(self, sink: int) -> None:
        self.sink = sink
        self.process = os.getpid()
        self.sent = False
        self.facts: dict[str, Any] = {"end": "exited"}
        self.values: dict[int, str] = {}
        self.before: Callable[[], None] = lambda: None
        self.after: Callable[[int], None] = lambda status: None

    def send(self) -> None:
        if not self.sent and self.process == os.getpid():
            self.sent = True
            try:
                self.before()
                wire.send(self.sink, {**self.facts, "values": self.values})
            except RecursionError:
                self.sent = False  # 3.12 counts C calls apart, and lets nobody have more: later
                raise

    def stop(self, end: str, detail: str) -> None:
        """End this process now: the program must not notice, catch, or clean up anything."""
        if self.process == os.getpid():
            RAISE_LIMIT(1 << 20)  # it may have recursed to the limit
            self.facts["end"], self.facts["detail"] = end, detail[:LONGEST_VALUE]
            self.send()
        os._exit(1)

    def fault(self, error: BaseException) -> None:
        """End this process for a failure of our own code, which is none of the program's."""
        self.before = lambda: None  # it may depend on what has failed
        self.stop("fault", told_fault(error))

    def exception(self, facts: dict[str, Any]) -> None:
        facts["message"] = facts["message"][:LONGEST_VALUE]
        self.facts["exception"] = facts

    def install(self) -> None:
        """Also report when the program ends itself by ``os._exit``."""
        exit_now = os._exit

        def _exit(status: int) -> None:
            self.send()
            if self.process == os.getpid():
                self.after(status)
            exit_now(status)

        os._exit = _exit  # type: ignore[assignment]

    def prober(self, aside: Callable[[bool], object]) -> Any:
        """What the instrumented code calls to show a value, which is no part of the run."""

        def probe(number: int, *value: Any) -> None:
            if not value:
                self.values.pop(number, None)
                return
            aside(True)
            try:
                self.values[number] = repr(value[0])[:LONGEST_VALUE]
            except Exception as error:
                self.values[number] = f"<repr() raised {type(error).__name__}>"
            finally:
                aside(False)

        return probe

"""Requests and answers, a line of JSON each, in the pipes of an engine."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from stripe.kit.engines import Gone
from stripe.sandbox.termination import can_be_read

START_SECONDS = 60.0
GRACE_SECONDS = 15.0


class Conversation:
    """Speaks with an engine, which deals with one request at a time.

    Args:
        process: it, with pipes for its standard input and output.
        gone: makes the error for an engine that is of no use any more: it has ended, or
            (``late``) does not answer in time.
    """

    def __init__(self, process: subprocess.Popen[bytes], gone: Callable[[bool], Gone]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._requests = process.stdin
        self._answers = process.stdout
        self._gone = gone
        self._unread = b""
        self._sending = threading.Lock()
        self._asked = False

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request; its answer, within ``seconds`` and some grace.

        Raises:
            Gone: when there is none.
        """
        with self._sending:
            self.say(request)
            self._asked = True
        try:
            answer: dict[str, Any] = json.loads(self.line(seconds + GRACE_SECONDS))
            return answer
        finally:
            with self._sending:
                self._asked = False

    def cancel(self) -> None:
        """End the run that another thread waits for, if there is one: it is ``cancelled``."""
        with self._sending, contextlib.suppress(Gone):
            if self._asked:
                self.say({"request": "cancel"})

    def say(self, request: Mapping[str, Any]) -> None:
        """Send a request, whose answer is not waited for."""
        self.write(json.dumps(dict(request)))

    def write(self, line: str) -> None:
        """Send a line."""
        data = memoryview(line.encode("ascii") + b"\n")
        try:
            while data:  # the pipe may be one that does not wait
                select.select([], [self._requests], [], START_SECONDS)
                data = data[os.write(self._requests.fileno(), data) :]
        except OSError:
            raise self._gone(False) from None

    def line(self, seconds: float) -> str:
        """The next line that comes."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._unread:
            left = max(0.0, deadline - time.monotonic())
            if not can_be_read(self._answers.fileno(), left, self._process):
                raise self._gone(True)
            more = os.read(self._answers.fileno(), 1 << 16)
            if not more:
                raise self._gone(False)
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("ascii", "replace")

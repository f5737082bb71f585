"""Ends a program that runs too long, or is not needed any more: it may hit no breakpoint.

Requests are read here as well: the main thread cannot read while the program runs, and a request
may be to cancel the one that is being answered.
"""

import json
import os
import queue
import select
import signal
import threading
import time

from .requests import QUIET


class Watchdog:
    """A thread that kills the process ``process`` once ``deadline`` (monotonic) is over.

    A program that still stops is ended there, for gdb must not lose it while it looks at it.
    """

    def __init__(self):
        self.requests = queue.SimpleQueue()
        self.deadline = self.process = None
        self.latest = 0.0
        self.fired = self.cancelled = False
        self._received = self._answering = self._cancelled = 0  # numbers of requests, from 1
        self._lock = threading.Lock()

    def read(self, descriptor):
        """Read requests from ``descriptor``, a line of JSON each, from now on."""
        # A signal for gdb (SIGCHLD) that this thread took would be lost: gdb then waits for ever.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        threading.Thread(target=self._work, args=(descriptor,), daemon=True).start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def next(self):
        """The next request, or ``None`` after the last."""
        self._answering += 1
        return self.requests.get()

    def start(self, seconds):
        with self._lock:
            self.fired = False
            self.cancelled = self._cancelled == self._answering
            self.process = None
            self.latest = 0.0
            self.deadline = 0.0 if self.cancelled else time.monotonic() + seconds

    def hold(self):
        """Do not count the time while somebody looks at the program, which has stopped."""
        with self._lock:
            self.deadline = None

    def grant(self, seconds):
        """Let the program go on for so long."""
        with self._lock:
            self.latest = time.monotonic()
            self.deadline = 0.0 if self.cancelled else self.latest + seconds

    def still(self):
        """Whether the program has not stopped for a while: it waits, or computes in a library."""
        return time.monotonic() > self.latest + QUIET

    def stop(self):
        with self._lock:
            self.deadline = self.process = None

    def _work(self, descriptor):
        pending = b""
        while True:
            readable = select.select([descriptor], [], [], 0.1)[0]
            if readable:
                more = os.read(descriptor, 1 << 16)
                *lines, pending = (pending + more).split(b"\n")
                for line in lines:
                    self._take(json.loads(line))
                if not more:
                    self.requests.put(None)
                    return
            self._look()

    def _take(self, request):
        if request["request"] != "cancel":
            self._received += 1
            self.requests.put(request)
            return
        with self._lock:
            self._cancelled = self._received  # it may be over, at work, or not begun
            if self.deadline is not None and self._answering == self._cancelled:
                self.deadline = 0.0
                self.cancelled = True

    def _look(self):
        with self._lock:
            now = time.monotonic()
            if self.deadline is None or not self.process:
                return
            if now > self.deadline and now > self.latest + QUIET:
                self.deadline = None
                self.fired = True
                try:
                    os.kill(self.process, signal.SIGKILL)
                except OSError:
                    pass

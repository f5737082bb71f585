"""Ends a program that runs too long: it may hit no breakpoint any more."""

import os
import signal
import threading
import time

QUIET = 0.4
"""Seconds without a stop after which a program is killed from outside; one that still stops is
ended there, for gdb must not lose it while it looks at it."""


class Watchdog:
    """A thread that kills the process ``process`` once ``deadline`` (monotonic) is over."""

    def __init__(self):
        self.deadline = self.process = None
        self.latest = 0.0
        self.fired = False
        # A signal for gdb (SIGCHLD) that this thread took would be lost: gdb then waits for ever.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        threading.Thread(target=self._watch, daemon=True).start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def start(self, seconds):
        self.fired = False
        self.process = None
        self.latest = 0.0
        self.deadline = time.monotonic() + seconds

    def stop(self):
        self.deadline = None

    def _watch(self):
        while True:
            time.sleep(0.1)
            deadline, process, now = self.deadline, self.process, time.monotonic()
            if deadline and process and now > deadline and now > self.latest + QUIET:
                self.deadline = None
                self.fired = True
                try:
                    os.kill(process, signal.SIGKILL)
                except OSError:
                    pass

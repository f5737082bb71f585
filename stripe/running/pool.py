"""The places in which the tests of one trial run, made when they are needed."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from stripe.running.current import RunningTests
from stripe.sandbox import places
from stripe.sandbox.commands import limits_explained
from stripe.sandbox.layers import find_layer
from stripe.sandbox.scratch import Scratch
from stripe.sandbox.walls import Layer, no_sandbox

LEAVE_SECONDS = 10.0
"""A thread that was told to end leaves its place within so long, or is not waited for."""


class Place(Protocol):
    """What has to be closed."""

    def close(self) -> None:
        """End what runs there, and remove it."""
        ...


class Pool[P: Place]:
    """Places for as many tests as run at a time, in a scratch folder that opens with the first one.

    Args:
        make: makes a place in that folder, of a number that no other one has.
        what: why there has to be a sandbox, as a sentence without its end.
        unsafe: go on where the system has none.
    """

    def __init__(
        self, make: Callable[[Path, int, Layer], P], what: str, *, unsafe: bool = False
    ) -> None:
        self.running = RunningTests()
        self.scratch = Path()
        self.layer = Layer.NONE
        self._make = make
        self._what = what
        self._unsafe = unsafe
        self._idle: queue.SimpleQueue[P] = queue.SimpleQueue()
        self._made = 0
        self._lock = threading.Lock()
        self._stack: ExitStack | None = None

    def open(self) -> None:
        """Make the scratch folder, if there is none yet.

        Raises:
            UsageError: ``no-sandbox``, ``system-limit``.
        """
        with self._lock:
            self._open()

    def _open(self) -> None:
        if self._stack is not None:
            return
        if self.running.closed:
            raise RuntimeError("the trial is over")  # a thread that was told to end comes late
        self.layer, why = find_layer()
        if self.layer is Layer.NONE and not self._unsafe:
            raise no_sandbox(self._what, why)
        with ExitStack() as stack, limits_explained():
            scratch = Scratch()
            stack.callback(scratch.close)
            self.scratch = scratch.path
            stack.callback(places.end_below, self.scratch)
            self._stack = stack.pop_all()

    def close(self) -> None:
        """End every process, and remove every place."""
        self.running.close()
        with self._lock:
            if self._stack is None:
                return
            for _ in range(self._made):
                try:
                    self._idle.get(timeout=LEAVE_SECONDS).close()
                except queue.Empty:
                    break
            stack, self._stack = self._stack, None
        stack.close()

    @contextmanager
    def place(self, *, new: bool = False) -> Iterator[P]:
        """A place for one test; ``new``: one in which there was none before."""
        place = None if new else self._free()
        if place is None:
            with self._lock, limits_explained():
                self._open()
                place = self._make(self.scratch, self._made, self.layer)
                self._made += 1
        try:
            yield place
        finally:
            self._idle.put(place)

    def _free(self) -> P | None:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return None

"""Runs a function in forked children behind walls: nothing it does is left behind.

A *server* is forked once from this process (see `server`); each test is a child of it. Where no
layer of walls is to be had, this is refused, unless the user wants it nevertheless.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from stripe.inputs.calls import server
from stripe.sandbox.scratch import Scratch
from stripe.sandbox.walls import VARIABLE, Layer, no_sandbox

GRACE: Final = 30.0
"""Seconds a server may take beyond the limit of a test: to start, and to clean up."""

MEMORY: Final = "/dev/shm"
"""Where the layer of namespaces keeps what it needs: covered there, and seen by nobody else."""


class Ended(Exception):
    """There is no answer: the child was stopped at its limit, or ended itself."""


class _Refused(Exception):
    """The layer cannot be had; the text says why."""


class Server:
    """Answers requests by a function that runs in a child with a copy of all there is.

    Whatever the child prints is discarded, its standard input is empty. All that it has started
    ends before the next request is answered, and before `close` returns.

    Args:
        function: its exceptions count as an end without an answer.
        limit: seconds it may take.
        unsafe: go on without walls if there are none.
        what: is tested, in an error.

    Attributes:
        layer: the walls.

    Raises:
        UsageError: when there are no walls.
    """

    def __init__(
        self, function: Callable[[bytes], bytes], limit: float, *, unsafe: bool, what: str
    ) -> None:
        self._function = function
        self._limit = limit
        reasons = []
        for layer in _layers():
            try:
                self._process = _Process(function, limit, layer)
            except _Refused as refused:
                reasons.append(f"{layer.value}: {refused}")
                continue
            self.layer = layer
            return
        if not unsafe:
            forced = os.environ.get(VARIABLE)
            absent = f"{VARIABLE} is {forced}" if forced else f"{sys.platform} has no such thing"
            raise no_sandbox(what, "; ".join(reasons) or absent)
        self.layer = Layer.NONE
        self._process = _Process(function, limit, self.layer)

    def ask(self, request: bytes) -> bytes:
        """Return the function's answer.

        A server that has ended, as the system ends processes when memory is short, is started
        anew, once.

        Raises:
            Ended: when there is none; the text says why.
        """
        answer = self._process.ask(request)
        if answer is None:
            self.close()
            try:
                self._process = _Process(self._function, self._limit, self.layer)
                answer = self._process.ask(request)
            except _Refused:
                answer = None
        if answer is None:
            raise Ended("the process that runs the tests ended")
        if not answer.startswith(server.ANSWER):
            raise Ended(answer[1:].decode(errors="replace"))
        return answer[1:]

    def close(self) -> None:
        """End it, and all that it has started."""
        self._process.close()


def _layers() -> list[Layer]:
    forced = os.environ.get(VARIABLE)
    if forced:
        return [layer for layer in (Layer(forced),) if layer is not Layer.NONE]
    return [Layer.NAMESPACES, Layer.LANDLOCK] if sys.platform == "linux" else []


class _Process:
    """One server process.

    Raises:
        _Refused: when it cannot have the layer.
    """

    def __init__(self, function: Callable[[bytes], bytes], limit: float, layer: Layer) -> None:
        self._limit = limit
        self._scratch: Scratch | None = None
        room = MEMORY
        if layer is not Layer.NONE:
            usual = os.path.isdir(MEMORY) and os.path.realpath(MEMORY) == MEMORY
            if layer is Layer.LANDLOCK or not usual:
                self._scratch = Scratch()
                room = str(self._scratch.path)
        self._channel, theirs = socket.socketpair()
        host = os.getpid()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            with warnings.catch_warnings():
                # Other threads do not exist in the child. If one held a lock the child waits for,
                # the limit ends it: a test without an answer, never a wrong one.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._child = os.fork()
            if self._child == 0:
                try:
                    _die_with(host)
                    self._channel.close()
                    server.start(theirs, function, limit, layer, room, before)
                finally:
                    os._exit(1)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        try:
            theirs.close()
            self._channel.settimeout(GRACE)
            answer = self._receive()
        except BaseException:
            self.close()
            raise
        if answer != server.READY:
            self.close()
            raise _Refused((answer or b"-it ended")[1:].decode(errors="replace"))

    def ask(self, request: bytes) -> bytes | None:
        """Return its answer as it is; None if it is gone."""
        self._channel.settimeout(self._limit + GRACE)
        try:
            server.send(self._channel, request)
        except OSError:
            return None
        return self._receive()

    def _receive(self) -> bytes | None:
        try:
            return server.receive(self._channel, server.LONGEST + 1)
        except OSError:  # it is late, or was killed before it had read all that was sent
            return None

    def close(self) -> None:
        """End it."""
        if not self._child:
            return
        child, self._child = self._child, 0
        try:
            with suppress(OSError):
                self._channel.shutdown(socket.SHUT_WR)
            self._channel.settimeout(GRACE)
            while self._receive() is not None:
                pass
            _wait(child)
        finally:
            self._channel.close()
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
            if self._scratch is not None:
                self._scratch.close()


def _wait(child: int) -> None:
    """Wait for its end: then all that was behind its walls has ended, too."""
    if hasattr(os, "pidfd_open"):
        with suppress(OSError):
            ended = os.pidfd_open(child)
            try:
                select.select([ended], [], [], GRACE)
            finally:
                os.close(ended)


def _die_with(host: int) -> None:
    """In a child: end when its parent does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != host:
            os._exit(1)

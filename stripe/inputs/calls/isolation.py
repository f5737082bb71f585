"""Runs a function in a forked child: nothing it does is left behind, and its time is limited."""

from __future__ import annotations

import ctypes
import faulthandler
import glob
import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from types import MappingProxyType
from typing import Final

__all__ = ["Ended", "isolated"]

PDEATHSIG: Final = 1
SUBREAPER: Final = 36
"""prctl(2): the signal a process gets when its parent ends; to inherit the orphans below."""

LENGTH: Final = 8
"""Bytes that say how long an answer is."""

NAMES = MappingProxyType({int(one): one.name for one in signal.Signals})


class Ended(Exception):
    """The child brought no answer: it was stopped at its limit, or ended itself."""


def isolated(function: Callable[[], bytes], limit: float) -> bytes:
    """Return what `function` returns, run in a child that has a copy of all there is.

    Whatever the child prints is discarded, its standard input is empty. It ends before this
    function does, and so does all that it has started (outside of Linux: its process group).

    Args:
        function: its exceptions count as an end without an answer.
        limit: seconds it may take.

    Raises:
        Ended: when there is no answer; the text says why.
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Other threads do not exist in the child. If one held a lock the child waits for, the
        # limit ends it: a test without an answer, never a wrong one.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _alone()
            answer = function()
            answer = len(answer).to_bytes(LENGTH) + answer
            while answer:
                answer = answer[os.write(writing, answer) :]
            while True:
                signal.pause()  # until all that was started here has been found, and ended
        except BaseException:
            os._exit(1)
        finally:
            os._exit(1)
    status: int | None = None
    try:
        os.close(writing)
        with suppress(OSError):
            os.setpgid(child, child)  # whoever of us comes first
        answer_of_child = _read(reading, time.monotonic() + limit)
    finally:
        os.close(reading)
        for process in (*_stopped(child), -child):  # -child: its process group
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if answer_of_child is None:
        raise Ended(f"no answer within {limit:g} s")
    if not answer_of_child:
        code = os.waitstatus_to_exitcode(status)
        raise Ended(f"ended by {NAMES.get(-code, code)}" if code < 0 else f"exit status {code}")
    return answer_of_child


def _stopped(process: int) -> list[int]:
    """Stop a process and all below it, one after the other; return them."""
    with suppress(OSError):
        os.kill(process, signal.SIGSTOP)
    found = [process]
    for listed in glob.glob(f"/proc/{process}/task/*/children"):
        with suppress(OSError), open(listed, encoding="ascii") as file:
            for child in file.read().split():
                found += _stopped(int(child))
    return found


def _read(source: int, until: float) -> bytes | None:
    """Read the answer: None when time is up, nothing when the child ends without one.

    The end of the pipe is not waited for: processes the child started may hold it.
    """
    read = bytearray()
    poll = select.poll()
    poll.register(source, select.POLLIN)
    while len(read) < LENGTH or len(read) < LENGTH + int.from_bytes(read[:LENGTH]):
        left = until - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            return None
        piece = os.read(source, 65536)
        if not piece:
            return b""
        read += piece
    return bytes(read[LENGTH:])


def _alone() -> None:
    """Prepare the child: a group of its own, no input, no output, no timers of the parent."""
    os.setpgid(0, 0)
    if sys.platform == "linux":
        parent = os.getppid()
        prctl = ctypes.CDLL(None).prctl
        prctl(PDEATHSIG, signal.SIGKILL)
        prctl(SUBREAPER, 1)
        if os.getppid() != parent:
            os._exit(1)
    signal.set_wakeup_fd(-1)
    faulthandler.disable()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    sys.stdin = os.fdopen(os.dup(nothing), "r", encoding="utf-8")
    sys.stdout = sys.stderr = os.fdopen(nothing, "w", encoding="utf-8")

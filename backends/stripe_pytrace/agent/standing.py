"""A process that has run the program to a moment, and forks there for each run that is asked for.

It is one of the ``Outposts`` of the process that has forked it.  What a fork would share with the
others, or would not have, as a run from the beginning has it, keeps it from standing there.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import fcntl
import os
import sys
import time

from . import wire
from .branching import open_files, printed
from .captures import Capture, redirect
from .descriptors import DEVICES, is_regular, moved, settled
from .forking import clear, forget_ours, forked
from .outposts import HOLDS, SPOILS
from .progress import Alarms, Watch
from .server import (
    CONTROL,
    PR_SET_CHILD_SUBREAPER,
    WARDEN,
    load,
    supervise,
    threads,
)

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

type Request = dict[str, Any]


class Post:
    """Made before the program begins; ``alarms`` takes note of those that it sets."""

    def __init__(self, request: Request, source: int, sink: int, orphans: str) -> None:
        self._bury = load(orphans, os, signal, time)["bury"]
        CONTROL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._source, self._sink, self._orders, self._told = moved(
            source, sink, request["orders"], request["told"]
        )
        if WARDEN is not None:
            WARDEN.move(moved)
        self._outputs = Capture("stdout"), Capture("stderr")
        for each in self._outputs:
            each.move(moved)
        redirect(request, *self._outputs)
        self._alarms: Alarms = request["alarms"]
        self._alarms.clear()
        self._alarms.install()
        self._files, self._mapped = open_files(), shared_memory()

    def unlike(self) -> str:
        """What a fork would have otherwise than a run from the beginning has; empty: nothing."""
        if threads() > 1:
            return "threads"
        if self._alarms.latest:
            return "an alarm"
        if signal.getsignal(signal.SIGCHLD) != signal.SIG_DFL:
            return "a handler for children that end"
        if sys.gettrace() is not None or sys.getprofile() is not None:
            return "a tracer"
        if any(each.split()[0] in ("1", "2") for each in self._files - open_files()):
            return "another output"
        if shared_memory() != self._mapped:
            return "shared memory"
        if any(not is_read_alone(each) for each in self._opened()):
            return "an open file"
        return ""

    def stand(self) -> Request:
        """Fork for each request, until the host is gone; in a child, returns what it asks for."""
        before = [printed(number) for number in (1, 2)]
        opened = self._opened()
        # They share these with all forks, as the files are open once.
        places = [
            (each, os.lseek(each, 0, os.SEEK_CUR), fcntl.fcntl(each, fcntl.F_GETFL))
            for each in {0, 1, 2, *opened}
            if is_regular(each)
        ]
        directory = os.getcwd()
        os.write(self._told, HOLDS if opened else b".")
        while True:
            request = wire.receive(self._orders)
            if request is None:
                os._exit(0)
            os.chdir(directory)  # may be a new one of that name
            for capture, text in zip(self._outputs, before, strict=True):
                capture.begin(text)
            for each, place, flags in places:
                os.lseek(each, place, os.SEEK_SET)
                fcntl.fcntl(each, fcntl.F_SETFL, flags)
            began = time.monotonic()
            self._alarms.clear()
            child, pipe = forked()
            if child == 0:
                forget_ours()
                return {**request, "sink": settled(pipe)}
            facts, gone = supervise(child, pipe, self._source, began, request, Watch(self._alarms))
            os.close(pipe)
            clear(facts, child, self._bury)
            if gone:
                os._exit(0)
            facts["seconds"] = time.monotonic() - began
            facts["stdout"], facts["stderr"] = (each.take() for each in self._outputs)
            wire.send(self._sink, facts)
            os.write(self._told, SPOILS if facts.get("dirty", True) else b".")

    def _opened(self) -> list[int]:
        """What the program has opened."""
        return [int(each.split()[0]) for each in open_files() - self._files]


def state_of_random() -> object:
    """What the module ``random`` draws its numbers from; ``None`` where nobody has imported it."""
    module = sys.modules.get("random")
    return None if module is None else module.getstate()


def shared_memory() -> set[str]:
    """Where memory is that is written to for all forks."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as stream:
        rows = [each.split() for each in stream]
    return {bounds for bounds, rights, *_ in rows if rights[1] == "w" and rights[3] == "s"}


def is_read_alone(descriptor: int) -> bool:
    """Whether forks can have a file of their own: all that they share is a place in it.

    So have those that are what is printed to, once more: all that is written there is added.
    """
    if any(os.path.sameopenfile(descriptor, each) for each in (1, 2)):
        return True
    if is_regular(descriptor):
        return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
    return os.readlink(f"/proc/self/fd/{descriptor}") in DEVICES

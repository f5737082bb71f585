"""Zygotes: processes that have loaded all that a run needs, and fork it when it is asked for.

What a server is prepared for, it forks itself, which is faster.  A zygote is of something else: an
interpreter of its own, so with addresses of its own, in which nothing of the program's has
happened; or a fork of the server from before it was prepared, which is for other replays.  Its
runs become children of the server, as all others are: each is forked by a process between, which
ends at once.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import os
import select

from . import limits, wire
from .captures import enter
from .descriptors import moved

TYPE_CHECKING = False  # a launcher begins sooner without typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .captures import Capture

NUMBER = 8
"""Bytes of the number of a process."""

BORN, ORDERS = 3, 4
"""Descriptors of a zygote, and of its runs: what is told of them, and where it is asked for them.

A program that opens files finds the same numbers taken when it runs plainly.
"""


TWIN = ""
"""The name of a fork of the server that has not been told yet what it is for."""


class Zygotes:
    """Those of a server, by names.

    ``begin`` makes a zygote of a fork that was made for it, given its two ends, by the command of
    a request.  What runs print is in ``outputs``.
    """

    def __init__(
        self,
        begin: Callable[[dict[str, Any], int, int], None],
        outputs: tuple[Capture, Capture],
    ) -> None:
        self._begin = begin
        self.outputs = outputs
        for each in outputs:
            each.move(moved)
        self._known: dict[str, tuple[int, int, int]] = {}
        self._loading: set[str] = set()

    @property
    def processes(self) -> list[int]:
        """Children of the server that are not of a run."""
        return [process for process, *_ in self._known.values()]

    @property
    def descriptors(self) -> list[int]:
        """What other children are not to have."""
        ends = [each for _, *ends in self._known.values() for each in ends]
        return [*ends, *(each.number for each in self.outputs)]

    def ready(self, request: dict[str, Any]) -> bool:
        """Whether there is the zygote that a request is for, or can be one by its command.

        It may take as long as a server takes to be ready.
        """
        name = request["zygote"]
        if name in self._known or "command" in request:
            return True
        if TWIN not in self._known:
            return False
        self._known[name] = process, orders, reader = self._known.pop(TWIN)
        try:
            os.kill(process, signal.SIGCONT)  # a run may have stopped it
            wire.send(orders, {**request["job"], "directory": request["directory"]})
            prepared = os.read(reader, NUMBER) == process.to_bytes(NUMBER, "little")
        except (BrokenPipeError, ProcessLookupError):
            prepared = False
        self._forget()
        if not prepared:
            self.end(name)
        return prepared

    def begin(self, request: dict[str, Any]) -> None:
        """Have the zygote of a command begin, if it is not there; nobody waits for it."""
        name = request["zygote"]
        if name in self._known:
            return
        ends = self.fork(name)
        if ends is not None:
            self._begin(request, *ends)
        wire.send(self._known[name][1], {"mode": "fork"})
        self._loading.add(name)

    def look(self) -> None:
        """A run is about to begin: see who has loaded all by now."""
        for name in list(self._loading):
            self._loaded(name, 0)

    def spoil(self) -> None:
        """A run may have changed files: end who may have loaded them as they were then."""
        for name in list(self._loading):
            self.end(name)

    def run(self, request: dict[str, Any]) -> tuple[int, int]:
        """Have a run forked: its process (0: it cannot be had, in time) and where it is heard.

        A zygote that has ended, which some runs see to, is replaced if there is a command for it.
        """
        name = request["zygote"]
        again = True
        while again:
            again = name in self._known and "command" in request
            self.begin(request)
            number, orders, reader = self._known[name]
            process = 0
            try:
                os.kill(number, signal.SIGCONT)
                if self._loaded(name, request["timeout"]):
                    self._forget()
                    wire.send(orders, request)
                    process = self._born(reader, request["timeout"])
            except (BrokenPipeError, ProcessLookupError):
                pass
            if process:
                return process, reader
            self.end(name)
        return 0, 0

    def _forget(self) -> None:
        """A run is about to begin: what was printed so far is of others, whose loading failed."""
        for each in self.outputs:
            each.take()

    def fork(self, name: str) -> tuple[int, int] | None:
        """Make a fork of this process known; in itself, where it is asked, and where it tells."""
        asked, orders = os.pipe()
        reader, told = os.pipe()
        process = os.fork()
        if process == 0:
            return asked, told
        os.close(asked)
        os.close(told)
        # What runs open has the same numbers whether there is a zygote or not.
        orders, reader = moved(orders, reader)
        self._known[name] = process, orders, reader
        return None

    def _loaded(self, name: str, seconds: float) -> bool:
        """Whether one has all that its runs need, or has in time."""
        process, _, reader = self._known[name]
        if name in self._loading and self._born(reader, seconds) == process:
            self._loading.remove(name)
        return name not in self._loading

    def _born(self, reader: int, seconds: float) -> int:
        """The number of a run, if it is there in time, or 0."""
        os.set_blocking(reader, True)
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        heard = poll.poll(seconds * 1000 + 1)
        return int.from_bytes(os.read(reader, NUMBER), "little") if heard else 0

    def end(self, name: str) -> None:
        """End one; its runs are not."""
        process, *ends = self._known.pop(name)
        self._loading.discard(name)
        for each in ends:
            os.close(each)
        try:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        except (ProcessLookupError, ChildProcessError):
            pass  # somebody else has seen to it

    def end_all(self) -> None:
        """End all of them."""
        for name in list(self._known):
            self.end(name)


def tell_ready() -> None:
    """In a zygote: what its runs need is there."""
    os.write(BORN, os.getpid().to_bytes(NUMBER, "little"))


def wait_for_order(stand_alone: Callable[[], None]) -> dict[str, Any]:
    """In a zygote: fork for each request.  Returns, in the run, the one that it is for."""
    while True:
        request = wire.receive(ORDERS)
        if request is None:
            os._exit(0)
        heard, say = os.pipe()
        waits, go = os.pipe()
        between = os.fork()
        if between == 0:
            run = 1
            try:
                run = os.fork()
                if run != 0:
                    os.write(say, run.to_bytes(NUMBER, "little"))
            finally:
                if run != 0:
                    os._exit(0)
            os.close(heard)
            os.close(say)
            os.close(go)
            if not os.read(waits, 1):
                os._exit(0)
            os.close(waits)
            stand_alone()  # it is the server's child by now
            take_place(request)
            return dict(request)
        os.close(say)
        os.close(waits)
        os.waitpid(between, 0)
        number = os.read(heard, NUMBER)
        os.close(heard)
        if not number:
            os._exit(1)  # there is no memory, or no number, for another process
        os.write(BORN, number)
        os.write(go, b".")
        os.close(go)


def take_place(request: dict[str, Any]) -> None:
    """In a run: the limits, the directory and the files that it is to have."""
    limits.apply(request["limits"])
    enter(request)
    for number in (1, 2):  # a file that has been opened once may be changed by who has it
        opened = os.open(f"/proc/self/fd/{number}", os.O_WRONLY | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)

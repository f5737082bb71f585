"""A process that stands at a moment, and answers what is asked there; nothing it does lasts."""

from __future__ import annotations

import fcntl
import os
import select
import stat
import sys
from collections.abc import Callable
from typing import Any

from ..process import wire
from ..process.captures import printed
from ..process.guard import Guard
from . import inspection

LOOK_SECONDS = 10.0
"""Seconds that an evaluation may take."""


class StoppedProcess:
    """Answers orders that come by ``channel``, in the frames of ``stack``, until it is to leave.

    ``fork`` forks so that random numbers go on as they were; ``stop`` ends all counting; ``end``
    ends the process.
    """

    def __init__(
        self,
        stack: list[Any],
        channel: tuple[int, int],
        fork: Callable[[], int],
        stop: Callable[[], object],
        end: Callable[[int], Any],
    ) -> None:
        self._stack, self._channel = stack, channel
        self._fork, self._stop, self._exit = fork, stop, end

    def serve(self, event: int) -> None:
        """Tell where it stands, and answer; does not return."""
        calls = [(each.f_code.co_qualname, each.f_code.co_filename, each.f_lineno or 0)
                 for each in self._stack]  # fmt: skip
        orders, answers = self._channel
        wire.send(answers, {"here": event, "calls": calls})
        while True:
            order = wire.receive(orders)
            if order is None or "leave" in order:
                self._exit(0)
            wire.send(answers, self._look(order))

    def _look(self, order: dict[str, Any]) -> dict[str, Any]:
        """Have a fork answer, so that nothing lasts of what it does."""
        reader, writer = os.pipe()
        offsets = file_places()
        process = self._fork()
        if process == 0:
            os.setsid()
            try:
                wire.send(writer, self._answer(order))
            finally:
                self._exit(0)
        os.close(writer)
        try:
            poll = select.poll()
            poll.register(reader, select.POLLIN)
            answer = None
            if poll.poll(LOOK_SECONDS * 1000):
                answer = wire.receive(reader)
                lost = {"failed": "The process of the evaluation ended without an answer."}
            else:
                lost = {"failed": f"It did not end within {LOOK_SECONDS:.0f} seconds."}
        finally:
            os.close(reader)
        try:
            os.kill(process, 9)
        except ProcessLookupError:
            pass
        os.waitpid(process, 0)
        rewind(offsets)
        return lost if answer is None else dict(answer)

    def _answer(self, order: dict[str, Any]) -> dict[str, Any]:
        self._stop()
        guard = Guard([], set(), _refuse)
        for number, text in enumerate(outputs(), 1):
            own_output(number, text)  # what stands has not printed yet what waits in its buffers
        _flush()
        before = outputs()
        if "output" in order:
            return {"output": before}
        guard.install()
        guard.on = True
        try:
            answer = inspection.inspected(self._stack[order["frame"]], order)
        except BaseException as error:
            try:
                said = f"{type(error).__name__}: {error}"
            except Exception:
                said = type(error).__name__
            answer = {"failed": said}
        guard.on = False
        _flush()
        return {**answer, "printed": outputs()[0][len(before[0]) :]}


def _refuse(what: str) -> None:
    raise PermissionError(f"an evaluation may not do this, as it would last: {what}")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            continue  # closed, or the program's own


def outputs() -> list[bytes]:
    """What was printed so far to each of the two outputs."""
    return [printed(number) for number in (1, 2)]


def own_output(number: int, text: bytes) -> None:
    """Have an output of one's own, with this in it."""
    file = os.memfd_create("output")
    path = f"/proc/self/fd/{file}"
    appending = os.open(path, os.O_WRONLY | os.O_APPEND)
    while text:
        text = text[os.write(appending, text) :]
    os.dup2(appending, number)
    os.close(appending)
    os.close(file)


def file_places() -> list[tuple[int, int]]:
    """Places in open files, which forks share."""
    found = []
    for each in os.listdir("/proc/self/fd"):
        try:
            if int(each) not in (1, 2):
                found.append((int(each), os.lseek(int(each), 0, os.SEEK_CUR)))
        except OSError:
            continue  # a pipe, or the folder's own descriptor
    return found


def own_files(places: list[tuple[int, int]]) -> None:
    """Have open files of one's own, at these places: those of forks share one, wherever it is."""
    for descriptor, place in places:
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
        if kind in (stat.S_IFREG, stat.S_IFDIR):
            flags = fcntl.fcntl(descriptor, fcntl.F_GETFL) & ~os.O_NOATIME
            own = os.open(f"/proc/self/fd/{descriptor}", flags)
            os.lseek(own, place, os.SEEK_SET)
            os.dup2(own, descriptor, os.get_inheritable(descriptor))
            os.close(own)


def rewind(offsets: list[tuple[int, int]]) -> None:
    for descriptor, place in offsets:
        try:
            os.lseek(descriptor, place, os.SEEK_SET)
        except OSError:
            continue

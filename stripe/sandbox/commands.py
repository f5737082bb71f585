"""Commands under limits behind walls, of which none is left behind.

A :class:`Runner` belongs to a place where commands run, one at a time.  It has a *launcher* there
(``inside/launcher.py``), started when first needed, which starts them, waits, and ends all that
they have left: as number 1 of a process namespace it does that at once, whatever they did.

If we are killed ourselves the walls end everything (``inside/enter.py``); without walls the
launcher does, as soon as it finds us gone.
"""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stripe.errors import NotReducible, UsageError
from stripe.sandbox.inside.channel import Receiver, send
from stripe.sandbox.layers import forget_layers
from stripe.sandbox.termination import can_be_read, end_process
from stripe.sandbox.walls import Walls, script

LAUNCHER = Path(__file__).parent / "inside" / "launcher.py"

ATTEMPTS = 2
"""How often a command is run if the launcher is killed meanwhile."""

BUSY = 10
"""Times its limit that a command may take which waits for processors that others have."""

_MOMENT = 0.01
_START_SECONDS = 60.0
_GRACE_SECONDS = 30.0
"""A launcher that is so late does not answer any more."""
_END_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one command may use: ``seconds``, and bytes of ``memory`` and of any file it writes.

    0 bytes: no limit.  Seconds in which it waits for a processor that others have do not count, but
    for ``most`` (by default :data:`BUSY` times ``seconds``), where all do.
    """

    seconds: float
    memory: int = 0
    output: int = 0
    most: float = 0.0

    def __post_init__(self) -> None:
        if not self.most:
            object.__setattr__(self, "most", BUSY * self.seconds)

    def within(self, seconds: float) -> Limits:
        """The same, but no more than ``seconds`` of any kind, if only a moment."""
        left = max(_MOMENT, seconds)
        return replace(self, seconds=min(self.seconds, left), most=min(self.most, left))


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended.

    ``status`` is its exit status, minus the number of the signal it died of, or ``None``: it was
    ended, as its time was over or somebody asked for it.
    """

    status: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class CommandPlace:
    """Where commands run, and with what.

    - ``environment``: all of it
    - ``stdin``: a file that every command is to read from its beginning, or nothing
    - ``stdout``, ``stderr``: descriptors, for commands that are to be heard
    """

    directory: Path
    environment: Mapping[bytes, bytes]
    stdin: Path | None
    stdout: int
    stderr: int


class Lost(Exception):
    """The launcher has ended, or does not answer; the text says why, if it said so."""


class Runner:
    """Runs commands in one place behind walls, one at a time.

    Methods but for :meth:`cancel` and :meth:`close` belong to one thread at a time.

    ``renews``: what is in the walls' ``work`` is made as it was after each command.
    """

    def __init__(self, walls: Walls, place: CommandPlace, *, renews: bool = True) -> None:
        self._walls = walls
        self._place = place
        self._renews = renews
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel = -1
        self._number = 0
        self._in_use = False  # by the thread that runs commands
        self._asked = False
        self._said: Any = None
        self._owner = os.getpid()
        self.closed = False

    def run(
        self,
        command: Sequence[str],
        limits: Limits,
        *,
        heard: bool,
        variables: Mapping[bytes, bytes] | None = None,
    ) -> Ending:
        """Run a command, named by its path, to its end, or to that of its time.

        - ``heard``: what it prints goes to the descriptors of the place, or else to nowhere
        - ``variables``: of its environment, beside those of the place

        Raises:
            OSError: when it cannot be started.
            NotReducible: ``sandbox-ended``, when the launcher was killed every time.
            UsageError: ``system-limit``.
        """
        words = [os.fsencode(word) for word in command]
        times = (limits.seconds, limits.most)
        facts = (words, heard, times, limits.memory, limits.output, variables)
        why = ""
        for _ in range(ATTEMPTS):
            try:
                return self._ask(facts, limits.most)
            except CannotStart:
                raise
            except Lost as lost:
                why = str(lost)
                self._stop()
            except BaseException:
                self._stop()  # the answer would be taken for that of the next command
                raise
            if self.closed:
                return Ending(None, 0.0)
        raise NotReducible(
            "sandbox-ended",
            f"What keeps {command[0]!r} apart from the rest of this machine has ended "
            f"while it ran, {ATTEMPTS} times{why and ': ' + why}.",
            "Somebody killed it: the command itself (kill -9 -1 ?), or the system because memory "
            "was short (then --memory helps, and fewer --jobs).",
        )

    def _ask(self, facts: tuple[Any, ...], seconds: float) -> Ending:
        self._in_use = True
        try:
            if self._process is None:
                self._start()
            with self._lock:
                if self.closed:
                    raise Lost
                self._number += 1
                send(self._channel, (self._number, *facts))
                self._asked = True
            answer = self._receive(seconds + _GRACE_SECONDS)
        except OSError as error:
            raise Lost(self._last_words() or error.strerror) from None
        finally:
            with self._lock:
                self._in_use = self._asked = False
        _, status, took = answer
        if isinstance(took, bytes):
            raise CannotStart(status, os.strerror(status), os.fsdecode(took))
        return Ending(status, took)

    def _receive(self, seconds: float) -> Any:
        """An answer of the launcher's.  Raises Lost if there is none within ``seconds``."""
        process = self._process
        if process is None or not can_be_read(self._channel, seconds, process):
            raise Lost("it did not answer")
        answer = self._receiver.receive()
        if answer is None:
            raise Lost(self._last_words())
        return answer

    def denied(self) -> list[str]:
        """What the walls alone have denied to commands so far, in words for people."""
        return self._walls.denied()

    def cancel(self) -> None:
        """End the command that is running now; harmless if there is none."""
        with self._lock:
            if self._asked:
                with suppress(OSError):
                    send(self._channel, (self._number,))

    def close(self) -> None:
        """End everything; a command that is running has been ended then, and no other can start."""
        self.closed = True
        if os.getpid() == self._owner:
            self._stop()

    # --- the life of the launcher

    def _start(self) -> None:
        place = self._place
        with limits_explained(), self._lock:
            if self.closed:
                raise Lost
            self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the launcher
            import socket  # only who runs a command waits for it

            ours, theirs = socket.socketpair()
            with ours, theirs:
                passed = (theirs.fileno(), place.stdout, place.stderr)
                command = script(LAUNCHER, *map(str, passed))
                self._process = subprocess.Popen(
                    self._walls.command(command, "/", ours=True, renews=self._renews),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._said,
                    pass_fds=passed,
                    start_new_session=True,
                )
                self._channel = ours.detach()
            self._receiver = Receiver(self._channel)
            setup = {
                "directory": os.fsencode(place.directory),
                "environment": dict(place.environment),
                "stdin": None if place.stdin is None else os.fsencode(place.stdin),
            }
        send(self._channel, setup)
        try:
            self._receive(_START_SECONDS)
        except Lost:
            forget_layers()
            raise

    def _last_words(self) -> str:
        """What the launcher, or the walls, said about their end."""
        self._said.seek(0)
        text: str = self._said.read().decode("utf-8", "replace").strip()
        return text.rpartition("\n")[2][:300]

    def _stop(self) -> None:
        """End the launcher and all that it has started."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None:
                with suppress(OSError):
                    send(self._channel, ())
                end_process(process, patience=_END_SECONDS)
            # Else another thread is still waiting for an answer, and finds that there is none.
            if self._channel >= 0 and not self._in_use:
                os.close(self._channel)
                self._said.close()
                self._channel = -1


class CannotStart(OSError):
    """The command itself cannot be started."""


_ROOM = (
    "Make room, or name a folder where there is some, for the copies that runs work in: TMPDIR=DIR"
)

_LIMITS = {
    errno.EMFILE: ("too many files are open", "Allow more in this shell: ulimit -n 1024"),
    errno.ENFILE: (
        "too many files are open on this machine",
        "End other programs, or raise fs.file-max.",
    ),
    errno.EFBIG: (
        "a file would be larger than is allowed",
        "Allow more in this shell: ulimit -f unlimited",
    ),
    errno.EAGAIN: (
        "there are too many processes or threads",
        "Allow more in this shell (ulimit -u, for threads also ulimit -v), or end other programs. "
        "Each of --jobs takes 5 processes.",
    ),
    errno.ENOMEM: (
        "there is no memory left",
        "Allow more in this shell: ulimit -v unlimited. To limit the program alone: --memory.",
    ),
    errno.ENOSPC: ("the disk is full", _ROOM),
    errno.EDQUOT: ("the disk quota is used up", _ROOM),
}
"""Errors of the system: what it does not allow, and what to do next."""


@contextmanager
def limits_explained() -> Iterator[None]:
    """Tell in plain words what the system does not allow us.

    Raises:
        UsageError: ``system-limit``.
    """
    try:
        yield
    except CannotStart:
        raise
    except OSError as error:
        told = system_limit(error)
        if told is None:
            raise
        raise told from None


def system_limit(error: OSError) -> UsageError | None:
    """What to say of an error that is the system's, and neither ours nor a program's."""
    return limit_error(error.errno) if error.errno in _LIMITS else None


def limit_told(said: str) -> UsageError | None:
    """The same of what a command of ours has said before it failed."""
    return next((limit_error(each) for each in _LIMITS if os.strerror(each) in said), None)


def limit_error(number: int) -> UsageError:
    """What to say of a limit of the system, by the number of its error."""
    what, hint = _LIMITS[number]
    said = f"The system stops us: {what} ({os.strerror(number)})."
    return UsageError("system-limit", said, hint)

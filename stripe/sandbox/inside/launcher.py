"""Runs commands under limits, one at a time, and ends all that they leave behind.

``python -I -S launcher.py CHANNEL STDOUT STDERR`` (descriptors): started once for a place where
commands run, usually behind walls, for to put these up takes longer than most commands.  There it
is number 1 of a process namespace; elsewhere it is the *subreaper* of what it starts.  Either way,
what loses its parent becomes its child.

It is asked by ``stripe.sandbox.commands``: first what is the same for all commands, then

- ``(number, words, heard, (seconds, most), memory, output, variables)``, to run a command; the
  answer is ``(number, status, seconds)`` - the status is ``None`` when the time was over, minus a
  signal's number - or ``(number, error number, name)``
- ``(number,)``, to end that command early
- ``()``, to end everything, and itself

When it finds the host gone, it ends everything, too.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time

if __name__ == "__main__":
    # The interpreter is isolated, and shares nothing with the installation of the host.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from inside import channel, orphans, spawn, system, warden  # type: ignore[import-not-found]

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

LEAST_WAIT = 0.01
"""Seconds for a processor that are worth waiting for once more."""

_NO_CORE = 1
"""Bytes of a core file: with this number, unlike 0, the kernel does not even start a program that
is to take it, which would run outside of all walls."""


class Launcher:
    """Serves one channel."""

    def __init__(self, descriptor: int, stdout: int, stderr: int) -> None:
        for each in (descriptor, stdout, stderr):
            os.set_inheritable(each, False)
        self._descriptor = descriptor
        self._receiver = channel.Receiver(descriptor)
        self._alone = os.getpid() == 1
        self._outputs = stdout, stderr
        self._warden = warden.Warden()
        self._poll = select.poll()
        self._wake = self._watch_children()
        self._limited = 0
        if not self._alone:
            self._take_orphans()
        _set_limit(resource.RLIMIT_CORE, _NO_CORE, hard=True)

    def _watch_children(self) -> int:
        """A descriptor that can be read when a child has ended."""
        reader, writer = os.pipe()
        for each in (reader, writer):
            os.set_blocking(each, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.siginterrupt(signal.SIGCHLD, False)  # nobody tries again to list a folder
        for each in (reader, self._descriptor):
            self._poll.register(each, select.POLLIN)
        return reader

    def _take_orphans(self) -> None:
        try:
            system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
        except (OSError, AttributeError):
            pass  # not this system

    def serve(self) -> NoReturn:
        """Answer until the host ends it, or is gone."""
        setup = self._receive()
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        stdin = setup["stdin"]
        unheard, heard = (
            spawn.Spawner(
                setup["directory"], setup["environment"], null if stdin is None else stdin, *outputs
            )
            for outputs in ((null, null), self._outputs)
        )
        channel.send(self._descriptor, (0,))
        while True:
            request = self._receive()
            if len(request) == 1:
                continue  # too late: it has ended by itself
            number, words, listen, times, memory, output, variables = request
            spawner = heard if listen else unheard
            began = time.monotonic()
            if output != self._limited:
                _set_limit(resource.RLIMIT_FSIZE, output or resource.RLIM_INFINITY)
                self._limited = output
            answer: tuple[Any, ...]
            try:
                process = self._start(spawner, words, memory, variables)
            except OSError as error:
                answer = number, error.errno, os.fsencode(error.filename or "")
            else:
                ended = self._wait(process, began, times, number)
                status = self._bury(process)
                answer = number, status if ended else None, time.monotonic() - began
            channel.send(self._descriptor, answer)
            # What nobody outside can see may be put in order while the answer is looked at.
            self._warden.renew()

    def _receive(self) -> Any:
        """The next request; does not return when there will be none."""
        request = self._receiver.receive()
        if request is None or request == ():
            self._end()
        return request

    def _end(self) -> NoReturn:
        """End everything."""
        orphans.bury()
        os._exit(0)

    def _start(
        self,
        spawner: Any,
        words: Sequence[bytes],
        memory: int,
        variables: dict[bytes, bytes] | None,
    ) -> int:
        process: int = spawner.start(words, variables)
        if not memory:
            return process
        # From outside, for we would not be able to start anything with a limit of our own.
        try:
            hard = resource.prlimit(process, resource.RLIMIT_AS)[1]
            resource.prlimit(process, resource.RLIMIT_AS, (_least(memory, hard), hard))
        except ProcessLookupError:
            pass  # gone already
        except (PermissionError, AttributeError):
            # The filter that comes with Landlock forbids it, or the system has no such thing.
            self._bury(process)
            script = b'ulimit -S -v "$0" && exec "$@"'
            through = (b"/bin/sh", b"-c", script, b"%d" % (memory >> 10), *words)
            process = spawner.start(through, variables)
        return process

    def _wait(self, process: int, began: float, times: tuple[float, float], number: int) -> bool:
        """Wait for the end of a child, without reaping it; whether it came in time."""
        (seconds, most), waited = times, 0.0
        while True:
            left = began + min(seconds + waited, most) - time.monotonic()
            if left <= 0:
                before, waited = waited, waited_for_processor(process)
                if waited > before + LEAST_WAIT and time.monotonic() < began + most:
                    continue
                return False
            for descriptor, _ in self._poll.poll(left * 1000 + 1):
                if descriptor == self._wake:
                    os.read(self._wake, 4096)
                    if self._reap(process):
                        return True
                else:
                    more = self._receiver.read()
                    while (request := self._receiver.next_message()) is not None:
                        if request == (number,):
                            return False
                        if not request:
                            self._end()
                    if not more:
                        self._end()

    def _reap(self, process: int) -> bool:
        """Reap other children that have ended; whether ``process`` has, which is left."""
        while True:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is None:
                return False
            if found.si_pid == process:
                return True
            os.waitpid(found.si_pid, 0)

    def _bury(self, process: int) -> int:
        """End what is left of a command; its exit status, or a signal's number, negative."""
        # Not reaped yet, so its number cannot have gone to another process.
        orphans.kill(-1 if self._alone else -process)
        status = os.waitpid(process, 0)[1]
        orphans.bury()
        return os.waitstatus_to_exitcode(status)


def waited_for_processor(process: int) -> float:
    """Seconds in which a command could have run but others did, as far as it is known.

    Of its first process, which may only wait for others, and of that below which waited longest.
    """
    found, waited = [process], []
    for each in found:
        waited.append(0)
        try:
            with open(f"/proc/{each}/schedstat", "rb") as stream:
                waited[-1] = int(stream.read().split()[1])  # nanoseconds
            with open(f"/proc/{each}/task/{each}/children", "rb") as stream:
                found += map(int, stream.read().split())
        except (OSError, ValueError, IndexError):
            pass  # it has just ended, or the system does not tell
    return (waited[0] + max(waited[1:], default=0)) / 1e9


def _set_limit(which: int, value: int, *, hard: bool = False) -> None:
    """A limit for ourselves and all that we start; ``hard``: it cannot be raised again."""
    most = resource.getrlimit(which)[1]
    least = _least(value, most)
    resource.setrlimit(which, (least, least if hard else most))


def _least(value: int, hard: int) -> int:
    if value == resource.RLIM_INFINITY or hard == resource.RLIM_INFINITY:
        return hard if value == resource.RLIM_INFINITY else value
    return min(value, hard)


def main() -> NoReturn:
    """Be told the descriptors, and serve."""
    # A signal that the terminal or a test sends is not for us; number 1 only gets what it handles.
    default = signal.SIG_DFL if os.getpid() == 1 else signal.SIG_IGN
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        signal.signal(number, default)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if sys.platform == "linux":
        system.prctl(system.PR_SET_DUMPABLE, 0)
    Launcher(*map(int, sys.argv[1:4])).serve()


if __name__ == "__main__":
    main()

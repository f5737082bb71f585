"""The process that runs tests: forked once from the user's, then behind walls, it forks for each.

It has all that the user's process had when it began, so a test finds what it would find there.
Nothing of it can be used to reach outside: see `descriptors`, `mappings` and `stripe.sandbox`.
"""

from __future__ import annotations

import ctypes
import errno
import faulthandler
import gc
import glob
import os
import select
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NoReturn

from stripe.inputs.calls.descriptors import Inherited
from stripe.inputs.calls.mappings import unshare_memory
from stripe.sandbox.inside import landlock, namespaces, seccomp, system, warden
from stripe.sandbox.inside.removal import remove
from stripe.sandbox.inside.tree import TreePlan
from stripe.sandbox.walls import Layer

SUBREAPER: Final = 36
"""prctl(2): to inherit the orphans below."""

LENGTH: Final = 8
"""Bytes that say how long a message is."""

LONGEST: Final = 1 << 24
"""Bytes of an answer; more is none: nobody has to believe what comes from behind the walls."""

READY, REFUSED, ANSWER, ENDED = b"+", b"-", b"=", b"!"
"""What a message begins with."""

NAMES = MappingProxyType({int(one): one.name for one in signal.Signals})

type Function = Callable[[bytes], bytes]


def send(channel: socket.socket, message: bytes) -> None:
    """Send a message; a program may have asked for a signal when nobody reads it."""
    channel.sendall(len(message).to_bytes(LENGTH) + message, getattr(socket, "MSG_NOSIGNAL", 0))


def receive(channel: socket.socket, longest: int = sys.maxsize) -> bytes | None:
    """Receive a message; None when the other end is gone, or talks nonsense.

    Raises:
        TimeoutError: as the channel's timeout has it.
    """
    read = bytearray()
    while len(read) < LENGTH or len(read) < LENGTH + int.from_bytes(read[:LENGTH]):
        try:
            piece = channel.recv(1 << 20)
        except ConnectionError:
            piece = b""
        if not piece:
            return None
        read += piece
        if len(read) >= LENGTH and int.from_bytes(read[:LENGTH]) > longest:
            return None
    return bytes(read[LENGTH:])


def start(
    channel: socket.socket,
    function: Function,
    limit: float,
    layer: Layer,
    room: str,
    mask: Collection[int],
) -> NoReturn:
    """In a forked child: go behind the walls and serve until the channel ends.

    Signals are blocked, so that no handler of the program runs outside of the walls, and nothing
    that is garbage is collected, for what it does then would be done outside as well.

    Args:
        function: what a test does with a request.
        limit: seconds it may take.
        room: an empty folder. All that can be written, if the layer is Landlock.
        mask: the signals that are blocked in a test.
    """
    try:
        collecting = gc.isenabled()
        gc.disable()
        gc.freeze()
        server = _Server(channel, function, limit, layer, room, mask, collecting)
        server.enter()
    except ConnectionError:
        pass  # what it spoke to was killed: this server is over, too
    except (OSError, ValueError, namespaces.Unavailable) as error:
        with suppress(OSError):
            send(channel, REFUSED + str(error).encode(errors="replace"))
    except SystemExit:
        pass  # the warden's, whose child has ended
    finally:
        os._exit(1)


class _Server:
    """What is known in the server."""

    def __init__(
        self,
        channel: socket.socket,
        function: Function,
        limit: float,
        layer: Layer,
        room: str,
        mask: Collection[int],
        collecting: bool,
    ) -> None:
        self._channel = channel
        self._function = function
        self._limit = limit
        self._layer = layer
        self._room = room
        self._mask = mask
        self._collecting = collecting
        self._where = ""
        self._inherited: Inherited | None = None
        self._warden: Any = None
        self._spare: _Child | None = None

    def enter(self) -> None:
        """Put walls around this process."""
        if self._layer is Layer.NONE:
            self._serve()
        os.setsid()  # no terminal
        try:
            where = os.getcwd()
        except OSError:
            where = "/"
        inside = self._layer is Layer.NAMESPACES
        self._inherited = Inherited({self._channel.fileno()}, writable=inside)
        unshare_memory()
        _no_core()
        if inside:
            plan = TreePlan(self._room, "", "", "", "", ())
            namespaces.enter(plan, network=False, become=lambda: self._inside(where))
        if landlock.version() < landlock.NEEDED or not seccomp.supported():
            raise namespaces.Unavailable(f"Landlock has version {landlock.version()} here")
        system.die_with_parent(signal.SIGKILL)
        system.drop_privileges()
        landlock.restrict([self._room])
        seccomp.forbid(seccomp.BESIDE_LANDLOCK, seccomp.OF_OTHERS, beside_landlock=True)
        system.die_with_parent(signal.SIGKILL)
        os.environ["TMPDIR"] = tempfile.tempdir = self._room
        self._serve()

    def _inside(self, where: str) -> NoReturn:
        """As number 1 of the process namespace."""
        os.chdir(where)
        self._where = where
        _guard_interpreter()
        make: Any = warden.Warden  # which is for old Pythons, too, and has no types
        self._warden = make()
        self._serve()

    # --- tests ----------------------------------------------------------------------------------

    def _serve(self) -> NoReturn:
        ours = {self._channel.fileno()}
        if self._warden is not None:
            ours.update(self._warden.everything())
        if self._inherited is not None:
            self._inherited.replace(ours)
        if sys.platform == "linux":
            self._control = ctypes.CDLL(None).prctl
        signal.set_wakeup_fd(-1)
        faulthandler.disable()
        _no_streams()
        send(self._channel, READY)
        while True:
            if self._spare is None:
                self._spare = self._fork()
            request = receive(self._channel)
            if request is None:
                self._bury(self._spare, last=True)
                os._exit(0)
            self._test(self._spare, request)

    def _fork(self) -> _Child:
        """Fork a child; it waits for its request."""
        requests, requesting = os.pipe()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                os.close(requesting)
                self._child(requests, writing)
            finally:
                os._exit(1)
        os.close(requests)
        os.close(writing)
        return _Child(child, requesting, reading)

    def _test(self, child: _Child, request: bytes) -> None:
        self._spare = None
        try:
            child.ask(request)
            answer = self._read(child)
        except EOFError:
            self._bury(child, last=True)
            os._exit(0)
        if answer:
            # What is left to do here is done while the host thinks about it.
            send(self._channel, ANSWER + answer)
        status = self._bury(child)
        self._renew()
        if answer is None:
            send(self._channel, ENDED + f"no answer within {self._limit:g} s".encode())
        elif not answer:
            code = os.waitstatus_to_exitcode(status)
            reason = f"ended by {NAMES.get(-code, -code)}" if code < 0 else f"exit status {code}"
            send(self._channel, ENDED + reason.encode())

    def _child(self, requests: int, writing: int) -> None:
        os.setpgid(0, 0)
        if sys.platform == "linux" and os.getppid() != 1:
            self._control(system.PR_SET_PDEATHSIG, signal.SIGKILL)
            self._control(SUBREAPER, 1)
        self._channel.close()
        if self._warden is not None:
            self._warden.forget()
        with open(requests, "rb") as file:
            request = file.read()
        if self._where:
            os.chdir(self._where)  # a new copy of it, perhaps
        if self._inherited is not None:
            self._inherited.reopen()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        if self._collecting:
            gc.enable()
        answer = self._function(request)
        answer = len(answer).to_bytes(LENGTH) + answer
        while answer:
            answer = answer[os.write(writing, answer) :]
        while True:
            signal.pause()  # until all that was started here has been found, and ended

    def _read(self, child: _Child) -> bytes | None:
        """Read the answer: None when time is up, nothing when the child ends without one.

        The end of the pipe is not waited for: processes the child started may hold it.

        Raises:
            EOFError: when the host is gone.
        """
        until = time.monotonic() + self._limit
        read = bytearray()
        poll = select.poll()
        source = child.answers
        poll.register(source, select.POLLIN)
        poll.register(self._channel, select.POLLIN)
        ended = os.pidfd_open(child.process) if hasattr(os, "pidfd_open") else -1
        if ended >= 0:
            poll.register(ended, select.POLLIN)
        try:
            while len(read) < LENGTH or len(read) < LENGTH + int.from_bytes(read[:LENGTH]):
                left = until - time.monotonic()
                ready = dict(poll.poll(left * 1000)) if left > 0 else {}
                if self._channel.fileno() in ready:
                    raise EOFError  # the host says nothing while it waits
                if not ready:
                    return None
                piece = os.read(source, 65536) if source in ready else b""
                if not piece or int.from_bytes(read[:LENGTH]) > LONGEST:
                    return b""
                read += piece
            return bytes(read[LENGTH:])
        finally:
            if ended >= 0:
                os.close(ended)

    def _bury(self, child: _Child, *, last: bool = False) -> int:
        """End a test and all that it has started; the status it ended with.

        If that is nothing but itself, and this is not the `last` one, fork the next child while
        it ends, which takes as long.
        """
        child.close()
        if os.getpid() != 1:
            for process in (*_stopped(child.process), -child.process):  # its process group
                with suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            status = os.waitpid(child.process, 0)[1]
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            return status
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # all there is in our namespace
        alone = _newest() == child.process
        if alone and not last:
            self._spare = self._fork()
        status = os.waitpid(child.process, 0)[1]
        if not alone:
            with suppress(ChildProcessError):
                while True:
                    os.waitpid(-1, 0)
        return status

    def _renew(self) -> None:
        if self._warden is not None:
            self._warden.renew()
        elif self._layer is Layer.LANDLOCK:
            for name in os.listdir(self._room):
                with suppress(OSError):
                    remove(f"{self._room}/{name}")


@dataclass(frozen=True, slots=True)
class _Child:
    """A forked process, which waits for what it is to do."""

    process: int
    requests: int
    answers: int

    def ask(self, request: bytes) -> None:
        """Tell it what to do."""
        view = memoryview(request)
        with suppress(BrokenPipeError):
            while view:
                view = view[os.write(self.requests, view) :]
        os.close(self.requests)

    def close(self) -> None:
        """Forget its answer."""
        os.close(self.answers)


def _newest() -> int:
    """The number of the newest process, or thread, of our namespace, whether it runs or not."""
    with open("/proc/loadavg", "rb") as file:
        return int(file.read().split()[-1])


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


def _no_streams() -> None:
    """No input, no output."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    sys.stdin = os.fdopen(os.dup(nothing), "r", encoding="utf-8")
    sys.stdout = sys.stderr = os.fdopen(nothing, "w", encoding="utf-8")


def _no_core() -> None:
    """Let no test that crashes leave its memory with a service of this machine."""
    import resource  # which Windows lacks

    with suppress(OSError, ValueError):
        # 1 has this meaning; with 0 a service that collects them is still asked.
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))


def _guard_interpreter() -> None:
    """Keep the file that this process runs as it is: ``/proc/self/exe`` leads out to it.

    Raises:
        Unavailable: when it could be written.
    """
    executable = "/proc/self/exe"
    try:
        os.close(os.open(executable, os.O_WRONLY | os.O_CLOEXEC))
    except OSError as error:
        if error.errno not in (errno.ETXTBSY, errno.EACCES, errno.EPERM, errno.EROFS):
            raise
    else:
        raise namespaces.Unavailable("a program that runs can be written on this kernel")
    if os.stat(executable).st_uid == os.geteuid() or os.access(executable, os.W_OK):
        if not seccomp.supported():
            raise namespaces.Unavailable("the interpreter belongs to this user")
        seccomp.forbid(seccomp.METADATA, {}, beside_landlock=True)

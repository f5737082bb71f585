"""Starting a command in a working directory and a session of its own by ``posix_spawn``.

Many tests are over sooner than :class:`subprocess.Popen` has prepared the next, and
:func:`os.posix_spawn` knows no working directory.  So the function of the C library is called here,
with all that is the same for every test put together once.  Standard library only: it is used by
the launcher, behind walls.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable, Mapping, Sequence

_LIBRARY = ctypes.CDLL(None)
_SETSIGDEF, _SETSID = 0x04, 0x80
_ROOM = 512
"""Bytes enough for a structure of any C library: the largest one of glibc has 336."""

_RESET = tuple(
    number for number in signal.valid_signals() if number not in (signal.SIGKILL, signal.SIGSTOP)
)
"""What we may ignore (Python does SIGPIPE and SIGXFSZ), and a program expects to die of."""


class Spawner:
    """Starts commands in one directory, with one environment and the same standard streams.

    Args:
        directory: the working directory.
        environment: all of it.
        stdin: a descriptor, or a file that every command is to read from its beginning.
        stdout: a descriptor.
        stderr: a descriptor.

    Raises:
        OSError: when the system cannot do this.
    """

    def __init__(
        self,
        directory: bytes,
        environment: Mapping[bytes, bytes],
        stdin: int | bytes,
        stdout: int,
        stderr: int,
    ) -> None:
        self._named = environment
        self._environment = _words(environment)
        self._attributes, self._actions = _room(), _room()
        with contextlib.ExitStack() as stack:
            _call("posix_spawnattr_init", self._attributes)
            stack.callback(_call, "posix_spawnattr_destroy", self._attributes)
            _call("posix_spawn_file_actions_init", self._actions)
            stack.callback(_call, "posix_spawn_file_actions_destroy", self._actions)
            self._describe()
            if isinstance(stdin, bytes):
                self._then("addopen", 0, stdin, os.O_RDONLY, ctypes.c_uint(0))
            else:
                self._then("adddup2", stdin, 0)
            self._then("adddup2", stdout, 1)
            self._then("adddup2", stderr, 2)
            self._through: tuple[bytes, ...] = ()
            try:
                self._then("addchdir_np", directory)
            except AttributeError:  # glibc before 2.29
                self._through = (b"/bin/sh", b"-c", b'cd -- "$0" && exec "$@"', directory)
            with contextlib.suppress(AttributeError):  # musl, glibc before 2.34: see PEP 446
                self._then("addclosefrom_np", 3)
            self.close: Callable[[], None] = stack.pop_all().close

    def _describe(self) -> None:
        signals = _room()
        _LIBRARY.sigemptyset(signals)
        for number in _RESET:
            _LIBRARY.sigaddset(signals, int(number))
        _call("posix_spawnattr_setsigdefault", self._attributes, signals)
        _call("posix_spawnattr_setflags", self._attributes, ctypes.c_short(_SETSIGDEF | _SETSID))

    def _then(self, action: str, *arguments: object) -> None:
        """What a new process is to do before it becomes the command."""
        _call(f"posix_spawn_file_actions_{action}", self._actions, *arguments)

    def start(self, command: Sequence[bytes], more: Mapping[bytes, bytes] | None = None) -> int:
        """Start a command, named by its path; ``more``: of the environment, this time.

        Returns:
            the number of its process, which has to be waited for, and is that of its session.

        Raises:
            OSError: when it cannot be started.
        """
        words = (*self._through, *command)
        environment = self._environment if more is None else _words({**self._named, **more})
        pid = ctypes.c_int()
        error = _LIBRARY.posix_spawn(
            ctypes.byref(pid), words[0], self._actions, self._attributes, _strings(words),
            environment,
        )  # fmt: skip
        if error:
            raise OSError(error, os.strerror(error), os.fsdecode(command[0]))
        return pid.value


def _room() -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(_ROOM)


def _words(environment: Mapping[bytes, bytes]) -> ctypes.Array[ctypes.c_char_p]:
    return _strings([name + b"=" + value for name, value in environment.items()])


def _strings(words: Sequence[bytes]) -> ctypes.Array[ctypes.c_char_p]:
    """Words as C hands them to a program: a null pointer is the end."""
    return (ctypes.c_char_p * (len(words) + 1))(*words)


def _call(name: str, *arguments: object) -> None:
    error = getattr(_LIBRARY, name)(*arguments)
    if error:
        raise OSError(error, f"{name}: {os.strerror(error)}")

"""An audit hook that knows what the program does to the world outside of itself.

It takes notes, for the user, and tells whether the scratch directory may have changed and whether
processes may have been started.  What keeps runs from doing harm are walls of the kernel
(``stripe.sandbox``).  Only where there are none the guard ends a run before it does anything that
is not ``allowed`` outside of its scratch directories: a partial execution may have lost the
statement that kept a deletion from going astray.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
PATH_ARGUMENTS = {
    "os.chflags": 1, "os.chmod": 1, "os.chown": 1, "os.link": 2, "os.mkdir": 1,
    "os.remove": 1, "os.removexattr": 1, "os.rename": 2, "os.rmdir": 1, "os.setxattr": 1,
    "os.symlink": 2, "os.truncate": 1, "os.utime": 1, "shutil.chown": 1, "shutil.rmtree": 1,
}  # fmt: skip
# Which arguments hold the descriptors of folders that these paths are relative to.
FOLDERS = {
    "os.chmod": (2,), "os.chown": (3,), "os.link": (2, 3), "os.mkdir": (2,), "os.remove": (1,),
    "os.rename": (2, 3), "os.rmdir": (1,), "os.symlink": (None, 2), "os.utime": (3,),
}  # fmt: skip
WHOLE = ("os.system", "pty.spawn")  # tell the command as a whole, the others the program apart
SPAWNS = (*WHOLE, "os.exec", "os.posix_spawn", "subprocess.Popen")
FORKS = ("os.fork", "os.forkpty")
SIGNALS = ("os.kill", "os.killpg")
NETWORK = ("socket.connect", "socket.bind", "socket.sendto")
THREADS = ("_thread.start_new_thread", "_thread.start_joinable_thread")
NATIVE = ("ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "sqlite3.connect")
NAMES = ("socket.getaddrinfo", "socket.gethostbyname")
HARMLESS = ("/dev/null", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/full", "/dev/zero")
WATCHED = frozenset(
    [
        *PATH_ARGUMENTS,
        *SPAWNS,
        *FORKS,
        *SIGNALS,
        *NETWORK,
        *THREADS,
        *NATIVE,
        *NAMES,
        "open",
        "import",
    ]
)
# Modules that can start processes without an event, and such as reach outside without one.
UNSEEN = ("_ctypes", "_posixsubprocess")
SILENT = ("_posixshmem", "_multiprocessing", "_dbm", "_gdbm", "termios", "syslog", "readline")
TERMINAL = ("termios", "readline")  # a run behind pipes changes nothing by these
BEGINS, CALLS = "stripe_testcase.begins", "stripe_testcase.calls"
MARKS = frozenset([BEGINS, CALLS, "stripe_testcase.fails"])
"""Audit events by which what runs a test says that it is about to be set up, and to be called, and
with which exception, an argument, it is about to end the process."""

LIBRARY = os.path.join(os.path.dirname(os.__file__), "lib-dynload") + os.sep


class Guard:
    """``within``: folders in which the program may do as it likes.

    ``allowed`` is what else it may do (``None``: anything); ``refuse`` is called with a sentence
    when the program is about to do something else, and does not return.
    """

    def __init__(
        self,
        within: list[str],
        allowed: set[tuple[str, str]] | None,
        refuse: Callable[[str], Any],
        on_thread: Callable[[], Any] | None = None,
    ) -> None:
        self.given = within
        self.within = [os.path.realpath(folder) for folder in within]
        self.allowed = allowed
        self.refuse = refuse
        self.on_thread = on_thread
        self.done: set[tuple[str, str]] = set()
        self.dirty = False
        self.written = ""  # the first file that was changed, but for compiled ones
        self._spawning = False
        self._unseen: tuple[str, ...] = UNSEEN
        self.on = False
        self._busy = False
        self.on_mark: Callable[..., object] = lambda *mark: None
        """Called with the name of each of ``MARKS``, and its arguments."""

    def install(self) -> None:
        """Audit hooks cannot be removed; ``on`` says whether this one looks."""
        watched = WATCHED
        check = self._check

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            if event in watched and (self.on or event == "import") and not self._busy:
                self._busy = True
                try:
                    check(event, arguments)
                finally:
                    self._busy = False
            elif event in MARKS:
                self.on_mark(event, *arguments)

        sys.addaudithook(hook)

    def alone(self) -> bool:
        """Whether the program cannot have started any process, nor have sent one a signal."""
        # No generator: forked children call this often, and copy what it writes to.
        return not self._spawning and not [name for name in self._unseen if name in sys.modules]

    def rely(self) -> None:
        """Nothing has lasted so far, and others will see what processes are left after each run.

        What is imported by now may change files unseen, so that all remains ``dirty``.
        """
        self._spawning = False
        self._unseen = ()

    def settle(self) -> None:
        """Nothing the program has done so far counts; but what it has imported may act unseen.

        What starts processes without an event is seen by other means, if it is there already.
        """
        unseen = (name for name in SILENT if name not in TERMINAL)
        if not self._spawning and not any(name in sys.modules for name in unseen):
            self.dirty = False
        module: Any = sys.modules.get("_posixsubprocess")
        if module is None:
            return
        fork_exec = module.fork_exec

        def seen(*arguments: Any) -> Any:
            self.dirty = self._spawning = True
            return fork_exec(*arguments)

        module.fork_exec = seen
        self._unseen = tuple(name for name in UNSEEN if name != "_posixsubprocess")

    def _check(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            self._open(*arguments)
        elif event in PATH_ARGUMENTS:
            count = PATH_ARGUMENTS[event]
            folders = FOLDERS.get(event, ())
            for index, path in enumerate(arguments[:count]):
                place = folders[index] if index < len(folders) else None
                self._path(event, path, -1 if place is None else arguments[place])
        elif event == "import":
            self._import(arguments[0], arguments[1])
        elif event in SPAWNS:
            self.dirty = self._spawning = True
            self._act("run", _command(event, arguments))
        elif event in SIGNALS:
            self._spawning = True  # to one of ours, it may be
            self._act("signal", "process 0 or less" if arguments[0] <= 0 else "a process")
        elif event in NETWORK:
            self._act(event, repr(arguments[-1]))
        elif event in NAMES:
            self._act(event, repr(arguments[0]))
        elif event == "ctypes.dlopen" and not arguments[0]:
            self.dirty = self._spawning = True  # to import ctypes does it
        elif event in THREADS:
            if self.on_thread is not None:
                self.on_thread()
            self._act("start", "threads")
        else:
            self.dirty = self._spawning = True
            self._act(event, "")

    def _open(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(flags, int) and flags & WRITE and not isinstance(path, int):
            # os.open, which has no mode, may mean another folder, and the event does not say.
            self._path("write", path, None if mode is None else -1)

    def _import(self, name: Any, file: Any) -> None:
        # The event of an extension module, which may do anything, has a file name.
        if file and not str(file).startswith(LIBRARY):
            self._spawning = self.dirty = True
            self._act("load", str(file))
        elif name in SILENT:
            self.dirty = True
            if self.on:
                self._act("import", name)

    def _path(self, what: str, path: Any, folder: int | None) -> None:
        """``folder``: the descriptor that the path is relative to, -1, or ``None``: unknown."""
        if isinstance(path, int) or path is None:
            self.dirty = True  # by a descriptor: that of a file opened before
            return
        try:
            path = os.fsdecode(path)
            if folder != -1 and not os.path.isabs(path):
                base = "?" if folder is None else os.readlink(f"/proc/self/fd/{folder}")
                if folder is None and self.allowed is None:
                    base = ""
                path = os.path.join(base, path)
            path = os.path.realpath(path) if path[:1] != "?" else path
        except (TypeError, ValueError, OSError):
            return
        if path in HARMLESS:
            return
        self.dirty = True
        if not self.written and self.on and "/__pycache__" not in path:
            self.written = path
        if any(path == folder or path.startswith(folder + os.sep) for folder in self.within):
            return
        if what != "write" or "/__pycache__/" not in path:
            self._act(what, path)

    def _act(self, what: str, which: str) -> None:
        # The recorded run was in another slot: its folders have other names.
        for number, folder in enumerate(self.given):
            which = which.replace(folder + os.sep, f"<{number}>{os.sep}")
        act = (what, which)
        self.done.add(act)
        if self.allowed is not None and act not in self.allowed:
            self.refuse(f"{what} {which}".strip())


def _command(event: str, arguments: tuple[Any, ...]) -> str:
    """All that a command is told, as text: to allow it is not to allow it with other arguments."""
    program, *more = arguments
    if event in WHOLE:
        return repr(program)
    where = f" in {more[1]!r}" if event == "subprocess.Popen" and more[1] is not None else ""
    return f"{[program, *more[0][1:]]!r}{where}"


def allowed(job: dict[str, Any]) -> set[tuple[str, str]] | None:
    """What the program may do outside of its scratch directories, if it is the guard who says."""
    return None if job["allowed"] is None else {(what, which) for what, which in job["allowed"]}

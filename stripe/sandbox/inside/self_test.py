"""Does behind walls what runs do there: ``python -I -S self_test.py OUTSIDE TMPDIR DIRECTORY``.

``OUTSIDE`` is a folder of the real tree with something in it, ``DIRECTORY`` one that runs start in.
Prints a line for each task: its name, a tab, and why it failed, or nothing.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from collections.abc import Callable

_ADDR_NO_RANDOMIZE, _PTRACE_TRACEME, _ASK = 0x0040000, 0, 0xFFFFFFFF


def main() -> None:
    outside, temporary, directory = sys.argv[1:4]
    tasks: dict[str, Callable[[], object]] = {
        "replace a folder outside": lambda: replace(outside),
        "write in /tmp": lambda: write(f"/tmp/stripe-self-test-{os.getpid()}"),
        "start a process": lambda: run("/bin/sh", "-c", ":"),
        "serve on loopback": serve,
        "take a lock": lambda: lock(f"{temporary}/lock"),
        "run a file in TMPDIR": lambda: execute(f"{temporary}/run"),
        "enter the working directory": lambda: enter(directory),
        "open /dev/null": lambda: os.close(os.open("/dev/null", os.O_RDWR)),
        "fix addresses": fix_addresses,
        "ptrace": trace,
    }
    for name, task in tasks.items():
        try:
            task()
            why = ""
        except OSError as error:
            why = error.strerror or str(error)
        sys.stdout.write(f"{name}\t{why}\n")
    sys.stdout.flush()


def replace(folder: str) -> None:
    """What an overlay may fail to do on kernels whose memory file systems keep no attributes."""
    for name in os.listdir(folder):
        os.unlink(f"{folder}/{name}")
    os.rmdir(folder)
    os.mkdir(folder)
    write(f"{folder}/new")
    os.rename(folder, folder + "-2")
    if os.listdir(folder + "-2") != ["new"]:
        raise OSError(0, "what was removed is there again")


def write(path: str) -> None:
    with open(path, "w", encoding="ascii") as stream:
        stream.write("written")
    with open(path, encoding="ascii") as stream:
        if stream.read() != "written":
            raise OSError(0, "what was written cannot be read")


def run(*command: str) -> None:
    process = os.posix_spawn(command[0], command, {})
    if status := os.waitpid(process, 0)[1]:
        raise OSError(0, f"it ended with {os.waitstatus_to_exitcode(status)}")


def serve() -> None:
    import _socket  # lazy

    server, client = _socket.socket(), _socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()
    client.connect(server.getsockname())


def lock(path: str) -> None:
    import fcntl  # lazy

    with open(path, "wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def execute(path: str) -> None:
    with open(path, "w", encoding="ascii") as stream:
        stream.write("#!/bin/sh\n")
    os.chmod(path, 0o700)
    run(path)


def enter(directory: str) -> None:
    os.chdir(directory)
    os.listdir(".")


def fix_addresses() -> None:
    from inside import system  # type: ignore[import-not-found]  # lazy

    system.check(system.LIBC.personality(_ADDR_NO_RANDOMIZE), "personality")


def trace() -> None:
    from inside import system  # lazy

    child = os.fork()
    if child == 0:
        os._exit(0 if system.LIBC.ptrace(_PTRACE_TRACEME, 0, 0, 0) == 0 else 1)
    if os.waitpid(child, 0)[1]:
        raise PermissionError(1, "Operation not permitted")


if __name__ == "__main__":
    main()

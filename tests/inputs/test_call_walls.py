"""No test of a call reaches outside, whatever it tries; and each finds the same world."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import pty
import re
import select
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any

import pytest

from stripe.errors import UsageError
from stripe.inputs import DeltaDebugger
from stripe.inputs.calls import mappings, server
from stripe.inputs.calls.isolation import Ended, Server
from stripe.sandbox.inside import landlock
from stripe.sandbox.walls import VARIABLE
from tests.support.patience import wait_until

LAYERS = ["namespaces", *(["landlock"] if landlock.version() >= landlock.NEEDED else [])]

type Tried = Callable[[Callable[[], Any]], str]


@pytest.fixture(params=LAYERS)
def tried(request: Any, monkeypatch: Any, tmp_path: Path) -> Tried:
    """Runs a function twice as a test does; returns what came of it, the same both times."""
    monkeypatch.setenv(VARIABLE, request.param)
    monkeypatch.chdir(tmp_path)

    def attempt(function: Callable[[], Any]) -> bytes:
        try:
            return repr(function()).encode()
        except Exception as error:
            return type(error).__name__.encode()

    def run(function: Callable[[], Any]) -> str:
        server = Server(lambda _: attempt(function), 10, unsafe=False, what="This")
        try:
            first, second = (server.ask(b"").decode() for _ in range(2))
            assert server.layer.value == request.param
        finally:
            server.close()
        assert first == second
        return first

    return run


# --- files --------------------------------------------------------------------------------------


def test_files_a_call_makes_are_gone(tmp_path: Path, monkeypatch: Any) -> None:
    def report(path: str) -> None:
        if os.listdir() not in (["report.txt"], []):
            raise AssertionError("another test was here")
        with open(path, "w", encoding="utf-8") as file:
            file.write("report")
        if "r" in path:
            raise ValueError("no report")

    monkeypatch.chdir(tmp_path)
    with DeltaDebugger() as dd:
        report("report.txt")
    (tmp_path / "report.txt").unlink()
    assert dd.min_args() == {"path": "r"}
    assert list(tmp_path.iterdir()) == []


def test_files_outside_are_neither_made_nor_changed(tried: Tried, tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("as it was")
    folder.mkdir()
    file.chmod(0o640)
    os.utime(file, (1, 1))

    def attack() -> None:
        for attempt in (
            lambda: file.write_text("changed"),
            lambda: os.chmod(file, 0o777),
            lambda: os.utime(file, (2, 2)),
            lambda: os.rmdir(folder),
            lambda: os.symlink("nowhere", tmp_path / "link"),
            lambda: os.rename(file, tmp_path / "renamed"),
            lambda: subprocess.run(["rm", "-rf", str(tmp_path)], check=False),
        ):
            with contextlib.suppress(OSError):
                attempt()

    tried(attack)
    status = file.stat()
    assert file.read_text() == "as it was"
    assert (status.st_mode & 0o777, status.st_mtime) == (0o640, 1)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]


def test_the_interpreter_itself_is_not_changed(tried: Tried) -> None:
    before = os.stat("/proc/self/exe")

    def attack() -> None:
        # The process was started outside: this leads there.
        same = stat.S_IMODE(before.st_mode)
        for attempt in (
            lambda: os.chmod("/proc/self/exe", same),
            lambda: os.utime("/proc/self/exe", ns=(before.st_atime_ns, before.st_mtime_ns)),
            lambda: fcntl.ioctl(
                os.open("/proc/self/exe", os.O_RDONLY), 0x80086601, bytes(8)
            ),  # its flags
            lambda: os.open("/proc/self/exe", os.O_WRONLY),
        ):
            with contextlib.suppress(OSError):
                attempt()
                raise AssertionError("that was allowed")

    if before.st_uid != os.geteuid():
        pytest.skip("the interpreter belongs to another user, who is protected anyway")
    assert tried(attack) == "None"
    assert os.stat("/proc/self/exe").st_ctime_ns == before.st_ctime_ns


# --- descriptors --------------------------------------------------------------------------------


def test_open_files_are_read_where_the_program_was(tried: Tried, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("0123456789")
    with path.open("rb", buffering=0) as file:
        file.seek(3)
        assert tried(lambda: file.read(2)) == "b'34'"
        assert file.tell() == 3


def test_open_files_cannot_be_written(tried: Tried, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("0123456789")
    with path.open("r+b", buffering=0) as file, tempfile.TemporaryFile(buffering=0) as unnamed:
        fcntl.flock(file, fcntl.LOCK_EX)
        unnamed.write(b"abcdef")
        file.seek(3)

        def attack() -> bytes:
            for one in (file, unnamed):
                one.write(b"X")
                one.truncate(5)
                one.seek(0)
            fcntl.flock(file, fcntl.LOCK_UN)
            return file.read() + unnamed.read()

        assert tried(attack) == "b'012X4abcde'"
        assert path.read_text() == "0123456789"
        assert (file.tell(), unnamed.tell(), os.fstat(unnamed.fileno()).st_size) == (3, 6, 6)
        with path.open("rb") as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_open_folders_lead_nowhere_else(tried: Tried, tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    (tmp_path / "file").write_text("as it was")

    def attack() -> list[str]:
        """Done to a copy, or not at all."""
        with contextlib.suppress(OSError):
            os.unlink("file", dir_fd=folder)
        with contextlib.suppress(OSError):
            os.mkdir("new", dir_fd=folder)
        return sorted(os.listdir(folder))

    seen = {"namespaces": "['new']", "landlock": "['file']"}
    assert tried(attack) == seen[os.environ[VARIABLE]]
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    os.close(folder)


def test_sockets_pipes_and_terminals_are_dead(tried: Tried) -> None:
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    main, terminal = pty.openpty()
    memory = os.memfd_create("memory")
    os.write(memory, b"as it was")
    poll = select.epoll()
    poll.register(reading, select.EPOLLIN)

    def attack() -> None:
        for attempt in (
            lambda: theirs.send(b"x"),
            lambda: theirs.shutdown(socket.SHUT_RDWR),
            lambda: os.write(writing, b"x"),
            lambda: os.write(terminal, b"x"),
            lambda: fcntl.ioctl(terminal, 0x5412, b"x"),  # TIOCSTI
            lambda: os.ftruncate(memory, 0),
            lambda: poll.unregister(reading),
        ):
            with contextlib.suppress(OSError, ValueError):
                attempt()
        with contextlib.suppress(OSError):
            os.write(os.open("/dev/tty", os.O_RDWR), b"x")

    tried(attack)
    ends: list[Any] = [ours, reading, main]
    assert select.select(ends, [], [], 0) == ([], [], [])
    assert os.pread(memory, 100, 0) == b"as it was"
    os.write(writing, b"x")
    assert poll.poll(0) == [(reading, select.EPOLLIN)]
    for one in (ours, theirs, poll):
        one.close()
    for number in (reading, writing, main, terminal, memory):
        os.close(number)


# --- memory -------------------------------------------------------------------------------------


@contextlib.contextmanager
def shared(kind: str, folder: Path) -> Iterator[Any]:
    """Eight bytes of memory shared with children, with "as it was" in it."""
    if kind == "shared_memory":
        block = SharedMemory(create=True, size=4096)
        yield block.buf
        block.close()
        block.unlink()
    elif kind == "anonymous":
        with mmap.mmap(-1, 3 << 20) as memory:
            yield memory
    else:
        path = folder / "mapped"
        path.write_bytes(bytes(10_000))
        flags = os.O_RDWR
        file = os.open(path, flags)
        if kind == "deleted":
            path.unlink()
        protection = mmap.PROT_READ if kind == "read" else mmap.PROT_READ | mmap.PROT_WRITE
        if kind == "read":
            os.pwrite(file, b"as it was", 0)
        with mmap.mmap(file, 10_000, mmap.MAP_SHARED, protection) as memory:
            os.close(file)
            yield memory


@pytest.mark.parametrize("kind", ["shared_memory", "anonymous", "file", "deleted", "read"])
def test_shared_memory_is_a_copy(tried: Tried, tmp_path: Path, kind: str) -> None:
    with shared(kind, tmp_path) as memory:
        if kind != "read":
            memory[:9] = b"as it was"
        with memoryview(memory) as view:
            address = ctypes.addressof(ctypes.c_char.from_buffer(view)) if kind != "read" else 0
        if kind == "read":
            with open("/proc/self/maps", encoding="utf-8") as lines:
                (line,) = (line for line in lines if str(tmp_path / "mapped") in line)
            address = int(line.split("-")[0], 16)

        def attack() -> bytes:
            before = bytes(memory[:9])
            # What was mapped for reading only can be made writable, if the file was open so.
            ctypes.CDLL(None).mprotect(ctypes.c_void_p(address), 4096, 3)
            ctypes.memmove(address, b"CHANGED", 7)
            assert bytes(memory[:9]) == b"CHANGEDas"
            return before

        attack_result = tried(attack)
        assert bytes(memory[:9]) == b"as it was"
        assert attack_result == repr(b"as it was")


def test_memory_that_cannot_be_copied_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = mappings._Mapping(0, 0, 0, 0, 0, "")
    monkeypatch.setattr(mappings, "_shared", lambda: [nothing])
    with pytest.raises(OSError, match="mmap") as caught:
        mappings.unshare_memory()
    assert caught.value.errno == errno.EINVAL


# --- processes ----------------------------------------------------------------------------------


def test_signals_reach_no_other_process(tried: Tried) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGURG, lambda number, frame: seen.append(number))
    host = os.getpid()

    def attack() -> None:
        # One that is ignored by default, should it reach anybody.
        for process in (host, os.getppid(), -1, 0, -os.getpgid(0)):
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGURG)

    try:
        tried(attack)
        assert seen == []
    finally:
        signal.signal(signal.SIGURG, before)


def test_a_handler_of_the_program_does_not_disturb_the_server(tried: Tried) -> None:
    def attack() -> int:
        os.kill(os.getppid(), signal.SIGINT)
        os.kill(os.getppid(), signal.SIGTERM)
        return 0

    # It is another process group's, behind the same walls.
    assert tried(attack) == "0"


def test_a_daemon_does_not_write_later(tried: Tried, tmp_path: Path) -> None:
    reading, writing = os.pipe()

    def attack() -> None:
        code = "import time, pathlib; time.sleep(0.3); pathlib.Path('late').write_text('x')"
        subprocess.run(["setsid", "-f", sys.executable, "-S", "-c", code], check=True)

    tried(attack)
    os.close(writing)
    assert os.read(reading, 1) == b""  # the descriptor had been closed there as well
    os.close(reading)
    time.sleep(0.5)
    assert list(tmp_path.iterdir()) == []


def test_a_daemon_ends_with_its_test(tried: Tried) -> None:
    def attack() -> int:
        started = subprocess.run(["setsid", "-f", "sleep", "1000.25"], check=True)
        return started.returncode

    assert tried(attack) == "0"

    def runs() -> bool:
        found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
        return "sleep 1000.25" in found.stdout

    wait_until(lambda: not runs())


def test_no_socket_of_this_machine_is_reached(tried: Tried, tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as internet,
        socket.socket(socket.AF_UNIX) as local,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as abstract,
    ):
        local.bind(str(tmp_path / "stream"))
        local.listen()
        datagrams.bind(str(tmp_path / "datagrams"))
        abstract.bind(f"\0stripe-{os.getpid()}")
        address = internet.getsockname()

        def attack() -> None:
            with contextlib.suppress(OSError):
                socket.create_connection(address, timeout=1)
            with contextlib.suppress(OSError):
                socket.socket(socket.AF_UNIX).connect(str(tmp_path / "stream"))
            for goal in (str(tmp_path / "datagrams"), abstract.getsockname()):
                with contextlib.suppress(OSError):
                    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
                    one.sendto(b"x", goal)

        tried(attack)
        assert select.select([internet, local, datagrams, abstract], [], [], 0)[0] == []


def test_a_reduction_may_run_in_any_thread() -> None:
    def parse(text: str) -> None:
        if "<" in text:
            raise ValueError("bad")

    found: list[Any] = []

    def reduce() -> None:
        with DeltaDebugger() as dd:
            parse("ab<c>")
        found.append(dd.min_args())

    thread = threading.Thread(target=reduce)
    thread.start()
    thread.join()
    assert found == [{"text": "<"}]


def test_the_server_ends_with_its_host() -> None:
    code = (
        "import os, signal, time\n"
        "from stripe.inputs.calls.isolation import Server\n"
        "os.set_inheritable(1, True)\n"
        "server = Server(lambda _: b'x', 10, unsafe=False, what='')\n"
        "server.ask(b'')\n"
        "print(server._process._child, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    child = int(done.stdout)

    def ended() -> bool:
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        return state == "Z"  # whoever has inherited it does not care

    wait_until(ended)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_server_that_is_closed_is_gone(monkeypatch: pytest.MonkeyPatch, layer: str) -> None:
    monkeypatch.setenv(VARIABLE, layer)
    server = Server(lambda request: request, 10, unsafe=False, what="")
    assert server.ask(b"first") == b"first"
    child = server._process._child
    assert Path(f"/proc/{child}").exists()
    server.close()
    assert not Path(f"/proc/{child}").exists()


def test_a_folder_that_is_not_there_inside_has_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one below ``/dev/shm``, which each has of its own: no test could be run where it is."""
    monkeypatch.setenv(VARIABLE, "namespaces")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        monkeypatch.chdir(folder)
        with pytest.raises(UsageError, match=re.escape(folder)):
            Server(lambda request: request, 10, unsafe=False, what="This")
        monkeypatch.undo()


def test_a_server_that_is_killed_is_started_anew() -> None:
    server = Server(lambda request: request, 10, unsafe=False, what="")
    try:
        assert server.ask(b"first") == b"first"
        os.kill(server._process._child, signal.SIGKILL)
        assert server.ask(b"second") == b"second"
    finally:
        server.close()


def test_a_server_that_cannot_live_gives_no_answer() -> None:
    host = os.getpid()

    def end(_: bytes) -> bytes:
        os._exit(3)

    server = Server(end, 10, unsafe=False, what="")
    try:
        with pytest.raises(Ended, match="exit status 3"):
            server.ask(b"")
    finally:
        server.close()
    assert os.getpid() == host


@pytest.mark.parametrize("length", [10, 11])
def test_an_answer_has_a_longest_length(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr(server, "LONGEST", 10)
    asked = Server(lambda _: bytes(length), 10, unsafe=False, what="This")
    try:
        if length == 10:
            assert asked.ask(b"") == bytes(10)
        else:
            with pytest.raises(Ended):
                asked.ask(b"")
    finally:
        asked.close()


# --- without walls ------------------------------------------------------------------------------


def test_without_walls_it_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setenv(VARIABLE, "none")

    def parse(text: str) -> None:
        if "<" in text:
            raise ValueError("bad")

    with DeltaDebugger() as dd:
        parse("ab<c>")
    with pytest.raises(
        UsageError, match=r"Calling .*parse again .* safe in a sandbox only"
    ) as caught:
        dd.min_args()
    assert caught.value.slug == "no-sandbox"
    assert f"none here ({VARIABLE} is none)" in caught.value.message
    with DeltaDebugger(unsafe=True) as dd:
        parse("ab<c>")
    assert dd.min_args() == {"text": "<"}

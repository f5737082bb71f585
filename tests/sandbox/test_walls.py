"""What runs behind walls changes nothing outside, whatever it tries; and leaves nothing behind.

The programs here only ever aim at things of the test's own: files in its folder, its own sockets
and processes.  Programs that aim at more are in ``tests/harm``.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.cli.main import main
from stripe.sandbox import layers
from stripe.sandbox.layers import find_layer, refused
from stripe.sandbox.walls import Layer, Walls
from tests.support.patience import PATIENCE, wait_until

LAYERS = [Layer.NAMESPACES, Layer.LANDLOCK]


@pytest.fixture(params=LAYERS, ids=[layer.value for layer in LAYERS])
def layer(request: pytest.FixtureRequest) -> Layer:
    why = refused(request.param)
    if why is not None:
        pytest.skip(f"there is no such layer here: {why}")
    return request.param


@pytest.fixture
def namespaces() -> Layer:
    why = refused(Layer.NAMESPACES)
    if why is not None:
        pytest.skip(f"there are no namespaces here: {why}")
    return Layer.NAMESPACES


class Place:
    """A scratch root with one home, and a folder outside of it with something precious."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path / "root"
        self.home = self.root / "home"
        self.home.mkdir(parents=True)
        self.outside = tmp_path / "outside"
        self.outside.mkdir()
        self.precious = self.outside / "precious.txt"
        self.precious.write_text("precious\n")

    def walls(self, layer: Layer, **more) -> Walls:
        return Walls(layer, self.root, self.home, self.root / "room", self.home, **more)

    def run(self, layer: Layer, code: str, *arguments: object, **more):
        """Run Python code behind walls; it finds the path of what is precious in ``argv[1]``."""
        command = [sys.executable, "-I", "-c", textwrap.dedent(code), str(self.precious)]
        walled = self.walls(layer, **more).command([*command, *map(str, arguments)], self.home)
        return subprocess.run(
            walled, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


TRY = """\
import ctypes, os, socket, sys
path = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
def attempt(act):
    try:
        act()
    except OSError as error:
        print("refused", error)
    else:
        print("done")
"""

HARM = {
    "write": "attempt(lambda: open(path, 'w').write('x'))",
    "append": "attempt(lambda: open(path, 'a').write('x'))",
    "truncate": "attempt(lambda: os.truncate(path, 0))",
    "remove": "attempt(lambda: os.remove(path))",
    "rename": "attempt(lambda: os.rename(path, path + '.gone'))",
    "new file": "attempt(lambda: open(path + '.new', 'w'))",
    "new folder": "attempt(lambda: os.mkdir(path + '.new'))",
    "mode": "attempt(lambda: os.chmod(path, 0))",
    "mode by descriptor": "attempt(lambda: os.fchmod(os.open(path, os.O_RDONLY), 0))",
    "mode by a link": "os.symlink(path, 'link'); attempt(lambda: os.chmod('link', 0))",
    "mode by an open file's name": (
        "n = os.open(path, os.O_RDONLY)\n"
        "for name in ('/proc/self/fd/%d', '/proc/thread-self/fd/%d', '/dev/fd/%d'):\n"
        "    attempt(lambda: os.chmod(name % n, 0))"
    ),
    "mode through a folder": (
        "n = os.open(os.path.dirname(path), os.O_RDONLY)\n"
        "attempt(lambda: os.chmod(os.path.basename(path), 0, dir_fd=n))"
    ),
    "mode of what is given by descriptor alone": (
        "attempt(lambda: libc.syscall(452, os.open(path, os.O_PATH), b'', 0, 0x1000))"
    ),
    "mode by a path that goes up": (
        "attempt(lambda: os.chmod(os.path.relpath(path), 0))\n"
        "attempt(lambda: os.chmod(os.getcwd() + '/' + os.path.relpath(path), 0))"
    ),
    "times by descriptor": "attempt(lambda: os.utime(os.open(path, os.O_RDONLY), (1, 1)))",
    "owner": "attempt(lambda: os.chown(path, os.getuid(), os.getgid()))",
    "own listener": (
        "code = ctypes.create_string_buffer(b'\\x06\\0\\0\\0\\0\\0\\xff\\x7f', 8)\n"
        "class F(ctypes.Structure):\n"
        "    _fields_ = [('n', ctypes.c_ushort), ('c', ctypes.c_void_p)]\n"
        "f = F(1, ctypes.addressof(code))\n"
        "print('listens', libc.syscall(317, 1, 8, ctypes.byref(f)))\n"
        "attempt(lambda: os.chmod(path, 0))"
    ),
    "times": "attempt(lambda: os.utime(path, (1, 1)))",
    "attribute": "attempt(lambda: os.setxattr(path, 'user.harm', b'x'))",
    "hard link": "attempt(lambda: os.link(path, path + '.new'))",
    "link into the home": "os.symlink(path, 'link'); attempt(lambda: open('link', 'w').write('x'))",
    "by the C library": "libc.unlink(path.encode())",
    "a command": "os.system('rm -rf ' + os.path.dirname(path))",
    "from the root": "attempt(lambda: open('/proc/self/root' + path, 'w').write('x'))",
    "of the parent": "attempt(lambda: open(f'/proc/{os.getppid()}/root' + path, 'w').write('x'))",
    "all descriptors": "[attempt(lambda: os.write(n, b'x')) for n in range(3, 99)]",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_files_outside_stay_as_they_are(layer: Layer, place: Place, harm: str):
    before = os.lstat(place.precious)
    done = place.run(layer, TRY + harm)
    assert "Traceback" not in done.stderr, done.stderr
    assert os.listdir(place.outside) == ["precious.txt"]
    assert place.precious.read_text() == "precious\n"
    after = os.lstat(place.precious)
    assert (before.st_mode, before.st_mtime_ns, before.st_ctime_ns, before.st_nlink) == (
        after.st_mode,
        after.st_mtime_ns,
        after.st_ctime_ns,
        after.st_nlink,
    )
    assert not os.listxattr(place.precious)


def test_its_home_can_be_written_and_all_else_be_read(layer: Layer, place: Place):
    done = place.run(layer, "import sys\nopen('new', 'w').write(open(sys.argv[1]).read())")
    assert done.returncode == 0, done.stderr
    assert (place.home / "new").read_text() == "precious\n"


def test_modes_and_times_of_own_files_are_the_programs(layer: Layer, place: Place):
    code = """\
        import os, threading
        open("a", "w").close()
        os.symlink("a", "link")
        os.mkdir("d")
        os.chmod("a", 0o640)
        os.chmod("d", 0o700, dir_fd=os.open(".", os.O_RDONLY))
        os.utime("link", ns=(5, 7), follow_symlinks=False)
        os.utime("a", ns=(1, 10**18 + 1))
        os.fchmod(os.open("a", os.O_RDONLY), 0o600)
        a = os.stat("a")
        print(oct(a.st_mode), a.st_mtime_ns, end=" ")
        print(oct(os.stat("d").st_mode), os.lstat("link").st_mtime_ns)
        for act in (
            lambda: os.chmod("none", 0),
            lambda: os.chmod("", 0),
            lambda: os.fchmod(99, 0),
            lambda: os.chmod("a/b", 0),
            lambda: os.chmod("x" * 5000, 0),
        ):
            try:
                act()
            except OSError as error:
                print(error.errno, end=" ")
        def many():
            for _ in range(100):
                os.chmod("a", 0o644)
        threads = [threading.Thread(target=many) for _ in range(4)]
        [each.start() for each in threads]
        [each.join() for each in threads]
        print(oct(os.stat("a").st_mode))
        """
    done = place.run(layer, code)
    assert done.stdout == "0o100600 1000000000000000001 0o40700 7\n2 2 9 20 36 0o100644\n", done


def test_in_namespaces_files_outside_are_copies_on_write(namespaces: Layer, place: Place):
    code = """\
        import os, sys
        path = sys.argv[1]
        open(path, "a").write("more\\n")
        os.makedirs(os.path.expanduser("~/a/b"))
        open("/dev/shm/x", "w").write("x")
        print(open(path).read(), os.listdir(os.path.dirname(path)))
        """
    done = place.run(namespaces, code)
    assert done.stdout == "precious\nmore\n ['precious.txt']\n", done.stderr
    assert place.precious.read_text() == "precious\n"
    assert not Path("~/a/b").expanduser().exists()
    assert not Path("/dev/shm/x").exists()


def test_a_copy_stands_where_the_folder_is(namespaces: Layer, place: Place):
    (place.home / "work" / "kept").mkdir(parents=True)
    (place.home / "work" / "file").write_text("copied\n")
    (place.outside / "kept").mkdir()
    (place.outside / "kept" / "inner").write_text("inner\n")
    walls = Walls(
        namespaces, place.root, place.home, place.root / "room", place.home / "work",
        str(place.outside), (str(place.outside / "kept"),),
    )  # fmt: skip
    code = "cat file kept/inner; pwd; ls; echo new > new; echo more > kept/inner"
    command = walls.command(["/bin/sh", "-c", code], place.outside)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.stdout == f"copied\ninner\n{place.outside}\nfile\nkept\n", done.stderr
    assert (place.home / "work" / "new").read_text() == "new\n"
    assert (place.outside / "kept" / "inner").read_text() == "inner\n"
    assert sorted(os.listdir(place.outside)) == ["kept", "precious.txt"]


def test_no_socket_of_the_machine_can_be_reached(layer: Layer, place: Place):
    name = f"\0stripe-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as path,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        udp.bind(("127.0.0.1", 0))
        at = place.outside / "s"
        os.chdir(place.outside)  # paths of sockets are short
        path.bind("s")
        abstract.bind(name)
        for server in (path, abstract):
            server.listen()
        code = (
            TRY
            + """\
ports = [int(word) for word in sys.argv[2:4]]
attempt(lambda: socket.create_connection(("127.0.0.1", ports[0]), 1))
there = ("127.0.0.1", ports[1])
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", there))
os.chdir(os.path.dirname(path)) if os.path.exists(path) else None
attempt(lambda: socket.socket(socket.AF_UNIX).connect("s"))
attempt(lambda: socket.socket(socket.AF_UNIX).connect("\\0" + sys.argv[4]))
"""
        )
        done = place.run(layer, code, tcp.getsockname()[1], udp.getsockname()[1], name[1:])
        assert done.stdout.count("refused") >= 3, done.stdout + done.stderr
        for server in (tcp, path, abstract):
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()
        udp.setblocking(False)
        with pytest.raises(BlockingIOError):
            udp.recv(1)
        assert at.exists()


def test_a_server_and_its_client_can_talk_in_namespaces(namespaces: Layer, place: Place):
    code = """\
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        client = socket.create_connection(server.getsockname())
        server.accept()[0].sendall(b"hello")
        print(client.recv(9))
        """
    assert place.run(namespaces, code).stdout == "b'hello'\n"


def test_no_network_unless_allowed(namespaces: Layer, place: Place):
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = TRY + "attempt(lambda: socket.create_connection(('127.0.0.1', int(sys.argv[2]))))"
        port = server.getsockname()[1]
        assert "refused" in place.run(namespaces, code, port).stdout
        assert place.run(namespaces, code, port, network=True).stdout == "done\n"


@pytest.fixture
def sentinel() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


def test_no_process_outside_can_be_reached(layer: Layer, place: Place, sentinel):
    code = (
        TRY
        + """\
import resource
number = int(sys.argv[2])
attempt(lambda: os.kill(number, 15))
attempt(lambda: os.killpg(os.getpgid(number), 15))
attempt(lambda: os.setpriority(os.PRIO_PROCESS, number, 19))
attempt(lambda: os.sched_setaffinity(number, {0}))
attempt(lambda: resource.prlimit(number, resource.RLIMIT_NOFILE, (5, 5)))
attempt(lambda: open(f"/proc/{number}/oom_score_adj", "w").write("1000"))
if libc.ptrace(16, number, None, None) == 0:
    print("done")
attempt(lambda: os.kill(os.getppid(), 15) if os.getppid() else None)
"""
    )
    affinity, priority = os.sched_getaffinity(sentinel.pid), os.getpriority(0, sentinel.pid)
    limits = Path(f"/proc/{sentinel.pid}/limits").read_text()
    score = Path(f"/proc/{sentinel.pid}/oom_score_adj").read_text()
    done = place.run(layer, code, sentinel.pid)
    assert "Traceback" not in done.stderr, done.stderr
    assert sentinel.poll() is None
    assert os.sched_getaffinity(sentinel.pid) == affinity
    assert os.getpriority(0, sentinel.pid) == priority
    assert Path(f"/proc/{sentinel.pid}/limits").read_text() == limits
    assert Path(f"/proc/{sentinel.pid}/oom_score_adj").read_text() == score


def test_kernel_objects_do_not_get_out(layer: Layer, place: Place):
    def objects():
        return [Path(f"/proc/sysvipc/{kind}").read_text() for kind in ("shm", "sem", "msg")]

    key = 0x57121BE + os.getpid()
    code = (
        TRY
        + """\
key = int(sys.argv[2])
print(libc.shmget(key, 4096, 0o1600) >= 0, libc.semget(key, 1, 0o1600) >= 0)
print(libc.msgget(key, 0o1600) >= 0, libc.mq_open(b"/stripe", 0o102, 0o600, None) >= 0)
print(libc.syscall(ctypes.c_long(248), b"user", b"stripe", b"x", 1, -3) >= 0)
"""
    )
    before = objects()
    done = place.run(layer, code, key)
    assert done.returncode == 0, done.stderr
    assert objects() == before
    assert ctypes.CDLL(None).shmget(key, 4096, 0) == -1


def test_no_privileges(layer: Layer, place: Place):
    code = """\
        status = dict(line.split(":\\t", 1) for line in open("/proc/self/status"))
        print({status[each].strip() for each in ("CapInh", "CapPrm", "CapEff", "CapBnd")})
        print(status["NoNewPrivs"].strip())
        """
    done = place.run(layer, code)
    assert done.stdout == "{'0000000000000000'}\n1\n", done.stderr


def test_there_is_no_terminal(layer: Layer, place: Place):
    code = (
        TRY
        + """\
print([n for n in range(3) if os.isatty(n)])
attempt(lambda: os.open("/dev/tty", os.O_RDWR))
import fcntl
attempt(lambda: os.open(sys.argv[2], os.O_RDWR))
"""
    )
    master, slave = os.openpty()
    done = place.run(layer, code, os.ttyname(slave))
    assert done.stdout.splitlines()[0] == "[]", done.stderr
    assert done.stdout.count("refused") == 2, done.stdout
    os.close(master)
    os.close(slave)


def test_root_cannot_change_the_kernel(layer: Layer, place: Place):
    code = (
        TRY
        + """\
for name in ("/proc/sys/kernel/hostname", "/proc/sys/vm/swappiness", "/sys/kernel/mm/ksm/run"):
    if os.path.exists(name):
        text = open(name).read()
        try:
            with open(name, "w") as stream:
                stream.write(text)
            print("written", name)
        except OSError:
            pass
attempt(lambda: os.chmod("/dev/null", 0o666))
attempt(lambda: open("/dev/null", "w").write("x"))
"""
    )
    done = place.run(layer, code)
    assert done.stdout.splitlines() == [done.stdout.splitlines()[0], "done"], done.stdout
    assert "refused" in done.stdout


def processes_of(place: Place) -> list[str]:
    """Command lines of processes that have the place's path in theirs."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(os.fsencode(place.home) in word for word in words):
                found.append(b" ".join(words).decode("utf-8", "replace"))
    return found


DAEMON = """\
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(600)
    os._exit(0)
os.wait()
open("ready", "w")
"""


def test_daemons_end_with_the_command(layer: Layer, place: Place):
    done = place.run(layer, DAEMON, place.home)
    assert done.returncode == 0, done.stderr
    wait_until(lambda: not processes_of(place), lambda: str(processes_of(place)))


HOST = """\
import subprocess, sys
from pathlib import Path
sys.path[:0] = sys.argv[1].split(":")
from stripe.sandbox.walls import Layer, Walls
root = Path(sys.argv[2])
home = root / "home"
walls = Walls(Layer(sys.argv[3]), root, home, root / "room", home)
code = "import time; open('ready', 'w'); time.sleep(600)"
subprocess.run(walls.command([sys.executable, "-c", code, str(home)], home))
"""


def test_all_ends_with_the_host(layer: Layer, place: Place):
    paths = ":".join(path for path in sys.path if path)
    command = [sys.executable, "-c", HOST, paths, str(place.root), layer.value]
    host = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    wait_until((place.home / "ready").exists)
    host.kill()
    host.wait()
    wait_until(lambda: not processes_of(place), lambda: str(processes_of(place)))


def children_of(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children")
    if not listed.exists():
        pytest.skip("this kernel does not list children")
    return [int(word) for word in listed.read_text().split()]


@pytest.mark.parametrize("depth", [0, 1, 2], ids=["guard", "warden", "first process"])
def test_whichever_helper_is_killed_all_of_it_ends(namespaces: Layer, place: Place, depth: int):
    code = "import time; open('ready', 'w'); time.sleep(600)"
    command = [sys.executable, "-c", code, str(place.home)]
    guard = subprocess.Popen(place.walls(namespaces).command(command, place.home))
    wait_until((place.home / "ready").exists)
    victim = guard.pid
    for _ in range(depth):
        victim = children_of(victim)[0]
    os.kill(victim, signal.SIGKILL)
    guard.wait(PATIENCE)
    wait_until(lambda: not processes_of(place), lambda: str(processes_of(place)))


RUNS = """\
import ctypes, os, subprocess, sys
os.environ.setdefault("STRIPE_WARDEN", "")
namespace = {}
path = os.environ["STRIPE_WARDEN"].split(",", 2)[2]
exec(open(path).read(), namespace)
warden = namespace["Warden"]()
assert "STRIPE_WARDEN" not in os.environ
for _ in range(3):
    subprocess.run([sys.executable, "-I", "-c", sys.argv[2], sys.argv[1]])
    warden.renew()
"""


@pytest.mark.parametrize("upper", ["memory", "disk"])
def test_each_run_starts_from_the_same_world(
    namespaces: Layer, place: Place, upper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with upper layers on the disk, as on kernels before 6.6."""
    monkeypatch.setenv("STRIPE_SANDBOX_UPPER", upper)
    code = (
        TRY
        + """\
places = [path, os.path.expanduser("~/stripe-test"), "/dev/shm/stripe-test", "/var/tmp/stripe-test"]
seen = [len(open(each).read()) if os.path.exists(each) else 0 for each in places]
found = [libc.shmget(5, 4096, 0) >= 0, libc.msgget(5, 0) >= 0, libc.semget(5, 1, 0) >= 0]
print(seen, found, libc.mq_open(b"/queue", 2) >= 0, os.path.exists(os.path.dirname(path)))
for each in places:
    open(each, "a").write("more")
libc.shmget(5, 4096, 0o1600); libc.msgget(5, 0o1600); libc.semget(5, 1, 0o1600)
libc.mq_open(b"/queue", 0o102, 0o600, None)
os.system("rm -rf " + os.path.dirname(path))
os.mkdir(os.path.dirname(path))
"""
    )
    done = place.run(namespaces, RUNS, code)
    line = "[9, 0, 0, 0] [False, False, False] False True\n"
    assert done.stdout == 3 * line, done.stdout + done.stderr
    assert place.precious.read_text() == "precious\n"
    assert list((place.root / "room").iterdir()) == []


def test_upper_layers_on_the_disk_cannot_be_seen(namespaces: Layer, place: Place, monkeypatch):
    monkeypatch.setenv("STRIPE_SANDBOX_UPPER", "disk")
    code = "import os, sys; open('/var/tmp/new', 'w'); print(os.listdir(sys.argv[2]))"
    assert place.run(namespaces, code, place.root / "room").stdout == "[]\n"


def test_a_layer_can_be_forced(monkeypatch):
    monkeypatch.setenv("STRIPE_SANDBOX_LAYER", "none")
    find_layer.cache_clear()
    assert find_layer() == (Layer.NONE, "STRIPE_SANDBOX_LAYER is none")
    find_layer.cache_clear()


def test_why_there_is_no_better_layer(monkeypatch):
    monkeypatch.delenv("STRIPE_SANDBOX_LAYER", raising=False)
    problems: dict[Layer, str | None] = {Layer.NAMESPACES: "one", Layer.LANDLOCK: "other"}
    monkeypatch.setattr(layers, "refused", lambda layer: problems[layer])
    find_layer.cache_clear()
    assert find_layer() == (Layer.NONE, "namespaces: one; landlock: other")
    problems[Layer.LANDLOCK] = None
    find_layer.cache_clear()
    assert find_layer() == (Layer.LANDLOCK, "namespaces: one")
    find_layer.cache_clear()


def test_a_layer_that_passed_is_remembered_until_something_changes(namespaces, monkeypatch):
    layers.forget_layers()
    assert refused(namespaces) is None
    monkeypatch.setattr(layers, "_try", lambda layer: layers.Tried("not today"))
    assert refused(namespaces) is None
    assert layers.try_layer(namespaces).tasks["replace a folder outside"] == ""
    monkeypatch.setattr(layers, "circumstances", lambda *_: "others")
    assert refused(namespaces) == "not today"
    monkeypatch.undo()
    assert refused(namespaces) is None


def test_it_is_tried_again_when_something_was_refused(namespaces, monkeypatch, capsys):
    assert refused(namespaces) is None
    assert main(["nothing"]) == 2
    assert "unknown-verb" in capsys.readouterr().err
    monkeypatch.setattr(layers, "_try", lambda layer: layers.Tried("not today"))
    assert refused(namespaces) == "not today"


def test_a_layer_in_which_a_folder_cannot_be_replaced_is_not_taken(
    namespaces, monkeypatch, tmp_path
):
    """As on kernels whose memory file systems keep no attributes: an overlay there says EIO."""
    lines = r"start a process\t\nwrite in /tmp\t\nreplace a folder outside\tI/O error"
    (tmp_path / "test.py").write_text(f"print('{lines}', flush=True)\n")
    monkeypatch.setattr(layers, "_SELF_TEST", tmp_path / "test.py")
    layers.forget_layers()
    assert refused(namespaces) == "replace a folder outside: I/O error"


def test_each_layer_says_what_it_is():
    said = {layer.value: layer.described.partition(" (")[0] for layer in Layer}
    assert said == {
        "namespaces": "namespaces",
        "landlock": "Landlock and seccomp",
        "none": "none",
    }


def test_no_layer_changes_no_command(place: Place):
    assert place.walls(Layer.NONE).command(["true"], "/") == ["true"]


def test_a_command_that_is_not_there(layer: Layer, place: Place):
    command = place.walls(layer).command(["/no/such/command"], place.home)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 127
    assert "/no/such/command" in done.stderr


def test_it_ends_as_the_command_does(layer: Layer, place: Place):
    assert place.run(layer, "raise SystemExit(7)").returncode == 7
    killed = place.run(layer, "import os; os.kill(os.fork() or os.getpid(), 9); print(os.wait())")
    assert killed.returncode == 0


def test_the_number_of_processes_is_limited(namespaces: Layer, place: Place):
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_NPROC))"
    soft, hard = eval(place.run(namespaces, code).stdout)
    assert 0 < soft == hard <= 4096

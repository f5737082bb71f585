"""What walls are made of, piece by piece, and what can be seen of it from inside.

Tests of a layer are left out where there is none; so here are those that say where one has to be.
"""

from __future__ import annotations

import ctypes
import errno
import io
import os
import platform
import re
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.sandbox.inside import namespaces, system, tree
from stripe.sandbox.layers import refused
from stripe.sandbox.reads import read_report, witnessed
from stripe.sandbox.walls import Layer, Walls, script
from tests.support.patience import PATIENCE

LIBC = ctypes.CDLL(None, use_errno=True)
LINUX = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
known = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="system calls have other numbers here"
)
if sys.platform != "linux" or not shutil.which("unshare"):
    pytest.skip("needs Linux, and unshare of util-linux", allow_module_level=True)


# --- where there has to be a layer

UNSHARE = ["unshare", "--map-root-user", "--mount"]
ALL_OF_IT = """
mount -t tmpfs none "$1"; cd "$1"; mkdir lower upper work top
mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr none top
mount -t proc proc /proc
"""


def test_namespaces_are_there_where_the_kernel_has_them(tmp_path: Path) -> None:
    others = ["--pid", "--fork", "--net", "--ipc", "--uts"]
    done = subprocess.run(
        [*UNSHARE, *others, "sh", "-ec", ALL_OF_IT, "sh", str(tmp_path)], capture_output=True
    )
    if done.returncode or LINUX < (5, 12):
        pytest.skip(f"Linux {platform.release()}: {done.stderr.decode()}")
    assert refused(Layer.NAMESPACES) is None


@known
def test_landlock_is_there_where_the_kernel_has_it() -> None:
    version = LIBC.syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version < 6:
        pytest.skip(f"Landlock has version {version} here")
    assert refused(Layer.LANDLOCK) is None


@known
def test_calls_can_be_watched_where_the_kernel_lets_them(tmp_path: Path) -> None:
    call = 317 if platform.machine() == "x86_64" else 277
    notify = ctypes.byref(ctypes.c_uint32(0x7FC00000))
    if LINUX < (5, 19) or LIBC.syscall(ctypes.c_long(call), 2, 0, notify):
        pytest.skip(f"Linux {platform.release()} does not tell of calls")
    subprocess.run(witnessed(["/bin/true"], tmp_path / "report"), check=True)
    assert not read_report(tmp_path / "report").refused


# --- from inside


@pytest.fixture(params=[Layer.NAMESPACES, Layer.LANDLOCK], ids=lambda layer: layer.value)
def walls(request: pytest.FixtureRequest, tmp_path: Path) -> Walls:
    if refused(request.param) is not None:
        pytest.skip(f"no {request.param.value} here")
    home = tmp_path / "root" / "home"
    home.mkdir(parents=True)
    return Walls(request.param, home.parent, home, home.parent / "room", home)


@pytest.fixture
def spaces(tmp_path: Path) -> Walls:
    if refused(Layer.NAMESPACES) is not None:
        pytest.skip("no namespaces here")
    home = tmp_path / "root" / "home"
    home.mkdir(parents=True)
    return Walls(Layer.NAMESPACES, home.parent, home, home.parent / "room", home)


def printed(walls: Walls, script: str, *words: object, before: tuple[str, ...] = ()) -> str:
    """What a script prints behind the walls; ``before``: what puts them up."""
    command = walls.command(["/bin/sh", "-c", script, "sh", *map(str, words)], walls.home)
    done = subprocess.run(
        [*before, *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={"PATH": os.environ["PATH"], "WORD": "a b"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_environment_is_what_it_was_given(walls: Walls) -> None:
    assert printed(walls, 'echo "$WORD"') == "a b\n"


STATE = """
import os, signal, sys
told = {
    "arguments": sys.argv[1:],
    "environment": {k: v for k, v in os.environ.items() if not k.startswith(("STRIPE", "LC_"))},
    "open": sorted(int(n) for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")),
    "ours": os.stat("/proc/self/fd").st_uid == os.getuid(),
    "signals": [signal.getsignal(n) for n in (signal.SIGPIPE, signal.SIGTERM, signal.SIGCHLD)],
    "folder": os.getcwd(), "first": os.getpid() == 1, "name": __name__,
    "warden": [os.get_inheritable(int(n)) for n in os.environ.get("STRIPE_WARDEN", "").split(",")[:2] if n],
}
print(told)
sys.stdout.flush()
os._exit(3)
"""  # noqa: E501


def test_a_script_of_ours_finds_what_one_finds_that_is_started(walls: Walls) -> None:
    """It runs in the process that put the walls up, which has no more than an interpreter has."""
    path = walls.home / "state.py"
    path.write_text(STATE)
    found = []
    for ours in (True, False):
        done = subprocess.run(
            walls.command(script(path, "a", "b c"), walls.home, ours=ours),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={"PATH": os.environ["PATH"], "WORD": "a b"},
        )
        assert done.returncode == 3, done.stderr
        found.append(done.stdout)
    assert found[0] == found[1]
    assert "['a', 'b c']" in found[0]


def test_a_script_of_ours_that_fails_says_why(walls: Walls) -> None:
    path = walls.home / "fails.py"
    path.write_text("raise KeyError('so')")
    command = walls.command(script(path), walls.home, ours=True)
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert done.stderr.endswith("KeyError: 'so'\n")


def test_what_is_beside_its_home_is_for_others(walls: Walls) -> None:
    """As copies that other runs work in."""
    (walls.root / "other").write_text("theirs")
    assert printed(walls, "(echo mine > ../other) 2>&1 | wc -l; echo mine > own") == "1\n"
    assert (walls.root / "other").read_text() == "theirs"
    assert (walls.home / "own").read_text() == "mine\n"


def test_its_devices(spaces: Walls) -> None:
    script = "echo x > /dev/null && head -c 2 /dev/zero | tr '\\0' z; stat -c ' %a' /dev/shm"
    assert printed(spaces, script) == "zz 1777\n"


def test_files_belong_to_whom_they_belong(spaces: Walls, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    if os.geteuid() == 0:
        os.chown(tmp_path / "file", 1234, 2345)
    status = (tmp_path / "file").stat()
    found = printed(spaces, 'stat -c "%u %g" "$1"', tmp_path / "file")
    assert found == f"{status.st_uid} {status.st_gid}\n"


def test_a_folder_with_mounts_below_it(spaces: Walls, tmp_path: Path) -> None:
    folder = tmp_path / "outside"
    (folder / "a mount").mkdir(parents=True)
    (folder / "small").write_text("small\n")
    (folder / "small").chmod(0o640)
    os.utime(folder / "small", (1, 2))
    with open(folder / "large", "wb") as stream:
        stream.write(b"large\n")
        stream.truncate(2 << 20)
    mount = 'mount -t tmpfs none "$1" && echo mounted > "$1/file" && shift && exec "$@"'
    before = (*UNSHARE, "sh", "-c", mount, "sh", str(folder / "a mount"))
    if subprocess.run([*before, "true"], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    script = """
cd "$1"; cat small "a mount/file"; head -n 1 large; stat -c %s large; stat -c "%a %Y" small
echo more >> small; echo more >> "a mount/file"; cat small "a mount/file"
(echo more >> large) 2>&1 | grep -o Read-only
"""
    assert printed(spaces, script, folder, before=before).splitlines() == [
        *("small", "mounted", "large", str(2 << 20), "640 2"),
        *("small", "more", "mounted", "more"),
        "Read-only",
    ]
    assert (folder / "small").read_text() == "small\n"


def test_a_folder_that_goes_away_outside_is_no_harm_when_copies_are_renewed(
    spaces: Walls, tmp_path: Path
) -> None:
    """With a mount below their folder, each of its folders is a copy in turn."""
    folder = tmp_path / "outside"
    for name in ("mount", "away"):
        (folder / name).mkdir(parents=True)
    inside = Path(tree.__file__).parents[1]
    script = f"""
import os, subprocess, sys
sys.path.insert(0, {str(inside)!r})
from inside.warden import Warden
warden = Warden()
for _ in range(2):
    open({str(folder / "new")!r}, "w").close()
    print("written", flush=True)
    sys.stdin.readline()
    warden.renew()
    print(os.path.exists({str(folder / "new")!r}), flush=True)
"""
    (spaces.home / "again.py").write_text(script)
    mount = 'mount -t tmpfs none "$1" && shift && exec "$@"'
    command = spaces.command([sys.executable, "again.py"], spaces.home)
    process = subprocess.Popen(
        [*UNSHARE, "sh", "-c", mount, "sh", str(folder / "mount"), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        if process.stdout.readline() != "written\n":
            pytest.skip("nothing can be mounted here")
        (folder / "away").rmdir()
        said, _ = process.communicate("\n\n", timeout=PATIENCE)
    assert said.split() == ["False", "written", "False"]


def test_flags_of_files_are_not_known(tmp_path: Path) -> None:
    """Who owns a file could change them without writing it; a kernel may lack them as well."""
    if refused(Layer.LANDLOCK) is not None:
        pytest.skip("no Landlock here")
    home = tmp_path / "home"
    home.mkdir()
    walls = Walls(Layer.LANDLOCK, tmp_path, home, tmp_path / "room", home)
    code = """
import errno, fcntl, sys
for request in (0x80086601, 0x40086602):
    try:
        fcntl.ioctl(open(sys.argv[1]), request, bytes(8))
    except OSError as error:
        print(errno.errorcode[error.errno])
"""
    (home / "ask.py").write_text(code)
    said = printed(walls, '"$1" -I ask.py ask.py', sys.executable)
    assert said.split() == [errno.errorcode[errno.EOPNOTSUPP]] * 2


# --- by itself


@pytest.mark.parametrize(
    ("here", "inside"),
    [((-1, -1), 4096), ((100, -1), 100), ((-1, 200), 200), ((9999, 9999), 4096)],
)
def test_how_many_processes_there_may_be(
    here: tuple[int, int], inside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: here)
    monkeypatch.setattr(resource, "setrlimit", lambda which, limits: done.append(limits))
    namespaces._limit_processes()
    assert done == [(inside, inside)]


def test_places_of_mounts_with_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = rb"""22 1 0:5 / / rw - ext4 /dev/sda rw
23 22 0:6 / /a\040b\134c\011 rw - tmpfs none rw
"""
    monkeypatch.setattr(tree, "open", lambda *_: io.BytesIO(lines), raising=False)
    assert list(tree.mount_points()) == ["/", "/a b\\c\t"]


class Mounts:
    """A kernel that notes what it is asked to mount, and refuses some kinds."""

    def __init__(self, *refused: str | None) -> None:
        self.refused = refused
        self.done: list[tuple[object, ...]] = []

    def mount(self, source: str, target: str, kind: str | None, flags: int, data: object) -> None:
        if kind in self.refused:
            raise OSError(22, "Invalid argument")
        self.done.append((source, target, flags))

    def read_only(self, target: str) -> None:
        self.done.append(("read-only", target))


def made(folder: Path) -> tree.FileTree:
    """A tree in which nothing is yet."""
    new = tree.FileTree.__new__(tree.FileTree)
    new.top, new._memory = str(folder / "top"), str(folder / "memory")
    new._count, new._layers, new._mounts = 0, [], []
    for place in (new.top, new._memory, f"{new._memory}/layers"):
        os.mkdir(place)
    return new


@pytest.mark.parametrize("refused", [(), ("overlay",), ("overlay", None)])
def test_a_folder_of_which_no_copy_can_be_made_is_shown(
    refused: tuple[str | None, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Mounts(*refused)
    for name in ("mount", "read_only"):
        monkeypatch.setattr(system, name, getattr(kernel, name))
    old, new = str(tmp_path / "old"), str(tmp_path / "top" / "old")
    os.mkdir(old)
    made(tmp_path)._show(old, new)
    shown = [(old, new, system.MS_BIND | system.MS_REC), ("read-only", new)]
    copied = [("overlay", new, system.MS_NODEV)]
    assert kernel.done == {0: copied, 1: shown, 2: []}[len(refused)]
    assert os.path.isdir(new)


def test_what_is_neither_file_folder_nor_link_is_not_shown(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    made(tmp_path)._show(str(tmp_path / "pipe"), str(tmp_path / "top" / "pipe"))
    assert not os.path.lexists(tmp_path / "top" / "pipe")


def test_ports_are_free_at_once_where_the_kernel_can_do_that(tmp_path: Path) -> None:
    namespaces._forget_connections(str(tmp_path))  # this one cannot
    buckets = tmp_path / "sys/net/ipv4/tcp_max_tw_buckets"
    buckets.parent.mkdir(parents=True)
    buckets.write_text("4096")
    namespaces._forget_connections(str(tmp_path))
    assert buckets.read_text() == "0"


def test_who_is_to_die_with_its_parent_has_told_the_kernel() -> None:
    asked = ctypes.c_int()
    try:
        system.die_with_parent(signal.SIGKILL)
        LIBC.prctl(2, ctypes.byref(asked), 0, 0, 0)
    finally:
        system.die_with_parent(0)
    assert asked.value == signal.SIGKILL


# --- who is who inside


SOMEBODY = """\
import ctypes, encodings.ascii, os
from stripe.sandbox.inside import namespaces
os.setgroups([])
os.setresgid(65533, 65533, 65533)
os.setresuid(65534, 65534, 65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: else its files in /proc were root's
namespaces._unshare(network=True)
print(os.getuid(), os.getgid())
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_users_without_privileges_stay_who_they_are() -> None:
    """They cannot map all numbers, but their own."""
    done = subprocess.run(
        [sys.executable, "-c", SOMEBODY], capture_output=True, text=True, timeout=PATIENCE
    )
    if "PermissionError" in done.stderr:
        pytest.skip("no user namespaces without privileges")
    assert (done.stdout, done.stderr) == ("65534 65533\n", "")


def test_a_map_that_cannot_be_is_told() -> None:
    assert not namespaces._map(os.getpid(), "uid", "no numbers\n")

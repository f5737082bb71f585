"""What the guard stops where there are no walls: each deed is tried, at files of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from stripe_pytrace.agent.process.guard import WATCHED

TRY = """\
import json, os, sys
from stripe_pytrace.agent.process.guard import LIBRARY, Guard

class Refused(BaseException):
    pass

def refuse(what):
    raise Refused(what)

deeds, within, outside = json.load(sys.stdin)
os.chdir(within)
told, events = [], set()
sys.addaudithook(lambda event, arguments: events.add(event))
for deed, allowed in deeds:
    code = compile(deed, "deed", "exec")
    world = {"os": os, "sys": sys, "outside": outside, "LIBRARY": LIBRARY}
    guard = Guard([within], None if allowed is None else {tuple(act) for act in allowed}, refuse)
    guard.install()
    refused = ""
    guard.on = True
    try:
        exec(code, world)
    except Refused as error:
        refused = str(error)
    except (OSError, ValueError):
        pass
    guard.on = False
    guard.allowed = None  # it goes on looking at imports
    told.append([refused, guard.dirty, guard.alone(), sorted(guard.done)])
json.dump([told, sorted(events)], sys.stdout)
"""

IN = "folder = os.open(outside, os.O_RDONLY)\n"
DEEDS = {
    # What it is, and what is said when it is refused.
    "open(outside + '/old', 'w')": "write {}/old",
    "open(outside + '/old', 'r+')": "write {}/old",
    "open(outside + '/new', 'x')": "write {}/new",
    "open(os.fsencode(outside) + b'/old', 'a')": "write {}/old",
    "open('../outside/old', 'w')": "write {}/old",
    "open('link/old', 'w')": "write {}/old",
    "open(outside + '-beside', 'w')": "write {}-beside",
    "open(os.getcwd() + '-beside', 'w')": "write {}/../within-beside",
    "os.open(outside + '/old', os.O_WRONLY)": "write {}/old",
    "os.open(outside + '/old', os.O_RDWR)": "write {}/old",
    "os.open(outside + '/new', os.O_CREAT)": "write {}/new",
    "os.open(outside + '/old', os.O_TRUNC)": "write {}/old",
    "os.open(outside + '/old', os.O_APPEND)": "write {}/old",
    f"{IN}os.open('old', os.O_WRONLY, dir_fd=folder)": "write ?/old",
    "os.chmod(outside + '/old', 0)": "os.chmod {}/old",
    f"{IN}os.chmod('old', 0, dir_fd=folder)": "os.chmod {}/old",
    "os.chown(outside + '/old', -1, -1)": "os.chown {}/old",
    f"{IN}os.chown('old', -1, -1, dir_fd=folder)": "os.chown {}/old",
    "os.link(outside + '/old', 'name')": "os.link {}/old",
    "os.link('own', outside + '/name')": "os.link {}/name",
    f"{IN}os.link('old', 'name', src_dir_fd=folder)": "os.link {}/old",
    f"{IN}os.link('own', 'name', dst_dir_fd=folder)": "os.link {}/name",
    "os.mkdir(outside + '/made')": "os.mkdir {}/made",
    f"{IN}os.mkdir('made', dir_fd=folder)": "os.mkdir {}/made",
    "os.remove(outside + '/old')": "os.remove {}/old",
    f"{IN}os.unlink('old', dir_fd=folder)": "os.remove {}/old",
    "os.removexattr(outside + '/old', 'user.one')": "os.removexattr {}/old",
    "os.rename(outside + '/old', 'moved')": "os.rename {}/old",
    "os.replace('own', outside + '/old')": "os.rename {}/old",
    f"{IN}os.rename('old', 'moved', src_dir_fd=folder)": "os.rename {}/old",
    f"{IN}os.rename('own', 'moved', dst_dir_fd=folder)": "os.rename {}/moved",
    "os.rmdir(outside + '/empty')": "os.rmdir {}/empty",
    f"{IN}os.rmdir('empty', dir_fd=folder)": "os.rmdir {}/empty",
    "os.setxattr(outside + '/old', 'user.one', b'1')": "os.setxattr {}/old",
    "os.symlink('own', outside + '/name')": "os.symlink {}/name",
    f"{IN}os.symlink('own', 'name', dir_fd=folder)": "os.symlink {}/name",
    "os.truncate(outside + '/old', 0)": "os.truncate {}/old",
    "os.utime(outside + '/old')": "os.utime {}/old",
    f"{IN}os.utime('old', dir_fd=folder)": "os.utime {}/old",
    "import shutil; shutil.chown(outside + '/old', 0)": "shutil.chown {}/old",
    "import shutil; shutil.rmtree(outside + '/empty')": "shutil.rmtree {}/empty",
    "os.system('true')": "run b'true'",
    "os.execv('/nowhere/true', ['true', 'x'])": "run ['/nowhere/true', 'x']",
    "os.posix_spawn('/nowhere/true', ('true', 'x'), {})": "run ['/nowhere/true', 'x']",
    "import subprocess; subprocess.run(['true', 'x'])": "run ['true', 'x']",
    "import subprocess; subprocess.run('true x', shell=True)": "run ['/bin/sh', '-c', 'true x']",
    "import subprocess; subprocess.run(['x'], executable='/bin/true')": "run ['/bin/true']",
    "import subprocess; subprocess.run(['true'], cwd='/')": "run ['true'] in '/'",
    "sys.audit('pty.spawn', ['true'])": "run ['true']",  # to import it is refused before
    "os.fork() or os._exit(0)": "os.fork",
    "os.forkpty()[0] or os._exit(0)": "os.forkpty",
    "os.kill(os.getpid(), 0)": "signal a process",
    "os.kill(0, 0)": "signal process 0 or less",
    "os.killpg(os.getpgid(0), 0)": "signal a process",
    "import socket; socket.socket().connect(('127.0.0.1', 1))": "socket.connect ('127.0.0.1', 1)",
    "import socket; socket.socket().bind(('127.0.0.1', 0))": "socket.bind ('127.0.0.1', 0)",
    "import socket; socket.socket(2, 2).sendto(b'', ('127.0.0.1', 9))":
        "socket.sendto ('127.0.0.1', 9)",
    "import socket; socket.getaddrinfo('127.0.0.1', 1)": "socket.getaddrinfo '127.0.0.1'",
    "import socket; socket.gethostbyname('127.0.0.1')": "socket.gethostbyname '127.0.0.1'",
    "import _thread; _thread.start_new_thread(print, ())": "start threads",
    "import threading; threading.Thread(target=print).start()": "start threads",
    "import ctypes; ctypes.CDLL('libc.so.6')": "ctypes.dlopen",
    "import ctypes; ctypes.CDLL(None).getpid": "ctypes.dlsym",
    "import _ctypes; _ctypes.dlsym(_ctypes.dlopen(None, 0), 'getpid')": "ctypes.dlsym/handle",
    "import sqlite3; sqlite3.connect(':memory:')": "sqlite3.connect",
    # As importing them would say, were they there and not imported before.
    "sys.audit('import', 'other', '/nowhere/other.so', None, None, None)": "load /nowhere/other.so",
    **{
        f"sys.audit('import', '{name}', None, None, None, None)": f"import {name}"
        for name in ("_posixshmem", "_multiprocessing", "_dbm", "_gdbm", "termios", "syslog",
                     "readline")
    },
}  # fmt: skip

ELSEWHERE = {"os.chflags"} | (
    {"_thread.start_joinable_thread"} if sys.version_info < (3, 13) else set()
)
"""What is told of on other systems only, or by later versions."""


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """The program's own, and one beside it, which nothing may change."""
    within, outside = tmp_path / "within", tmp_path / "outside"
    for folder in (within, outside, outside / "empty"):
        folder.mkdir()
    for path in (within / "own", outside / "old"):
        path.write_text("precious\n")
    (within / "link").symlink_to(outside)
    return within, outside


@dataclass(frozen=True)
class Told:
    """What was refused, and what is known of the program afterwards."""

    refused: str
    dirty: bool
    alone: bool
    done: list[list[str]]


type Folders = tuple[Path, Path]
type Act = tuple[str, str]


def tried(
    folders: Folders, deeds: Iterable[str], allowed: Iterable[Act] | None = ()
) -> tuple[list[Told], set[str]]:
    """What the guard said of each, and the audit events that there were."""
    acts = None if allowed is None else list(allowed)
    done = subprocess.run(
        [sys.executable, "-B", "-c", TRY],
        input=json.dumps([[(deed, acts) for deed in deeds], *map(str, folders)]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told, events = json.loads(done.stdout)
    return [Told(*each) for each in told], set(events)


def test_nothing_happens_outside(folders: Folders) -> None:
    within, outside = folders
    before = (outside / "old").stat()
    told, events = tried(folders, DEEDS)
    assert {deed: each.refused for deed, each in zip(DEEDS, told, strict=True)} == {
        deed: why.replace("{}/..", str(outside.parent)).format(outside)
        for deed, why in DEEDS.items()
    }
    assert [[" ".join(act).strip() for act in each.done] for each in told] == [
        [each.refused] for each in told
    ]
    assert (outside / "old").stat() == before
    assert sorted(os.listdir(outside)) == ["empty", "old"]
    assert sorted(os.listdir(within.parent)) == ["outside", "within"]
    assert sorted(os.listdir(within)) == ["link", "own"]
    assert WATCHED - events == ELSEWHERE, "nothing is watched that was not tried"


def test_what_the_recorded_run_did_may_be_done(folders: Folders) -> None:
    """Its folder had another name."""
    within, outside = folders
    deeds = {
        "os.chmod(outside + '/old', 0o600)": ("os.chmod", f"{outside}/old"),
        f"os.system('test -d {within}/none')": ("run", "b'test -d <0>/none'"),
    }
    told, _ = tried(folders, deeds, deeds.values())
    assert [(each.refused, each.done) for each in told] == [
        ("", [list(act)]) for act in deeds.values()
    ]
    assert (outside / "old").stat().st_mode & 0o777 == 0o600


# Harmless deeds: whether they may have changed the program's own folder, and whether it is alone.
FREE = {
    "open(outside + '/old').close()": (False, True),
    "os.close(os.open(outside + '/old', os.O_RDONLY))": (False, True),
    "open('/dev/null', 'w').close()": (False, True),
    "import threading": (False, True),
    "open('own', 'a').close()": (True, True),
    "open(os.open('own', os.O_RDONLY)).close()": (False, True),
    "os.utime(os.open('own', os.O_RDONLY))": (True, True),
    "os.mkdir('folder')": (True, True),
    "os.rmdir(os.getcwd())": (True, True),
    "open(outside + '/__pycache__/x.pyc', 'wb').close()": (True, True),
    "open(chr(0), 'w')": (False, True),
    "sys.audit('import', 'x', LIBRARY + 'x.so', None, None, None)": (False, True),
    # From here on there may be others: `subprocess` is there.
    "import ctypes; ctypes.CDLL(None)": (True, False),
}


def test_its_own_folder_is_its_own(folders: Folders) -> None:
    told, _ = tried(folders, FREE)
    assert {
        deed: (each.refused, each.done, each.dirty, each.alone)
        for deed, each in zip(FREE, told, strict=True)
    } == {deed: ("", [], *known) for deed, known in FREE.items()}


def test_behind_walls_all_is_noted_and_nothing_refused(folders: Folders) -> None:
    _, outside = folders
    deeds = {
        "open(outside + '/new', 'w').close()": ["write", f"{outside}/new"],
        # No event says which folder that was.
        f"{IN}os.open('newer', os.O_CREAT, dir_fd=folder)": None,
        "os.fork() or os._exit(0)": ["os.fork", ""],
        "os.system('true')": ["run", "b'true'"],
        "import socket; socket.gethostbyname('127.0.0.1')": ["socket.gethostbyname", "'127.0.0.1'"],
    }
    told, _ = tried(folders, deeds, None)
    assert [(each.refused, each.done) for each in told] == [
        ("", [act] if act else []) for act in deeds.values()
    ]
    assert sorted(os.listdir(outside)) == ["empty", "new", "newer", "old"]
    assert [each.alone for each in told] == [True, True, False, False, True]

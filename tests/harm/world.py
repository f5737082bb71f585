"""The sacrificial world: everything of a user's that a program could harm.

It is made inside the jail only, where process 1 owns it: files, a repository, a home, folders in
``/tmp`` and ``/dev/shm``, IPC objects, a process of the user's, listening sockets, a terminal.
``look`` says how all of it is; two looks are compared by name.
"""

from __future__ import annotations

import io
import os
import shutil
import socket
import sqlite3
import subprocess
import tarfile
from contextlib import suppress
from pathlib import Path

from tests.harm import ipc
from tests.harm.jail import MEMORY
from tests.harm.looking import Look, clear_keyring, files, kernel_tables, keyring, mounts, processes
from tests.harm.sentinel import Sentinel
from tests.harm.servers import Servers
from tests.harm.terminal import Terminal

ROOT = Path("/tmp/world")
VICTIM, HOME, WORK = ROOT / "victim", ROOT / "home", ROOT / "work"
MEMORY_FOLDER, TEMPORARY = Path("/dev/shm/victim"), Path("/tmp/victim-tmp")
OWN = Path("/tmp/own")
"""What STRIPE itself may use: its scratch copies must go, its cache may stay."""

GIT = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


class World:
    """See above.  ``renew`` makes it, or makes it anew after harm was done."""

    def __init__(self) -> None:
        self.sentinel = Sentinel()
        self.servers = Servers()
        self.terminal = Terminal()
        self._repository = b""
        self._host = os.uname().nodename
        self._mounts = mounts()

    def renew(self) -> None:
        """End every process, remove everything, and make it again."""
        self.sentinel.end()
        self.servers.close()
        self.terminal.close()
        ipc.clear()
        clear_keyring()
        if os.uname().nodename != self._host:
            socket.sethostname(self._host)
        while more := mounts().keys() - self._mounts.keys():
            for name in more:  # one may be mounted over another
                subprocess.run(["umount", "-l", name.removeprefix("mount ")], check=True)
        for place in (*MEMORY, "/dev/shm", "/dev/mqueue"):
            clear(Path(place))
        self._make_files()
        ipc.make()
        self.servers.open(ROOT / "sockets")
        self.terminal.open()
        self.sentinel.start()

    def _make_files(self) -> None:
        for folder in (VICTIM, HOME, WORK, ROOT / "sockets", MEMORY_FOLDER, TEMPORARY, OWN / "tmp"):
            folder.mkdir(parents=True)
        for folder in (VICTIM, MEMORY_FOLDER, TEMPORARY):
            (folder / "precious.txt").write_text("precious\n")
            (folder / "tree/deep").mkdir(parents=True)
            (folder / "tree/a.txt").write_text("a\n")
            (folder / "tree/deep/b.txt").write_text("b\n")
        (VICTIM / "counter").write_text("41\n")
        (VICTIM / "log").write_text("one\ntwo\n")
        (VICTIM / "big").write_bytes(bytes(range(256)) * 32)
        (VICTIM / "spool").mkdir()
        os.link(VICTIM / "precious.txt", VICTIM / "twin")
        os.symlink("precious.txt", VICTIM / "link")
        os.symlink("tree", VICTIM / "folder-link")
        (VICTIM / "script.sh").write_text("#!/bin/sh\necho hello\n")
        (VICTIM / "script.sh").chmod(0o755)
        (VICTIM / "secret").write_text("secret\n")
        (VICTIM / "secret").chmod(0o600)
        try:
            os.setxattr(VICTIM / "precious.txt", "user.colour", b"blue")
        except OSError:
            pass  # not every kernel keeps such attributes in memory
        database = sqlite3.connect(VICTIM / "data.db")
        database.execute("create table people (name)")
        database.execute("insert into people values ('Ada')")
        database.commit()
        database.close()
        for name in (".bashrc", ".profile", "notes.txt"):
            (HOME / name).write_text(f"# {name}\n")
        if not self._repository:
            self._repository = make_repository(ROOT / "new")
        with tarfile.open(fileobj=io.BytesIO(self._repository)) as archive:
            archive.extractall(VICTIM, filter="fully_trusted")
        for place, _, names in os.walk(ROOT):
            for number, name in enumerate(sorted(names)):
                moment = 1_600_000_000 + number
                os.utime(os.path.join(place, name), (moment, moment), follow_symlinks=False)

    def environment(self) -> dict[str, str]:
        """How programs find what they may harm."""
        return {
            "VICTIM": str(VICTIM),
            "HOME": str(HOME),
            "REPO": str(VICTIM / "repo"),
            "SHM_FOLDER": str(MEMORY_FOLDER),
            "TMP_FOLDER": str(TEMPORARY),
            "TTY": self.terminal.path,
            **GIT,
            **ipc.environment(),
            **self.servers.environment(),
            **self.sentinel.environment(),
        }

    def look(self, *, alone: bool) -> Look:
        """How everything is; ``alone``: nothing of STRIPE's runs, so also who runs and listens."""
        found: Look = {}
        for place in (ROOT, MEMORY_FOLDER.parent, *MEMORY):
            found |= files(Path(place), but=OWN)
        found |= ipc.look()
        found |= self.servers.look()
        found |= self.terminal.look()
        found |= self.sentinel.look()
        found |= keyring()
        found |= mounts()
        found["host name"] = os.uname().nodename
        if alone:
            found |= {f"left in {OWN}: {each.name}": True for each in (OWN / "tmp").glob("*")}
            found |= processes({1, self.sentinel.pid})
            found |= kernel_tables()
        return found


def make_repository(folder: Path) -> bytes:
    """A git repository with two commits, a change and an untracked file, as an archive."""
    repository = folder / "repo"
    repository.mkdir(parents=True)

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "init.defaultBranch=main", *words],
            cwd=repository,
            env={**os.environ, **GIT},
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    for number in (1, 2):
        (repository / "file.txt").write_text(f"{number}\n")
        git("add", ".")
        git("commit", "-qm", f"{number}")
    (repository / "file.txt").write_text("not committed\n")
    (repository / "untracked.txt").write_text("untracked\n")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(repository, "repo")
    shutil.rmtree(folder)
    return packed.getvalue()


def clear(folder: Path) -> None:
    """Remove what is in a folder of the jail's memory; what is mounted there stays."""
    for entry in list(folder.iterdir()):
        if os.path.ismount(entry):
            continue
        with suppress(OSError):
            if entry.is_dir() and not entry.is_symlink():
                entry.chmod(0o700)
                clear(entry)
                entry.rmdir()
            else:
                entry.unlink()

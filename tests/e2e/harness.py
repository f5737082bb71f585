"""The real command in a room of its own, with a look at what it leaves behind.

A :class:`Room` is a directory to work in and one for temporary files.  Each :meth:`Room.stripe`
runs the command as a user does and then makes sure that it did no harm: the working directory is
as it was, to the modification times, no process is left, and no temporary file.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e import prepared
from tests.support.killing import kill
from tests.support.leftovers import told
from tests.support.patience import PATIENCE, wait_until

MARK = "STRIPE_E2E_ROOM"
"""An environment variable by which every process that a room has started is known."""


def command() -> list[str]:
    """How the running interpreter starts the installed command."""
    script = Path(sysconfig.get_path("scripts"), "stripe")
    return [str(script)] if script.exists() else [sys.executable, "-P", "-m", "stripe.cli.main"]


@dataclass(frozen=True)
class Run:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def result(self) -> dict[str, Any]:
        """The JSON on standard output."""
        data = json.loads(self.out)
        assert isinstance(data, dict)
        return data

    def slice(self, index: int = 0) -> dict[str, Any]:
        found = self.result["slices"][index]
        assert isinstance(found, dict)
        return found

    def kept(self, index: int = 0, file: str | None = None) -> dict[int, int]:
        """How many events of each line are kept; of ``file``, or of the only file."""
        data = self.result
        counts: dict[int, int] = {}
        for event in data["slices"][index]["events"]:
            statement = data["statements"][data["trace"]["statement"][event]]
            if file is None or data["files"][statement["file"]]["path"] == file:
                counts[statement["line"]] = counts.get(statement["line"], 0) + 1
        return counts

    def lines(self, index: int = 0, file: str | None = None) -> list[int]:
        """The lines with a kept event."""
        return sorted(self.kept(index, file))

    def refused(self, slug: str, *words: str, status: int) -> None:
        """Assert that this is an error as it should be: a sentence, its name, what to do next."""
        assert self.status == status, self
        assert self.out == ""
        assert f"[{slug}]" in self.err, self.err
        assert "Traceback (most" not in self.err
        flat = " ".join(self.err.split())
        head, _, hint = flat.partition(f" [{slug}]")
        assert head.startswith("stripe: "), "who speaks"
        assert len(head.split()) > 3, "what happened"
        assert hint.strip(), "what to do next"
        assert "\n\n" not in self.err.strip(), "one paragraph"
        for word in words:
            assert word in flat, flat


class Room:
    """A working directory, and everything that commands run there could leave behind."""

    def __init__(self, path: Path, name: str = "work") -> None:
        self.work = path / name
        self.tmp = path / "tmp"
        self.elsewhere = path / "elsewhere"
        self.caches = path / "caches"
        for folder in (self.work, self.tmp, self.elsewhere, self.caches):
            folder.mkdir(parents=True)
        self.mark = uuid.uuid4().hex
        self.tolerated: set[int] = set()
        """Processes that may run: the test ends them."""
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("STRIPE")},
            "TMPDIR": str(self.tmp),
            "XDG_CACHE_HOME": str(self.caches),
            MARK: self.mark,
            "PYTHONDONTWRITEBYTECODE": "",
        }
        for unwanted in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONHASHSEED", "PYTHONPATH"):
            self.environment.pop(unwanted, None)

    def file(self, name: str, text: str) -> Path:
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def program(self, text: str, name: str = "prog.py") -> str:
        """Write a program; its name."""
        self.file(name, text)
        return name

    def start(
        self,
        *arguments: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        words: list[str] | None = None,
        **streams: Any,
    ) -> subprocess.Popen[bytes]:
        """Start the command, in a process group of its own."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, **streams}  # fmt: skip
        return subprocess.Popen(
            [*(words or command()), *arguments],
            cwd=cwd or self.work,
            env={**self.environment, **(environment or {})},
            process_group=0,
            **streams,
        )

    def stripe(
        self,
        *arguments: str,
        stdin: str | None = None,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        words: list[str] | None = None,
        writes: tuple[str, ...] = (),
    ) -> Run:
        """Run the command to its end; nothing but ``writes`` may be left behind."""
        before = snapshot(self.work)
        data = None if stdin is None else stdin.encode()
        if words is None and prepared.fits(arguments, environment or {}):
            whole = {**self.environment, **(environment or {})}
            status, out, err = prepared.run(arguments, cwd or self.work, whole, data, PATIENCE)
        else:
            process = self.start(
                *arguments,
                cwd=cwd,
                environment=environment,
                words=words,
                stdin=subprocess.DEVNULL if data is None else subprocess.PIPE,
            )
            with self.never_outlived_by(process):
                out, err = process.communicate(data, PATIENCE)
            status = process.returncode
        after = snapshot(self.work)
        for name in writes:
            assert after.pop(name, None) is not None, f"{name} was not written"
            before.pop(name, None)
        if writes:
            before.pop("."), after.pop(".")
        assert after == before, "the user's directory has changed"
        self.must_be_clean()
        return Run(status, out.decode(), err.decode())

    def line(
        self,
        text: str,
        writes: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Run:
        """Run a line as a user types it: commands of ours, and what stands beside it in a venv."""
        if text.startswith("stripe ") and not set(QUOTED.sub("", text)) & SHELL:
            given = shlex.split(text)[1:]
            return self.stripe(*given, cwd=cwd, environment=environment, writes=writes)
        words = ["bash", "-c", f"set -o pipefail; {text}"]
        return self.stripe(words=words, cwd=cwd, environment=environment, writes=writes)

    def trace(self, program: str, *arguments: str, stdin: str | None = None) -> Run:
        """``stripe trace PROGRAM ARGUMENTS`` that must end well, its result as JSON."""
        run = self.stripe("trace", "--json", "-", program, *arguments, stdin=stdin)
        assert run.status == 0, run
        return run

    def never_outlived_by(self, process: subprocess.Popen[bytes]) -> Killer:
        return Killer(self, process)

    def must_be_clean(self) -> None:
        """No process of ours and no temporary file is left."""
        wait_until(lambda: not self.processes(), lambda: f"still running: {self.processes()}")
        assert list(self.tmp.iterdir()) == [], "temporary files are left"

    def processes(self) -> list[str]:
        """The processes started in this room that are running, however far they ran away."""
        found = marked_processes(f"{MARK}={self.mark}".encode())
        return [each for each in found if int(each.partition(" ")[0]) not in self.tolerated]

    def numbers(self, name: str = "") -> list[int]:
        """The numbers of those whose command names something."""
        return [int(each.partition(" ")[0]) for each in self.processes() if name in each]

    def leave_early(self, process: subprocess.Popen[bytes]) -> bytes:
        """Read a byte of what a command prints, and no more; what it says of that."""
        with self.never_outlived_by(process):
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.read(1)
            process.stdout.close()
            with process.stderr as err:
                said = err.read()
            process.wait(PATIENCE)
        return said

    def remove(self, path: Path) -> None:
        """Remove a folder or file that is expected to be left."""
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def result(self, path: Path) -> dict[str, Any]:
        """The JSON in a file."""
        data = json.loads(path.read_text("utf-8"))
        assert isinstance(data, dict)
        return data

    def kill_all(self) -> None:
        for number in self.numbers():
            kill(number)


SHELL = set("$`\\!#&;|<>(){}*?[]~\n")
"""What a shell may see something in."""

QUOTED = re.compile("'[^'\n]*'")
"""What it sees nothing in."""

LARGE = 1 << 26
"""Bytes from which the content of a file is not looked at, only its status."""


class Killer:
    """Ends a command, and what it started, if a test fails while it runs."""

    def __init__(self, room: Room, process: subprocess.Popen[bytes]) -> None:
        self.room = room
        self.process = process

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            self.room.kill_all()


def marked_processes(mark: bytes) -> Iterator[str]:
    me = str(os.getpid())
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if number != me and mark in told(number, "environ").split(b"\0"):
                words = told(number, "cmdline").replace(b"\0", b" ")
                yield f"{number} {words.decode(errors='replace')}"
        except OSError:
            continue  # gone, or not ours to see


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Everything about every entry of a folder that a program could change."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.lstat()
        content: object = None
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file() and status.st_size < LARGE:
            content = path.read_bytes()
        found[str(path.relative_to(folder))] = (
            status.st_mode,
            status.st_mtime_ns,
            status.st_ino,
            status.st_nlink,
            content,
        )
    return found

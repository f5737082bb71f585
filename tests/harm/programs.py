"""The harmful programs of this folder: finding them, their headers, compiling those in C.

The first lines of each are comments ``NAME: VALUE``: ``kind`` says what is done to whom, ``check``
what a trace of it keeps; ``full`` is ``harmful`` if the whole run does harm (else it is the partial
execution); ``keep`` names lines that an honest slice has.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.support.caching import cache_folder, locked

FOLDER = Path(__file__).parent
HEADER = re.compile(r"(?:#|//) (\w+): (.*)")
COMPILER = ("cc", "-O0", "-g", "-Wall", "-Werror", "-D_GNU_SOURCE", "-pthread")


@dataclass(frozen=True)
class Program:
    """A harmful program; it is only to be run in the jail."""

    language: str
    path: Path
    kind: str
    check: str
    full: bool
    keep: frozenset[int]

    @property
    def name(self) -> str:
        return f"{self.language}/{self.path.stem}"

    @property
    def file(self) -> str:
        """The name of what is run."""
        return self.path.stem if self.language == "c" else self.path.name

    def place(self, folder: Path) -> None:
        """Copy what is to be run into ``folder``."""
        shutil.copy(self.compiled() if self.language == "c" else self.path, folder)

    def compiled(self) -> Path:
        """The executable of a program in C, in a cache; does not run it.

        Raises:
            RuntimeError: The compiler failed; the message is what it said.
        """
        text = self.path.read_bytes()
        helper = (FOLDER / "c/harm.h").read_bytes()
        key = hashlib.sha256(repr((COMPILER, text, helper)).encode()).hexdigest()[:20]
        folder = cache_folder(f"harm/{self.path.stem}-{key}")
        program = folder / self.path.stem
        if (folder / "complete").exists():  # the cache is read-only in the jail
            return program
        with locked(folder):
            for path in (self.path, FOLDER / "c/harm.h"):
                shutil.copy(path, folder)
            command = [*COMPILER, self.path.name, "-o", program.name, "-lrt"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
            (folder / "complete").touch()
        return program


def programs() -> list[Program]:
    """All of them: in Python, C, Perl, and scripts that STRIPE is told to run."""
    patterns = ("python/*.py", "c/*.c", "perl/*.pl", "command/*.sh")
    paths = [path for pattern in patterns for path in sorted(FOLDER.glob(pattern))]
    return [read(path) for path in paths]


def read(path: Path) -> Program:
    """A program by its headers."""
    headers = {}
    for line in path.read_text("utf-8").splitlines():
        header = HEADER.fullmatch(line)
        if header is None:
            break
        headers[header[1]] = header[2]
    assert {"kind", "check"} <= headers.keys(), f"{path.name} does not say what it is"
    assert headers.get("full", "harmful") == "harmful", path.name
    return Program(
        language=path.parent.name,
        path=path,
        kind=headers["kind"],
        check=headers["check"],
        full="full" in headers,
        keep=frozenset(int(line) for line in headers.get("keep", "").split()),
    )

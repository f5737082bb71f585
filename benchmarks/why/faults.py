"""The faults of the benchmark, and how one is put in place to be looked into.

Releases and dependences are pinned.  A fault's half depends on its package's name alone, so that
what is learnt of one fault of a package does not help with one that is set aside.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.real.mistakes import code_of, replace_code
from benchmarks.why.repairs import Fix
from benchmarks.why.sources import unpacked
from tests.support.caching import cache_folder

DATA = Path(__file__).parents[1] / "data" / "why"
SCRIPTS = DATA / "scripts"

SEEN = "seen"
ASIDE = "aside"


@dataclass(frozen=True)
class Fault:
    """A fault of the release ``bad`` that ``good`` mends, and how it shows.

    ``test``: a test of the good release that fails with the bad code; or ``script``: a file of
    :data:`SCRIPTS`, which crashes, or of which ``check`` is what is wrong.  ``shows``: what the
    failure says.  ``needs``: requirements, pinned.  ``fixes``: of the bad release's files.
    """

    package: str
    imported: str
    bad: str
    good: str
    bad_sha256: str
    good_sha256: str
    needs: tuple[str, ...]
    fixes: tuple[Fix, ...]
    test: str = ""
    script: str = ""
    check: str = ""
    shows: str = ""

    @property
    def name(self) -> str:
        """Depends on the releases and on how it shows."""
        words = "\0".join((self.package, self.bad, self.test or self.script))
        return f"{self.package}-{self.bad}-{hashlib.sha256(words.encode()).hexdigest()[:4]}"

    @property
    def half(self) -> str:
        """By one bit of a digest of the package's name."""
        return ASIDE if hashlib.sha256(f"why {self.package}".encode()).digest()[0] & 1 else SEEN

    @property
    def kind(self) -> str:
        """How it shows: a failing assertion or another exception, of a test or a script."""
        where = "script" if self.script else "test"
        if self.check:
            return f"{where}, wrong output"
        wrong = self.shows.startswith(("Assert", "assert", "Failed"))
        return f"{where}, wrong value" if wrong else f"{where}, {self.shows.partition(':')[0][:30]}"

    def to_json(self) -> dict[str, Any]:
        """For the data file."""
        return {"name": self.name, "half": self.half} | {
            key: value for key, value in asdict(self).items() if value
        }


@dataclass(frozen=True)
class Place:
    """A project on the disk, the folder from which its package is imported, and what it needs."""

    project: Path
    code: Path
    needs: Path

    def environment(self) -> dict[str, str]:
        """That of commands that run its tests: no plugins, no options of the project's own."""
        kept = {
            name: text
            for name, text in os.environ.items()
            if not name.startswith(("PYTEST", "VIRTUAL", "PYTHON"))
        }
        return kept | {
            "PYTHONPATH": f"{self.code}:{self.needs}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_ADDOPTS": "-o addopts= -p no:cacheprovider",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }


def read(folder: Path = DATA) -> list[Fault]:
    """All faults of a collection, by package."""
    found = []
    files = sorted(folder.glob("*.json"))
    for entry in (each for file in files for each in json.loads(file.read_text("utf-8"))):
        given = {key: value for key, value in entry.items() if key not in ("name", "half")}
        given["needs"] = tuple(given.get("needs", ()))
        given["fixes"] = tuple(
            Fix(each["file"], tuple(each["lines"]), each["function"]) for each in given["fixes"]
        )
        found.append(Fault(**given))
    return found


def place(fault: Fault) -> Place:
    """Lay out the good release with the bad one's code, or a script with the bad release installed.

    Raises OSError where a release cannot be had.
    """
    top = cache_folder("why") / "projects" / fault.name
    project = top / "project"
    needs = needs_folder(fault.needs)
    older = unpacked(fault.package, fault.bad, fault.bad_sha256)
    shutil.rmtree(top, ignore_errors=True)
    if fault.script:
        site = top / "site-packages"
        code = code_of(older, fault.imported)
        site.mkdir(parents=True)
        (shutil.copytree if code.is_dir() else shutil.copy)(code, site / code.name)
        project.mkdir()
        shutil.copy(SCRIPTS / fault.script, project / "repro.py")
        return Place(project, site, needs)
    newer = unpacked(fault.package, fault.good, fault.good_sha256)
    shutil.copytree(newer, project, symlinks=True)
    code = code_of(project, fault.imported)
    replace_code(code, code_of(older, fault.imported))
    return Place(project, code.parent, needs)


def needs_folder(needs: Sequence[str]) -> Path:
    """A folder with these requirements installed, wheels alone.  Raises CalledProcessError."""
    name = hashlib.sha256(" ".join(sorted(needs)).encode()).hexdigest()[:12] if needs else "none"
    folder = cache_folder("why") / "needs" / name
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
        if needs:
            options = ["--quiet", "--only-binary", ":all:", "--no-compile", "--target", str(fresh)]
            words = [sys.executable, "-m", "pip", "install", *options, *needs]
            subprocess.run(words, check=True, capture_output=True, timeout=300)
        with contextlib.suppress(OSError):  # another one was quicker
            fresh.rename(folder)
    return folder

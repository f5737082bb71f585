"""Programs nobody here wrote: small C programs built from the sources of Debian packages.

Sources are fetched with ``apt-get source`` from the archive this machine is configured for,
with lists of this module's own, so neither root nor a change of the machine's configuration is
needed.  They and the programs built (``-O0 -g``) stay in a cache outside the checkout; nothing
of them is committed.  What cannot be had is :class:`Unavailable`, and tests skip.  Which they are:
``benchmarks/data/debian.toml``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.caching import cache_folder, locked

CACHE = "debian-1"  # the number is to be raised when the build of a program changes


class Unavailable(Exception):
    """The program cannot be fetched or built here; the message says why."""


@dataclass(frozen=True)
class DebianProgram:
    """A program, one command line for it, and something worth keeping of what it does.

    ``build`` are commands in the unpacked source folder; ``binary`` is the result there.
    ``files`` are put into the working directory, by name.  ``check`` is the criterion, as
    ``stripe trace --check`` takes it; ``stdout`` is all that it prints; ``tested``: by the suite.
    """

    name: str
    package: str
    build: Sequence[Sequence[str]]
    binary: str
    check: str
    stdout: bytes
    arguments: tuple[str, ...] = ()
    stdin: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)
    tested: bool = False

    def __str__(self) -> str:
        return self.name

    def source(self) -> Path:
        """The folder with the sources and the program, fetched and built if need be.

        Raises:
            Unavailable: It cannot be fetched or built here.
        """
        for tool in ("apt-get", "dpkg-source", "make", "cc"):
            if shutil.which(tool) is None:
                raise Unavailable(f"{tool} is not installed")
        cache = cache_folder(CACHE)
        done = cache / self.package
        complete = done / ".complete"
        with locked(cache):
            if not complete.exists():
                with tempfile.TemporaryDirectory(dir=cache) as place:
                    unpacked = fetch(self.package, Path(place))
                    # Debug information names the folder, so it is built where it stays.
                    shutil.rmtree(done, ignore_errors=True)
                    unpacked.rename(done)
                for command in self.build:
                    run(command, done)
                complete.touch()
        return done

    def executable(self) -> Path:
        """The program, built with debug information and without optimisation."""
        return self.source() / self.binary

    def place(self, directory: Path) -> None:
        """Put the files it reads into its working directory."""
        for name, content in self.files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def run(command: Sequence[str], folder: Path, **environment: str) -> str:
    """Run a command to its end; what it wrote to standard output.

    Raises:
        Unavailable: It failed, or took longer than ten minutes.
    """
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | {"LC_ALL": "C"} | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=600,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{' '.join(command)} takes too long") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise Unavailable(f"{' '.join(command)} failed: {' / '.join(said)}")
    return done.stdout


def fetch(package: str, place: Path) -> Path:
    """Fetch a source package into ``place`` and unpack it there; the unpacked folder."""
    config = configuration()
    source = ("apt-get", "source", "--only-source", "--download-only", package)
    old = any((config.parent / "lists").glob("*_Sources*"))
    if not old:
        update_lists(config)
    try:
        run(source, place, APT_CONFIG=str(config))
    except Unavailable:
        if not old:
            raise
        # The archive may have moved on since the lists were fetched.
        update_lists(config)
        run(source, place, APT_CONFIG=str(config))
    described = next(place.glob("*.dsc"), None)
    if described is None:
        raise Unavailable(f"apt-get source {package} fetched no description")
    # apt-get has checked the sums against the signed list.
    run(("dpkg-source", "--no-check", "-x", described.name, "unpacked"), place)
    return place / "unpacked"


def update_lists(config: Path) -> None:
    """Fetch the lists of source packages.

    Raises:
        Unavailable: They cannot be fetched; apt-get itself would take that lightly.
    """
    run(("apt-get", "update"), config.parent, APT_CONFIG=str(config))
    if not any((config.parent / "lists").glob("*_Sources*")):
        raise Unavailable("apt-get update fetched no list of source packages")


def configuration() -> Path:
    """A configuration for apt with lists of its own: the machine's archives, for sources."""
    folder = cache_folder(CACHE) / "apt"
    config = folder / "apt.conf"
    if config.exists():
        return config
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text("".join(f"deb-src {line}\n" for line in archives()))
    text = "".join(
        f'{key} "{value}";\n'
        for key, value in {
            "Dir::Etc::SourceList": folder / "sources.list",
            "Dir::Etc::SourceParts": "/dev/null",
            "Dir::State::Lists": folder / "lists",
            "Dir::Cache": folder / "cache",
            "APT::Sandbox::User": "",  # its user may not be able to write here
            "Acquire::Retries": "1",
            "Acquire::http::Timeout": "30",
            "Acquire::https::Timeout": "30",
        }.items()
    )
    config.write_text(text)
    return config


def archives() -> list[str]:
    """The archives of the distribution this machine installs from, as ``sources.list`` has it."""
    names = "$(REPO_URI)", "$(RELEASE)", "$(COMPONENT)"
    listed = run(
        ("apt-get", "indextargets", "--format", "|".join(names), "Created-By: Packages"),
        Path("/"),
    )
    keyrings = [
        path
        for name in ("debian", "ubuntu")
        for path in sorted(Path("/usr/share/keyrings").glob(f"{name}-archive-keyring.*"))
    ]
    signed = f"[signed-by={','.join(map(str, keyrings))}] " if keyrings else ""
    found = set()
    for line in listed.splitlines():
        uri, release, component = line.split("|")
        # Archives of others need not have sources, and must not make the update fail.
        if component == "main" and re.search(r"/(debian|ubuntu)/?$", uri):
            found.add(f"{signed}{uri} {release} {component}")
    if not found:
        raise Unavailable("this machine installs from no archive of Debian or Ubuntu")
    return sorted(found)


def _listed(path: Path) -> Iterator[DebianProgram]:
    listed: dict[str, dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))
    for name, each in listed.items():
        files = {inner: text.encode("latin-1") for inner, text in each.get("files", {}).items()}
        yield DebianProgram(
            name,
            each.get("package", name),
            [shlex.split(command) for command in each["build"]],
            each["binary"],
            each["check"],
            each.get("stdout", "").encode("latin-1"),
            tuple(each.get("arguments", ())),
            each.get("stdin", "").encode("latin-1"),
            files,
            each.get("tested", False),
        )


PROGRAMS = tuple(_listed(Path(__file__).parents[1] / "data" / "debian.toml"))
TESTED = tuple(program for program in PROGRAMS if program.tested)

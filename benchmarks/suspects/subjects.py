"""What faults are seeded in: small programs of ours, and packages with their own tests."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.real.sdists import unpacked

ROOT = Path(__file__).parents[2]
DATA = ROOT / "benchmarks" / "data" / "suspects"
PROGRAMS = DATA / "programs"
OLDER = ROOT / "tests/corpus"
ADDED = {
    "third": {"ledger", "recurring", "templates", "tokens", "versions", "cells"},
    "fourth": {"bits", "league", "measures", "polynomials", "taxes", "timesheets", "weblogs"},
}
"""The programs that were added for a collection, by its name; the others were there before."""


@dataclass(frozen=True)
class Subject:
    """Something with tests.

    ``tests`` has, for each file that faults are seeded in, the files of tests that touch it.
    ``folders`` of a package are what is needed of its source distribution; they lie side by side
    when laid out.  ``added_for`` is the collection that it came with, where it is not the first:
    those before lack it.
    """

    name: str
    tests: Mapping[str, Sequence[str]]
    version: str = ""
    sha256: str = ""
    folders: Sequence[str] = ()
    added_for: str | None = None

    @property
    def package(self) -> bool:
        """Whether it is fetched."""
        return bool(self.version)

    def places(self) -> dict[str, Path]:
        """All its files and folders by the names that they have when laid out.

        Raises OSError where a package cannot be had.
        """
        if self.package:
            top = unpacked(self.name, self.version, self.sha256)[1]
            return {each.rpartition("/")[2]: top / each for each in self.folders}
        names = [*self.tests, *(each for tests in self.tests.values() for each in tests)]
        return {
            name: next(each / name for each in (PROGRAMS, OLDER) if (each / name).exists())
            for name in names
        }

    def text(self, file: str) -> str:
        """A file without faults."""
        first, _, rest = file.partition("/")
        return (self.places()[first] / rest).read_text("utf-8")

    def lay_out(self, folder: Path) -> None:
        """Copy everything into a folder."""
        for name, source in self.places().items():
            if source.is_dir():
                shutil.copytree(source, folder / name)
            else:
                shutil.copyfile(source, folder / name)


@cache
def packages() -> dict[str, Subject]:
    """The packages of the registry, by name."""
    tables = tomllib.loads((DATA / "packages.toml").read_text("utf-8"))["package"]
    return {each["name"]: Subject(**each) for each in tables}


@cache
def programs() -> dict[str, Subject]:
    """The small programs, by name."""
    tests = sorted(path.name for path in PROGRAMS.glob("test_*.py"))
    names = [test.removeprefix("test_") for test in tests]
    added = {name: collection for collection, names in ADDED.items() for name in names}
    found = {}
    for file, test in zip(names, tests, strict=True):
        name = file.removesuffix(".py")
        found[name] = Subject(name, {file: (test,)}, added_for=added.get(name))
    return found


def subject(name: str) -> Subject:
    """A program or a package by its name."""
    return programs().get(name) or packages()[name]

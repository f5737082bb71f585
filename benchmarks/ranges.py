"""Ranges of histories, merges included: ``python -m benchmarks.ranges [tuned|aside|NAME...]``.

For each (``data/ranges.toml``), a test that imports a function or class which the older version has
and the newer one does not.  The older version with the answer's patch has to fail exactly as the
newer one does.  A NAME is that of a package, or the newer version of a range of this repository.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from benchmarks.blame import committed, copied, git
from benchmarks.real.sdists import unpacked
from benchmarks.reducers import ROOT
from benchmarks.releases import fails_alike
from stripe.changes import find_changes

RANGES = Path(__file__).parent / "data" / "ranges.toml"
PATHS = ".:src:backends"
MAX_SECONDS = 300


@dataclass(frozen=True)
class Range:
    """A range of a history.

    - ``newer``, ``back``: of this repository, and how many first parents before it the older one is
    - ``package``, ``releases``: of a package, each release of which is a commit
    - ``place``: which of the definitions that are gone is wanted, from 0, the first, to 1
    - ``half``: tuned or aside
    """

    half: str
    newer: str = "main"
    back: int = 0
    package: str = "stripe"
    releases: tuple[str, ...] = ()
    place: float = 0.5

    def repository(self, scratch: Path) -> Path:
        """Where the history is, in ``scratch``.

        That of this repository is a clone: in walls, where a directory of the user's is shown in
        other versions, our own files would be those of other versions, too.
        """
        if not self.releases:
            git(ROOT, "clone", "--quiet", "--shared", ".", str(scratch / "repository"))
            return scratch / "repository"
        trees = [unpacked(self.package, version)[1] for version in self.releases]
        committed(scratch, [copied(tree) for tree in trees])
        return scratch / "repository"


def ranges() -> list[Range]:
    """All of them, in the order of the file."""
    return [Range(**entry) for entry in tomllib.loads(RANGES.read_text("utf-8"))["range"]]


def definitions(repository: Path, revision: str, package: str) -> set[tuple[str, str]]:
    """The functions and classes of all modules of a version."""
    found = set()
    for path in git(repository, "ls-tree", "-r", "--name-only", revision).split():
        module = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
        if path.endswith(".py") and module.startswith(f"{package}."):
            for node in ast.parse(git(repository, "show", f"{revision}:{path}")).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    found.add((module, node.name))
    return found


def main() -> int:
    """Search each range; how many of the answers do not fail as the newer version."""
    wanted = sys.argv[1:]
    print("| range | commits | merges | gone | changed | blamed | tests | s | 1-minimal | as bad |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    wrong = 0
    for each in ranges():
        if not wanted or {each.half, each.newer, each.package}.intersection(wanted):
            with tempfile.TemporaryDirectory() as scratch:
                wrong += not _row(each, Path(scratch))
    return wrong


def _row(each: Range, scratch: Path) -> bool:
    repository = each.repository(scratch)
    back = each.back or len(each.releases) - 1
    bad, good = (
        git(repository, "rev-parse", "--short", name).strip()
        for name in (each.newer, f"{each.newer}~{back}")
    )
    commits = git(repository, "rev-list", f"{good}..{bad}").count("\n")
    merges = git(repository, "rev-list", "--merges", f"{good}..{bad}").count("\n")
    there = definitions(repository, bad, each.package)
    modules = {module for module, _ in there}
    before = definitions(repository, good, each.package)
    gone = sorted(found for found in before - there if found[0] in modules)
    module, name = gone[int(len(gone) * each.place)]
    script = scratch / "test.py"
    script.write_text(f"import {module} as module\nprint('it is', module.{name}.__name__)\n")
    result = find_changes(
        good,
        bad,
        test=f"PYTHONPATH={PATHS} {sys.executable} -W ignore {script}",
        repo=repository,
        journals=scratch,
        max_time=MAX_SECONDS,
    )
    folders = scratch / "with-the-patch", scratch / "bad"
    for folder, revision in zip(folders, (good, bad), strict=True):
        folder.mkdir()
        archive = subprocess.run(
            ["git", "-C", str(repository), "archive", revision], check=True, capture_output=True
        )
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    same = fails_alike(script, result.patch, *folders, PATHS)
    print(
        f"| {good} to {bad} | {commits} | {merges} | {module}.{name} | {result.lines.changed:,} "
        f"| {result.blamed_lines} | {result.tests} | {result.seconds:.0f} "
        f"| {'yes' if result.certified else 'no'} | {'yes' if same else 'NO'} |",
        flush=True,
    )
    return same


if __name__ == "__main__":
    sys.exit(main())

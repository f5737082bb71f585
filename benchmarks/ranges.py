"""Ranges of this repository's history, merges included: ``python -m benchmarks.ranges``.

For each, a test that imports a function or class which the older version has and the newer one does
not.  The older version with the answer's patch has to fail exactly as the newer one does.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.releases import fails_alike
from stripe.changes import find_changes

RANGES = (("cf3b341", 60), ("cf3b341~60", 200), ("cf3b341~250", 120), ("cf3b341~400", 150))
"""The newer version, and how many first parents before it the older one is."""

PATHS = ".:backends"
MAX_SECONDS = 100


def git(*words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def definitions(revision: str) -> set[tuple[str, str]]:
    """The functions and classes of all modules of a version."""
    found = set()
    for path in git("ls-tree", "-r", "--name-only", revision, "stripe").split():
        if path.endswith(".py"):
            for node in ast.parse(git("show", f"{revision}:{path}")).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    found.add((path.removesuffix(".py").replace("/", "."), node.name))
    return found


def main() -> int:
    """Search each range; how many of the answers do not fail as the newer version."""
    print("| range | commits | merges | gone | changed | blamed | tests | s | 1-minimal | as bad |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    return sum(not _row(newer, back) for newer, back in RANGES)


def _row(newer: str, back: int) -> bool:
    bad, good = (git("rev-parse", "--short", each).strip() for each in (newer, f"{newer}~{back}"))
    commits = git("rev-list", f"{good}..{bad}").count("\n")
    merges = git("rev-list", "--merges", f"{good}..{bad}").count("\n")
    there = definitions(bad)
    modules = {module for module, _ in there}
    gone = sorted(each for each in definitions(good) - there if each[0] in modules)
    module, name = gone[len(gone) // 2]
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "test.py"
        script.write_text(f"import {module} as module\nprint('it is', module.{name}.__name__)\n")
        result = find_changes(
            good,
            bad,
            test=f"PYTHONPATH={PATHS} {sys.executable} -W ignore {script}",
            journals=scratch,
            max_time=MAX_SECONDS,
        )
        folders = Path(scratch) / "mixed", Path(scratch) / "bad"
        for folder, revision in zip(folders, (good, bad), strict=True):
            folder.mkdir()
            archive = subprocess.run(["git", "archive", revision], check=True, capture_output=True)
            subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        same = fails_alike(script, result.patch, *folders, PATHS)
    print(
        f"| {good} to {bad} | {commits} | {merges} | {module}.{name} | {result.lines:,} "
        f"| {result.blamed_lines} | {result.tests} | {result.seconds:.0f} "
        f"| {'yes' if result.certified else 'no'} | {'yes' if same else 'NO'} |",
        flush=True,
    )
    return same


if __name__ == "__main__":
    sys.exit(main())

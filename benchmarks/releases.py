"""Neighbouring releases from PyPI: ``python -m benchmarks.releases [NAME...] [--max-time S]``.

Pairs of pure Python (``data/releases.toml``), each with a small difference in behaviour, chosen
before the search was tuned; those of ``aside`` were looked at once, in the end.  The test wants the
value of an expression, or is one of the good release's own (``suite``), with which the bad one is
tested.  A NAME is a package, or tuned, aside, suite.

The good release with the answer's patch has to fail exactly as the bad one does: the same exit
status, the same output, the same frames of functions; only numbers of lines and the sources that
frames quote may differ.  Where a feature was added, the newer release is the good one.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import cpu_seconds
from benchmarks.real.sdists import unpacked
from stripe.changes import find_changes
from stripe.report.changes import minimality


@dataclass(frozen=True)
class Pair:
    """Two releases, and what passes with the good one alone.

    - ``half``: tuned, aside, or suite
    - ``imports``, ``expression``, ``value``: an expression, and its value
    - ``tests``, ``test``: the folder of the good release's tests, and one of them
    """

    package: str
    good: str
    bad: str
    half: str
    imports: str = ""
    expression: str = ""
    value: str = ""
    tests: str = ""
    test: str = ""

    def script(self, good: Path) -> str:
        """A script that fails with the bad release, at the top of a version."""
        if self.test:
            words = ["-q", "-p", "no:cacheprovider", "-o", "addopts="]
            # Plugins that happen to be here are no part of it; one takes half of the time.
            return (
                "import os, shutil, sys\n\nos.environ['PYTEST_DISABLE_PLUGIN_AUTOLOAD'] = '1'\n"
                "import pytest\n\n"
                f"shutil.copytree({str(good / self.tests)!r}, {self.tests!r}, dirs_exist_ok=True)\n"
                f"sys.exit(pytest.main({[*words, self.test]}))\n"
            )
        return (
            f"{self.imports}\n\nvalue = ascii({self.expression})\nassert value == "
            f"{self.value!r}, value\n"
        )


PAIRS = Path(__file__).parent / "data" / "releases.toml"


def pairs() -> list[Pair]:
    """All of them, in the order of the file."""
    return [Pair(**entry) for entry in tomllib.loads(PAIRS.read_text("utf-8"))["pair"]]


def main() -> int:
    """Find what is to blame for each; how many of the answers do not fail as the bad release."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.releases")
    parser.add_argument("wanted", nargs="*", help="packages, or tuned, aside, suite")
    parser.add_argument("--max-time", type=float, default=300, help="seconds for each pair")
    options = parser.parse_args()
    wanted = set(options.wanted)
    print("| package | good to bad | changed | blamed | tests | not run | CPU s | ended | as bad |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    wrong = 0
    for pair in pairs():
        if not wanted or {pair.half, pair.package} & wanted:
            wrong += not _row(pair, options.max_time)
    return wrong


def _row(pair: Pair, max_time: float) -> bool:
    good, bad = (unpacked(pair.package, version)[1] for version in (pair.good, pair.bad))
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "test.py"
        script.write_text(pair.script(good))
        began = cpu_seconds()
        result = find_changes(
            str(good),
            str(bad),
            test=f"PYTHONPATH=src:. {sys.executable} -W ignore {script}",
            journals=scratch,
            max_time=max_time,
        )
        used = cpu_seconds() - began
        # Tests write, and the releases are kept for the next time.
        mixed, whole = Path(scratch) / "mixed", Path(scratch) / "bad"
        for release, folder in ((good, mixed), (bad, whole)):
            subprocess.run(["cp", "-r", str(release), str(folder)], check=True)
        same = fails_alike(script, result.patch, mixed, whole)
    ended = "certified" if result.certified else minimality(result)
    if result.verified is False:
        ended += ", not verified"
    print(
        f"| {pair.package} | {pair.good} to {pair.bad} | {result.lines.changed:,} "
        f"| {result.blamed_lines} | {result.tests} | {result.predicted} | {used:.0f} "
        f"| {ended} | {'yes' if same else 'NO'} |",
        flush=True,
    )
    for note in result.notes:
        print(f"  note: {note}", file=sys.stderr)
    for each in result.blamed:
        print(f"  {each.path} {', '.join(each.functions)}", file=sys.stderr)
        for line in each.lines[:12]:
            print(f"    {line}", file=sys.stderr)
    return same


def fails_alike(script: Path, patch: bytes, good: Path, bad: Path, paths: str = "src:.") -> bool:
    """Whether a good version fails as the bad one does, once it has the patch."""
    words = ["git", "apply", "--whitespace=nowarn", "-"]
    subprocess.run(words, input=patch, cwd=good, check=True)
    return run_test(script, good, paths) == run_test(script, bad, paths)


def run_test(script: Path, folder: Path, paths: str) -> tuple[int, str]:
    """How a test ends with a version, and what it prints, but for lines and quoted sources."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)],
        env={"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    text = (ran.stdout + ran.stderr).replace(f"{folder}/", "")
    text = re.sub(r"line \d+|\bin \d+\.\d+s|(?<=\.py:)\d+|0x[0-9a-f]+", "_", text)
    return ran.returncode, re.sub(r"^(?:    |>).*\n", "", text, flags=re.M)


if __name__ == "__main__":
    sys.exit(main())

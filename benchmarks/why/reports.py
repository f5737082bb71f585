"""Faults told by a script of ours: ``python -m benchmarks.why.reports JAIL SCRIPT...``.

A script of ``benchmarks/data/why/scripts`` uses a package as somebody who reports a bug would.  Its
first line says of which releases: ``# PACKAGE[:IMPORTED] BAD GOOD [--check CHECK] [NEEDS...]``.
With the bad release it crashes or prints something wrong; what the good one prints is right.  The
fixing lines are those hunks of the difference with which it prints that.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.real.mistakes import code_of
from benchmarks.why.collection import pinned, texts, write
from benchmarks.why.faults import DATA, SCRIPTS, Fault, Place, needs_folder
from benchmarks.why.repairs import Hunk, applied, fixes, hunks, repair
from benchmarks.why.sources import digest, unpacked
from tests.support.caching import cache_folder

SECONDS = 60


def fault_of(jail: str, script: Path) -> Fault:
    """The fault that a script shows.

    Raises ValueError where it shows none, Undecided if what repairs it was not found.
    """
    parser = argparse.ArgumentParser()
    for name in ("package", "bad", "good"):
        parser.add_argument(name)
    parser.add_argument("needs", nargs="*")
    parser.add_argument("--check", default="")
    head = script.read_text("utf-8").partition("\n")[0]
    given = parser.parse_intermixed_args(head.removeprefix("#").split())
    package, _, imported = given.package.partition(":")
    imported = imported or package
    old, new = (texts(unpacked(package, version), imported) for version in (given.bad, given.good))
    top = cache_folder("why") / "reports" / script.stem
    shutil.rmtree(top, ignore_errors=True)
    code = code_of(unpacked(package, given.bad), imported)
    site = top / "site-packages"
    site.mkdir(parents=True)
    (shutil.copytree if code.is_dir() else shutil.copy)(code, site / code.name)
    shutil.copy(script, top / "repro.py")
    where = Place(top, site, needs_folder(given.needs))

    def run(chosen: Sequence[Hunk]) -> tuple[int, str, str]:
        write(site, applied(old, chosen), new)
        words: list[str | Path] = [
            jail,
            top,
            "timeout",
            str(SECONDS),
            sys.executable,
            top / "repro.py",
        ]
        ended = subprocess.run(
            words, env=where.environment(), capture_output=True, text=True, check=False
        )
        return ended.returncode, ended.stdout, ended.stderr.strip().rpartition("\n")[2]

    every = hunks(old, new)
    wrong, right = run(()), run(every)
    if right[0] or wrong[:2] == right[:2] or (not wrong[0] and not given.check):
        raise ValueError(f"bad: {wrong}, good: {right}")
    chosen = repair(every, lambda some: run(some)[:2] == right[:2])
    shows = wrong[2] if wrong[0] else " / ".join(_different(wrong[1], right[1]))
    needs = tuple(pinned(where.needs)) if given.needs else ()
    digests = digest(package, given.bad), digest(package, given.good)
    return Fault(
        package, imported, given.bad, given.good, *digests, needs, tuple(fixes(old, chosen)),
        script=script.name, check="" if wrong[0] else given.check, shows=shows[:160],
    )  # fmt: skip


def _different(wrong: str, right: str) -> Iterator[str]:
    """The lines that are wrong."""
    known = right.splitlines()
    yield from (line for line in wrong.splitlines() if line not in known)


def main() -> int:
    """Add the faults of the scripts named to the data; how many show none."""
    parser = argparse.ArgumentParser()
    parser.add_argument("jail")
    parser.add_argument("scripts", nargs="+", type=Path)
    given = parser.parse_args()
    missed = 0
    for script in given.scripts:
        try:
            fault = fault_of(given.jail, SCRIPTS / script)
            if not fault.fixes:
                raise ValueError("nothing but new definitions")
        except (Exception, SystemExit) as error:
            print(f"{script}: {type(error).__name__} {error}", flush=True)
            missed += 1
            continue
        print(fault.name, fault.half, fault.shows, fault.fixes, flush=True)
        path = DATA / f"script-{script.stem}.json"
        path.write_text(json.dumps([fault.to_json()], indent=1) + "\n", "utf-8")
    return missed


if __name__ == "__main__":
    sys.exit(main())

"""Looks for faults: ``python -m benchmarks.why.collection JAIL PACKAGE[:IMPORTED] [NEEDS...]``.

A fault is a test of a release that passes with its code, fails with the code of the release before
it, and passes again with a few lines of the difference: these are the fixing lines.  Tests that
fail for the want of something new (a name, a parameter) ask for a feature and are no faults.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks.real.mistakes import code_of, is_test
from benchmarks.why.faults import DATA, Fault, Place, needs_folder
from benchmarks.why.repairs import Hunk, Undecided, applied, fixes, hunks, repair
from benchmarks.why.sources import digest, releases, unpacked
from tests.support.caching import cache_folder

PAIRS = 9
FAULTS_OF_PAIR = 2
TRIED_OF_PAIR = 4
MOST_HUNKS = 60
MOST_TEST_FILES = 6
MOST_FIXES = 6
MOST_LINES = 60
SECONDS = 90

NEW_THINGS = re.compile(
    r"ImportError|ModuleNotFound|has no attribute|unexpected keyword|positional argument"
    r"|NameError|fixture|DID NOT WARN|SyntaxError|no attribute|NotImplemented|Warning"
)
"""What a test says that asks for something that the older release did not offer."""


def find(
    jail: str, package: str, imported: str, needs: Sequence[str], most: int, into: Path
) -> list[Fault]:
    """Faults of the newest releases of a package, at most so many."""
    found: list[Fault] = []
    for good, bad in pairwise(releases(package)[: PAIRS + 1]):
        if len(found) >= most:
            break
        if good.split(".")[0] != bad.split(".")[0] and len(good.split(".")[0]) < 2:
            continue
        try:
            found += find_in(jail, package, imported, needs, good, bad)
            save(into, package, found[:most])
        except (OSError, LookupError, SyntaxError, subprocess.SubprocessError) as error:
            print(f"{package} {bad}, {good}: {str(error)[-300:]}", flush=True)
    return found[:most]


def save(into: Path, package: str, found: Sequence[Fault]) -> None:
    """Write the faults of a package into a folder, if there are any."""
    if found:
        text = json.dumps([each.to_json() for each in found], indent=1)
        (into / f"{package.lower()}.json").write_text(text + "\n", "utf-8")


def find_in(
    jail: str, package: str, imported: str, needs: Sequence[str], good: str, bad: str
) -> list[Fault]:
    """Those of a pair of releases; what only tells the version is no difference."""
    newer, older = unpacked(package, good), unpacked(package, bad)
    old, new = texts(older, imported), texts(newer, imported)
    every = [each for each in hunks(old, new) if "version" not in each.file]
    files = changed_tests(newer, older)
    print(f"{package} {bad}, {good}: {len(every)} hunks, {len(files)} files of tests", flush=True)
    if not files or not 0 < len(every) <= MOST_HUNKS:
        return []
    project = cache_folder("why") / "collection" / f"{package}-{good}" / "project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(newer, project, symlinks=True)
    folder = code_of(project, imported).parent
    where = Place(project, folder, needs_folder(needs))
    with Tests(jail, where) as tests:
        passing = tests.outcomes(files)
        if not any(ended == "passed" for ended, _ in passing.values()):
            print(f"  they take too long, or cannot be run: {[*passing.values()][:2]}", flush=True)
            return []
        write(folder, old, new)
        failing = tests.outcomes(files)
        wanted = [
            test
            for test, (ended, said) in failing.items()
            if ended != "passed" and passing.get(test, ("", ""))[0] == "passed"
            and not NEW_THINGS.search(said) and str(project) not in test
        ]  # fmt: skip
        print(f"  {len(passing)} tests, {len(wanted)} fail as a fault would", flush=True)
        found: list[Fault] = []
        seen = set()
        once = list({test.partition("[")[0]: test for test in reversed(wanted)}.values())[::-1]
        for test in spread(once, TRIED_OF_PAIR):
            if len(found) >= FAULTS_OF_PAIR:
                break

            def passes(chosen: Sequence[Hunk], test: str = test) -> bool:
                write(folder, applied(old, chosen), new)
                return tests.outcomes([test]).get(test, ("", ""))[0] == "passed"

            if passes(()) or not passes(every):
                continue
            try:
                chosen = repair(every, passes)
            except Undecided:
                print(f"  {test}: undecided", flush=True)
                break  # its neighbours ask for as much
            places = fixes(old, chosen)
            size = sum(each.size for each in chosen)
            told = [(each.file, each.lines, each.function) for each in places]
            print(f"  {test}: {size} lines {told}", flush=True)
            key = tuple(sorted((each.file, each.function) for each in places))
            added = any(each.file not in old for each in places)
            if key in seen or added or not 0 < len(places) <= MOST_FIXES or size > MOST_LINES:
                continue
            seen.add(key)
            found.append(
                Fault(
                    package, imported, bad, good, digest(package, bad), digest(package, good),
                    tuple(pinned(where.needs)) if needs else (), tuple(places), test=test,
                    shows=failing[test][1][:160],
                )
            )  # fmt: skip
    return found


def texts(root: Path, imported: str) -> dict[str, str]:
    """The Python files of the code of a release, but for tests, from the folder of the package."""
    code = code_of(root, imported)
    files = [code] if code.is_file() else sorted(code.rglob("*.py"))
    return {
        str(file.relative_to(code.parent)): file.read_text("utf-8", errors="surrogateescape")
        for file in files
        if not is_test(file.relative_to(code.parent))
    }


def write(folder: Path, chosen: Mapping[str, str], others: Mapping[str, str]) -> None:
    """Put files in their places; those that ``others`` has more than they go."""
    for file in others.keys() - chosen.keys():
        (folder / file).unlink(missing_ok=True)
    for file, text in chosen.items():
        path = folder / file
        if not path.exists() or path.read_text("utf-8", errors="surrogateescape") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", errors="surrogateescape")


def changed_tests(newer: Path, older: Path) -> list[str]:
    """The smallest of the files of tests that the newer release changed or added."""
    found: list[str] = []
    for file in sorted(newer.rglob("*.py")):
        name = str(file.relative_to(newer))
        if re.search(r"(^|/)(test[^/]*|[^/]*_tests?)\.py$", name):
            before = older / name
            if not before.exists() or before.read_bytes() != file.read_bytes():
                found.append(name)
    return sorted(found, key=lambda name: (newer / name).stat().st_size)[:MOST_TEST_FILES]


class Tests:
    """Runs tests of a project in a jail, many times."""

    def __init__(self, jail: str, where: Place) -> None:
        top = where.project.parent
        self._report = top / "report.json"
        plugin = Path(__file__).with_name("outcomes.py")
        known = where.environment()
        environment = known | {
            "PYTHONPATH": f"{known['PYTHONPATH']}:{plugin.parent}",
            "WHY_REPORT": str(self._report),
            "TMPDIR": str(top),
            "HOME": str(top),
        }
        words = [sys.executable, str(plugin), str(SECONDS)]
        self._process = subprocess.Popen(
            [jail, top, "sh", "-c", 'cd "$0" && exec "$@"', where.project, *words],
            env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def __enter__(self) -> Tests:
        return self

    def __exit__(self, *given: object) -> None:
        self._process.communicate()

    def outcomes(self, tests: Sequence[str]) -> dict[str, tuple[str, str]]:
        """How each ends, with the first line of what it says; nothing if they take too long."""
        self._report.unlink(missing_ok=True)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = ["-q", "--tb=short", "--continue-on-collection-errors", *tests]
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        if not self._process.stdout.readline():
            raise OSError("the jail did not start")
        if not self._report.exists():
            return {}
        known = json.loads(self._report.read_text())["ended"]
        return {test: (ended, said) for test, (ended, said) in known.items()}


def spread[T](items: Sequence[T], count: int) -> list[T]:
    """The same number of items, evenly from all of them."""
    step = max(1, len(items) / count)
    return [items[int(at * step)] for at in range(min(count, len(items)))]


def pinned(folder: Path) -> list[str]:
    """What is installed in a folder, as requirements."""
    found = []
    for each in folder.glob("*.dist-info"):
        name, _, version = each.name.removesuffix(".dist-info").rpartition("-")
        found.append(f"{name}=={version}")
    return sorted(found)


def main() -> None:
    """Add what is found to the data."""
    parser = argparse.ArgumentParser()
    parser.add_argument("jail")
    parser.add_argument("package")
    parser.add_argument("needs", nargs="*")
    parser.add_argument("--most", type=int, default=3, help="faults of the package (3)")
    parser.add_argument("--into", type=Path, default=DATA, help="another collection's folder")
    given = parser.parse_args()
    package, _, imported = given.package.partition(":")
    given.into.mkdir(exist_ok=True)
    find(given.jail, package, imported or package, given.needs, given.most, given.into)


if __name__ == "__main__":
    main()

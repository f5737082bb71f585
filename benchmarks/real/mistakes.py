"""Mistakes that were really made: tests of a release that fail with the code of the one before it.

``python -m benchmarks.real.mistakes find JAIL PACKAGE[:IMPORTED] [REQUIREMENT...]`` looks through
the newest releases of a package for two neighbours of which that is so, and notes the first and the
last such test, for ``mistakes.json``.  Tests of strangers run inside ``JAIL FOLDER COMMAND...``.
``python -m benchmarks.real.mistakes run JAIL [PACKAGE...]`` asks ``pytest --stripe`` about each,
and prints what came of it, by its reason.

Packages were drawn from ``candidates.txt``, whose lines are in an order of chance: the first ten in
which two tests fail, of those whose tests could be run.  Every second one was put ``aside``, and
looked at once.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.real.catalog import DATA
from benchmarks.real.sdists import releases, unpacked
from tests.support.caching import cache_folder

MISTAKES = DATA / "mistakes.json"
"""The pairs of releases, with what their tests need and the tests that fail."""

ROOT = Path(__file__).parents[2]
RELEASES = 7
"""The newest releases of a package, whose neighbours are looked at."""

MOST_FAILURES = 60
"""With more tests that fail the older code is another package rather than one with a mistake."""

SUITE_SECONDS = 150

TITLE = """\
| package | releases | test | events | kept | 1-minimal | tests | in all | processor | suspects |
|---|---|---|---|---|---|---|---|---|---|"""


def find(jail: str, name: str, requirements: list[str]) -> dict[str, Any] | None:
    """The newest pair of releases for which at least two tests fail by the older code."""
    package, _, imported = name.partition(":")
    imported = imported or package
    for newer, older in pairwise(releases(package)[:RELEASES]):
        mistake = {
            "package": package, "imported": imported, "newer": newer, "older": older,
            "requirements": requirements,
        }  # fmt: skip
        try:
            project, python = prepare(mistake, older_code=False)
            tests = folder_of_tests(project, imported)
            good, said = failures(jail, project, python, tests)
            project, python = prepare(mistake)
            bad, _ = failures(jail, project, python, tests)
        except TimeoutError:
            print(f"{package}: its tests take longer than {SUITE_SECONDS} s", flush=True)
            return None
        except (LookupError, OSError, subprocess.SubprocessError) as error:
            print(f"{package} {newer} with {older}: {error}", flush=True)
            continue
        new = [test for test in bad if test not in good]
        print(
            f"{package} {newer} with {older}: {len(good)} fail, then {len(new)} more; {said}",
            flush=True,
        )
        if len(new) > 1 and len(bad) <= MOST_FAILURES:
            return mistake | {"tests": [new[0], new[-1]]}
    return None


def prepare(mistake: dict[str, Any], older_code: bool = True) -> tuple[Path, Path]:
    """The newer release's source with the older one's code, and a Python that imports it.

    Raises LookupError if a release has no code where it is looked for.
    """
    package, imported = mistake["package"], mistake["imported"]
    _, newer = unpacked(package, mistake["newer"])
    _, older = unpacked(package, mistake["older"])
    place = cache_folder("mistakes") / f"{package}-{mistake['newer']}"
    project, environment = place / "project", place / "environment"
    python = environment / "bin" / "python"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(newer, project, symlinks=True)
    if older_code:
        replace_code(code_of(project, imported), code_of(older, imported))
    if not (environment / "ready").exists():
        shutil.rmtree(environment, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", environment], check=True, timeout=120)
        wanted = [f"{package}=={mistake['newer']}", "pytest", *mistake["requirements"]]
        # Wheels alone: to make one runs what strangers wrote.
        words = [python, "-m", "pip", "install", "-q", "--only-binary", ":all:", *wanted]
        subprocess.run(words, check=True, timeout=300, capture_output=True)
        [site] = environment.glob("lib/*/site-packages")
        [*installed] = (
            each for each in (site / imported, site / f"{imported}.py") if each.exists()
        )
        for each in installed:
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        folder = code_of(project, imported).parent
        (site / "project.pth").write_text(f"{folder}\n")
        (environment / "ready").touch()
    return project, python


def code_of(root: Path, imported: str) -> Path:
    """The package, or the module, in the folder of a release."""
    for folder in (root / "src", root, root / "lib"):
        for each in (folder / imported, folder / f"{imported}.py"):
            if each.exists():
                return each
    raise LookupError(f"no {imported} in {root.name}")


def replace_code(new: Path, old: Path) -> None:
    """Put the older Python files into the place of the newer ones, but for tests."""
    if new.is_file():
        shutil.copy(old, new)
        return
    for file in [each for each in new.rglob("*.py") if not is_test(each.relative_to(new))]:
        file.unlink()
    for file in old.rglob("*.py"):
        inner = file.relative_to(old)
        if not is_test(inner):
            (new / inner).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, new / inner)


def is_test(path: Path) -> bool:
    return not {"tests", "test"}.isdisjoint(path.parts)


def folder_of_tests(root: Path, imported: str) -> str:
    """Where the tests of a release are; raises LookupError."""
    for each in (
        "tests", "test", "testing", f"src/{imported}/tests", f"{imported}/tests",
        f"{imported}/test", f"src/{imported}/test", f"{imported}tests",
    ):  # fmt: skip
        if (root / each).is_dir():
            return each
    raise LookupError(f"no tests in {root.name}")


def failures(jail: str, project: Path, python: Path, tests: str) -> tuple[list[str], str]:
    """The tests that fail, in their order, and the last line of what pytest says."""
    words = ["-q", "-rfE", "--tb=no", "--continue-on-collection-errors", "-p", "no:randomly", tests]
    # The whole of a name is told on a wide terminal only.
    done = in_jail(jail, project, [python, "-m", "pytest", *words], SUITE_SECONDS, COLUMNS="2000")
    lines = done.stdout.strip().splitlines()
    if done.returncode == 124:
        raise TimeoutError
    if done.returncode not in (0, 1):
        said = [*lines[-1:], *done.stderr.strip().splitlines()[-3:]]
        raise LookupError(f"tests cannot be run ({done.returncode}): {' '.join(said)}")
    found = (re.match(r"FAILED (.+?::.+?)(?: - .*)?$", line) for line in lines)
    return [each[1] for each in found if each], lines[-1]


def in_jail(
    jail: str, project: Path, words: list[str | Path], seconds: int, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a project that can write nowhere but beside it."""
    place = project.parent
    for folder in ("tmp", "cache"):
        (place / folder).mkdir(exist_ok=True)
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTEST", "VIRTUAL"))
    }
    own = {"TMPDIR": place / "tmp", "XDG_CACHE_HOME": place / "cache", "HOME": place / "tmp"}
    environment = kept | {name: str(path) for name, path in own.items()} | more
    command = [
        jail,
        place,
        "sh",
        "-c",
        'cd "$0" && exec timeout "$@"',
        project,
        str(seconds),
        *words,
    ]
    return subprocess.run(
        command, env=environment | {"PYTHONDONTWRITEBYTECODE": "1"}, cwd=place,
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip


def ask(
    jail: str, mistake: dict[str, Any], test: str, given: argparse.Namespace
) -> tuple[str, str]:
    """What ``pytest --stripe`` says of a test: a row of the table, and whether it is certified."""
    project, python = prepare(mistake)
    command = f"{sys.executable} -P -m stripe.cli.main"
    words: list[str | Path] = [
        python, "-m", "pytest", "-p", "no:cacheprovider", "-p", "stripe_pytest.plugin", "--stripe",
        "--stripe-report=full",
        f"--stripe-command={command}", f"--stripe-max-time={given.seconds}",
        f"--stripe-suspects={given.suspects}", "-q", "--tb=line", test,
    ]  # fmt: skip
    before = processor_seconds()
    done = in_jail(jail, project, words, 600, PYTHONPATH=str(linked_plugin(project.parent)))
    seconds = processor_seconds() - before
    said = done.stdout + done.stderr
    if given.reports is not None:
        given.reports.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", f"{mistake['package']} {test.rpartition('/')[2]}")[:120]
        (given.reports / f"{name}.txt").write_text(said)
    refused = re.search(r"^stripe: .*?\[([a-z]+(?:-[a-z]+)*)\]$", said, re.MULTILINE | re.DOTALL)
    slug = refused[1] if refused else "nothing was said"

    def value(name: str) -> str:
        found = re.search(rf"^{name}  +(.*)$", said, re.MULTILINE)
        return found[1].strip() if found else ""

    kept = value("events kept").split(" of ")
    certified = value("1-minimal") or f"refused: {slug}"
    place = re.search(r"^suspects?: (.*)$", said, re.MULTILINE)
    cells = [
        mistake["package"], f"{mistake['newer']}, {mistake['older']}", test.rpartition("::")[2],
        kept[-1], kept[0], certified,
        value("tests"), value("in all"), f"{seconds:.0f} s", place[1][:80] if place else "",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |", certified


def processor_seconds() -> float:
    """What commands that have ended have used of a processor: others may have most of it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def linked_plugin(place: Path) -> Path:
    """A folder with nothing but the plugin, so that STRIPE itself is not found by the tests."""
    folder = place / "plugins"
    folder.mkdir(exist_ok=True)
    link = folder / "stripe_pytest"
    link.unlink(missing_ok=True)  # it may be that of another checkout
    link.symlink_to(ROOT / "plugins" / "stripe_pytest")
    return folder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=["find", "run"])
    parser.add_argument("jail")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=30, help="for a slice")
    parser.add_argument("--suspects", type=float, default=12, help="for suspects")
    parser.add_argument("--reports", type=Path, help="a folder for what users would see")
    parser.add_argument("--aside", action="store_true", help="the half that was put aside")
    given = parser.parse_args()
    mistakes = json.loads(MISTAKES.read_text()) if MISTAKES.exists() else []
    if given.verb == "find":
        found = find(given.jail, given.names[0], given.names[1:])
        if found is not None:
            print(json.dumps(found, indent=1), flush=True)
        return
    print(TITLE, flush=True)
    counts: Counter[str] = Counter()
    for mistake in mistakes:
        wanted = given.names or [mistake["package"]]
        if mistake["package"] in wanted and (given.names or mistake["aside"] == given.aside):
            for test in mistake["tests"]:
                row, certified = ask(given.jail, mistake, test, given)
                print(row, flush=True)
                counts[certified] += 1
    for certified, count in counts.most_common():
        print(f"{count}  1-minimal: {certified}")


if __name__ == "__main__":
    main()

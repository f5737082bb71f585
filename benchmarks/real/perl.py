"""Mistakes that were really made in Perl modules: a release's test with the release before it.

``python -m benchmarks.real.perl JAIL FOLDER [WORD...]`` fetches what ``data/real/perl.toml`` names
from Debian, puts the modules of the older release under the tests of the newer one, and asks
``stripe trace``, ``stripe changes`` and ``stripe why`` about the test that fails then.  It prints
a table: whether lines that the newer release mended are kept, applied, and among the first five
places.  Tests of strangers run inside ``JAIL FOLDER COMMAND...``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from benchmarks.real.catalog import DATA
from benchmarks.real.mistakes import in_jail, processor_seconds
from stripe.kit.caches import caches
from stripe_perl.interpreter import find_perl
from stripe_perl.runtime_library import built_runtime

MISTAKES = DATA / "perl.toml"
SUITES = ("bookworm", "trixie")
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
PLACES = 5
"""As many places of ``stripe why`` count as found."""

STRICTER = ("--values", "same", "--control", "program")
"""Keeps the conditions that decided, and the values that kept statements read."""

TITLE = """\
| module | test | events | kept | 1-minimal | faulty line kept | tests | processor | changes | why |
|---|---|---|---|---|---|---|---|---|---|"""


class Archive:
    """Packages of two suites of Debian, by an apt of its own: nothing is installed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = folder / "apt"
        if (self._state / "sources.list").exists():
            return
        for each in ("lists/partial", "cache/archives/partial", "none"):
            (self._state / each).mkdir(parents=True, exist_ok=True)
        (self._state / "status").touch()
        [mirror, *_] = re.findall(
            r"^URIs: *(\S+)", Path("/etc/apt/sources.list.d/debian.sources").read_text(), re.M
        )
        lines = [
            f"{kind} [signed-by={KEYS}] {mirror} {suite} main\n"
            for kind in ("deb", "deb-src")
            for suite in SUITES
        ]
        (self._state / "sources.list").write_text("".join(lines))
        self._apt("update")

    def _apt(self, *words: str) -> None:
        options = {
            "APT::Sandbox::User": "root",
            "Dir::State": self._state,
            "Dir::State::status": self._state / "status",
            "Dir::State::lists": self._state / "lists",
            "Dir::Cache": self._state / "cache",
            "Dir::Etc::sourcelist": self._state / "sources.list",
            "Dir::Etc::sourceparts": self._state / "none",
        }
        given = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        subprocess.run(
            ["apt-get", "-qq", *given, *words], cwd=self._folder, check=True, timeout=600,
            capture_output=True,
        )  # fmt: skip

    def source(self, package: str) -> Path:
        """The upstream source of ``NAME=VERSION``, unpacked."""
        name, version = package.split("=")
        folder = self._folder / f"{name}-{version}-source"
        if not folder.exists():
            self._apt("source", "--download-only", "--tar-only", package)
            [archive] = self._folder.glob(f"{name}_{version.rpartition('-')[0]}.orig.tar.*")
            folder.mkdir()
            unpack = ["tar", "--strip-components=1", "-xf", str(archive), "-C", str(folder)]
            subprocess.run(unpack, check=True, stderr=subprocess.DEVNULL)
        return folder

    def modules(self, package: str) -> Path:
        """The folder with the modules of a binary package ``NAME[=VERSION]``."""
        name = package.partition("=")[0]
        folder = self._folder / package.replace("=", "-")
        if not folder.exists():
            self._apt("download", package)
            [archive] = self._folder.glob(f"{name}_*.deb")
            subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
            archive.unlink()
        [found, *_] = [*folder.glob("usr/share/perl5"), *folder.glob("usr/share/perl/5.*.*")]
        return found


def prepare(archive: Archive, mistake: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    """The newer release, and the same with the modules of the older one."""
    shutil.rmtree(folder, ignore_errors=True)
    good, bad = folder / "good", folder / "bad"
    older = archive.modules(mistake["older"])
    for each in (good, bad):
        shutil.copytree(archive.source(mistake["newer"]), each)
        for needed in mistake.get("needs", ()):
            shutil.copytree(archive.modules(needed), each / "needed", dirs_exist_ok=True)
    for module in [*(bad / "lib").rglob("*.pm")]:
        old = older / module.relative_to(bad / "lib")
        module.unlink()
        if old.exists():
            shutil.copy(old, module)
    built = built_runtime(find_perl())  # once, not in each jail
    shutil.copytree(built, folder / "cache" / built.relative_to(caches().parent))
    return good, bad


def ask(
    jail: str, folder: Path, verb: str, words: list[str | Path], seconds: int
) -> tuple[dict[str, Any] | None, str, float]:
    """The JSON of what a verb answers, or ``None``; what it said; seconds of a processor."""
    answer = folder.parent / f"{verb}.json"
    answer.unlink(missing_ok=True)
    before = processor_seconds()
    given = [*words, "--max-time", str(seconds), "--json", answer]
    done = in_jail(
        jail, folder, [sys.executable, "-P", "-m", "stripe.cli.main", verb, *given],
        5 * seconds + 120, PERL5LIB="lib:needed",
    )  # fmt: skip
    used = processor_seconds() - before
    said = done.stdout + done.stderr
    (folder.parent / f"{verb}.txt").write_text(said)
    if not answer.exists():
        slug = re.search(r"\[([a-z]+(?:-[a-z]+)*)\]", said)
        return None, f"refused: {slug[1]}" if slug else f"status {done.returncode}", used
    return json.loads(answer.read_text()), "", used


def kept_lines(result: dict[str, Any]) -> set[str]:
    """``FILE:LINE`` of what the slice keeps; a statement has all of its lines."""
    kept = {each["statement"] for each in result["slices"][0]["statements"]}
    return {
        f"{result['files'][each['file']]['path']}:{line}"
        for each in result["statements"]
        if each["id"] in kept
        for line in range(each["line"], each["end_line"] + 1)
    }


def row(jail: str, mistake: dict[str, Any], good: Path, bad: Path, seconds: int) -> str:
    """A line of the table."""
    test, options = mistake["test"], mistake.get("options", [])
    faulty = set(mistake["faulty"])
    result, refused, used = ask(jail, bad, "trace", [*options, test], seconds)
    cells = [mistake["name"], test]
    if result is None:
        cells += ["", "", refused, "", "", f"{used:.0f} s"]
    else:
        found = result["slices"][0]
        held = "yes" if faulty & kept_lines(result) else "no"
        if held == "no":  # the failure of `ok` needs no value; what a condition guards may stay
            again, _, _ = ask(jail, bad, "trace", [*options, *STRICTER, test], seconds)
            if again is not None and faulty & kept_lines(again):
                held = f"with conditions and values, {len(again['slices'][0]['events'])} events"
        certified = "yes" if found["certified"] else f"no: {found['stopped']}"
        cells += [
            f"{len(result['trace']['statement']):,}", str(len(found["events"])), certified, held,
            str(found["tests"]["executed"]), f"{used:.0f} s",
        ]  # fmt: skip
    if options:  # of a run that does not end there is no output to compare, nor a failed test
        return f"| {' | '.join([*cells, 'not asked', 'not asked'])} |"
    words: list[str | Path] = ["../good", "../bad", "--test", f"perl {test}"]
    answer, refused, _ = ask(jail, bad, "changes", words, seconds)
    cells.append(refused if answer is None else applied(answer, bad, faulty))
    answer, refused, _ = ask(jail, bad, "why", [test], seconds)
    cells.append(refused if answer is None else named(answer, faulty))
    return f"| {' | '.join(cells)} |"


def applied(answer: dict[str, Any], bad: Path, faulty: set[str]) -> str:
    """How many of the changed lines are in the patch, and whether a wrong one is."""
    written: set[tuple[str, str]] = set()
    path = ""
    for text in answer["patch"].splitlines():
        if text.startswith("+++ "):
            path = text.partition("/")[2]
        elif text.startswith("+"):
            written.add((path, text[1:].strip()))
    wrong = set()
    for place in faulty:
        file, _, line = place.partition(":")
        wrong.add((file, (bad / file).read_text("utf-8", "replace").splitlines()[int(line) - 1]))
    held = written & {(file, text.strip()) for file, text in wrong}
    lines = answer["lines"]
    return f"{lines['blamed']} of {lines['changed']} lines{'' if held else ', not that one'}"


def named(answer: dict[str, Any], faulty: set[str]) -> str:
    """Where an answer of ``stripe why`` names a wrong line."""
    places = [f"{each['file']}:{each['line']}" for each in answer["places"][:PLACES]]
    if at := next((number for number, each in enumerate(places, 1) if each in faulty), 0):
        return f"place {at}"
    story = {f"{each['file']}:{each['line']}" for each in answer["story"]}
    return "in the story" if story & faulty else "no"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("jail")
    parser.add_argument("folder", type=Path)
    parser.add_argument("words", nargs="*", help="of the names of modules; none: all")
    parser.add_argument("--seconds", type=int, default=60, help="for each answer")
    given = parser.parse_args()
    folder = given.folder.absolute()
    (folder / "packages").mkdir(parents=True, exist_ok=True)
    archive = Archive(folder / "packages")
    print(TITLE, flush=True)
    for mistake in tomllib.loads(MISTAKES.read_text())["mistake"]:
        if given.words and not any(word in mistake["name"] for word in given.words):
            continue
        place = folder / re.sub(r"\W+", "-", f"{mistake['name']}-{Path(mistake['test']).stem}")
        try:
            good, bad = prepare(archive, mistake, place)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            print(f"| {mistake['name']} | {mistake['test']} | {type(error).__name__} |", flush=True)
            continue
        print(row(given.jail, mistake, good, bad, given.seconds), flush=True)


if __name__ == "__main__":
    main()

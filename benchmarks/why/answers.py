"""What is compared: for one fault, the places that each way to look names, the best ones first.

A list of lines is read by functions: several lines of one function count once, lines of a module
each.  Places that are equally good count as if the right one were the last of them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.suspects.ranks import by_score, ochiai
from benchmarks.why.faults import Fault, Place
from benchmarks.why.repairs import function_at

ROOT = Path(__file__).parents[2]
SECONDS = 30.0
"""For each way: the default of ``stripe why``."""

type Line = tuple[str, int]
type Groups = Sequence[Iterable[Line]]

LOCATED = re.compile(r"([\w./+-]+\.py):(\d+)")
FRAME = re.compile(r'^  File "(.+)", line (\d+), in ', re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """What came of one way.

    ``rank``: of the fixing line or its function; None: not among the ``places``.  ``exact``: the
    line itself was named.  ``first``, ``seconds``: until the first words and until the end.
    ``before``: lines on the screen before it is met.  ``by``: the experiments that found it.
    ``cpu``: seconds of a processor, which other processes do not make more; None: not measured.
    ``said``: what the first line of the screen said, or why there is no answer.
    ``experiments``: as in the JSON of ``stripe why``; ``ranked``: what its places were ranked by.
    """

    rank: int | None = None
    exact: bool = False
    places: int = 0
    seconds: float = 0.0
    first: float | None = None
    before: int | None = None
    by: str = ""
    said: str = ""
    screen: str = field(default="", repr=False)
    cpu: float | None = None
    experiments: list[dict[str, Any]] = field(default_factory=list, repr=False)
    ranked: dict[str, Any] = field(default_factory=dict, repr=False)


class Lookup:
    """Where the fault is, to be compared with places that are named."""

    def __init__(self, fault: Fault, where: Place) -> None:
        self.fault, self.where = fault, where

    def line(self, path: str | Path, number: int) -> Line:
        """A place by the path from the package's folder, if it is below that."""
        full = os.path.realpath(self.where.project / path)
        code = os.path.realpath(self.where.code) + os.sep
        return (full.removeprefix(code) if full.startswith(code) else full), number

    def function(self, line: Line) -> str:
        """The function around a line of the package."""
        path = self.where.code / line[0]
        return _function(path, line[1]) if path.is_file() else ""

    def is_fix(self, line: Line) -> bool:
        """Whether it is a fixing line."""
        return any(each.file == line[0] and line[1] in each.lines for each in self.fault.fixes)

    def is_near(self, line: Line) -> bool:
        """Whether it is a fixing line, or in its function."""
        names = {each.function for each in self.fault.fixes if each.file == line[0]}
        return self.is_fix(line) or bool(names - {""} and self.function(line) in names - {""})

    def rank(self, groups: Groups) -> tuple[int | None, bool, int]:
        """Of the first place that is near, whether a fixing line is named, how many places."""
        seen: set[Line | tuple[str, str]] = set()
        rank = None
        exact = False
        for group in groups:
            units: dict[Line | tuple[str, str], bool] = {}
            for line in group:
                unit = (line[0], self.function(line))
                key = unit if unit[1] else line
                exact = exact or self.is_fix(line)
                if key not in seen:
                    units[key] = units.get(key, False) or self.is_near(line)
            if rank is None and any(units.values()):
                rank = len(seen) + len(units) - sum(units.values()) + 1
            seen |= units.keys()
        return rank, exact, len(seen)


@cache
def _function(path: Path, line: int) -> str:
    return function_at(path.read_text("utf-8", errors="replace"), line)


def why(fault: Fault, where: Place, tree: Path) -> Answer:
    """What ``stripe why`` says."""
    if not (tree / "stripe" / "why").is_dir():
        return Answer(said="stripe why is not in this tree")
    lookup = Lookup(fault, where)
    with tempfile.TemporaryDirectory(prefix="why-") as scratch:
        document, evidence = Path(scratch) / "answer.json", Path(scratch) / "evidence.json"
        words = [
            sys.executable, "-E", str(Path(__file__).with_name("asked.py")), str(tree),
            str(evidence), "why", "--json", str(document), "--python", sys.executable,
            *_what(fault),
        ]  # fmt: skip
        screen, first, seconds, ended = _watched(words, where)
        if not document.exists():
            said = next(iter(ended.strip().splitlines()), "nothing")
            return Answer(seconds=seconds, first=first, said=said, screen=screen + ended)
        found = json.loads(document.read_text("utf-8"))
        given = json.loads(evidence.read_text("utf-8")) if evidence.exists() else {}
    named = [lookup.line(each["file"], each["line"]) for each in found["places"]]
    rank, exact, places = lookup.rank([[each] for each in named])
    by = ""
    if rank is not None:
        place = next(
            place
            for place, line in zip(found["places"], named, strict=True)
            if lookup.is_near(line)
        )
        told = (f"{each['experiment']}: {each['kind']}" for each in place["why"])
        by = ", ".join(dict.fromkeys(told))
    lines = screen.splitlines()
    met = (number for number, text in enumerate(lines) if _meets(lookup, text))
    return Answer(
        rank, exact, places, seconds, found.get("first") or first, next(met, None), by,
        lines[0] if lines else "", screen, given.get("cpu"), found["experiments"], given,
    )  # fmt: skip


def again(fault: Fault, where: Place, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of ``why`` with its places ranked again, by the evidence that was kept with it."""
    from stripe.why.evidence import Evidence, Kind
    from stripe.why.rank import ranked

    given = answer.get("ranked")
    if not given or "evidence" not in given:
        return dict(answer)
    lookup = Lookup(fault, where)
    found = ranked(
        (Evidence(Kind(kind), *rest) for kind, *rest in given["evidence"]),
        declarations={(file, line) for file, line in given["declarations"]},
        tests=given["tests"],
    )
    named = [lookup.line(each.file, each.line) for each in found]
    rank, exact, places = lookup.rank([[each] for each in named])
    by = "" if rank is None else ", ".join(
        f"{each.experiment}: {each.kind.value}"
        for each in found[[lookup.is_near(line) for line in named].index(True)].evidence
    )  # fmt: skip
    return dict(answer) | {"rank": rank, "exact": exact, "places": places, "by": by, "before": None}


def suspects(fault: Fault, where: Place, tree: Path) -> Answer:
    """What ``stripe suspects`` says, of the test's file."""
    if fault.script:
        return Answer(said="no tests")
    began = time.monotonic()
    file = fault.test.partition("::")[0]
    words = [
        "suspects", "--json", "-", "--no-slice", "--quiet", "--max-time", str(SECONDS),
        "--python", sys.executable, "--failing", fault.test, "-m", "pytest", file,
    ]  # fmt: skip
    ended = _run(stripe(tree, words), where)
    seconds = time.monotonic() - began
    try:
        found = json.loads(ended.stdout)
    except ValueError:
        return Answer(seconds=seconds, said=_last(ended.stderr))
    lookup = Lookup(fault, where)
    groups = [[lookup.line(each["file"], each["line"])] for each in found["places"]]
    return Answer(*lookup.rank(groups), seconds)


def dynamic_slice(fault: Fault, where: Place, tree: Path) -> Answer:
    """The statements on which the failure depends, nearest first."""
    began = time.monotonic()
    include = [f"{where.project}/**", f"{where.code}/**"] if fault.script else []
    request = {
        "test": fault.test, "script": "repro.py", "check": fault.check, "include": include,
    }  # fmt: skip
    words = [sys.executable, "-E", str(Path(__file__).with_name("slices.py"))]
    ended = _run(words, where, json.dumps(request))
    seconds = time.monotonic() - began
    try:
        groups = json.loads(ended.stdout)
    except ValueError:
        return Answer(seconds=seconds, said=_last(ended.stderr))
    lookup = Lookup(fault, where)
    own = [
        [line for line in (lookup.line(*each) for each in group) if _is_code(where, line)]
        for group in groups
    ]
    return Answer(*lookup.rank(own), seconds)


def of_tests(fault: Fault, where: Place, jail: str) -> tuple[Answer, Answer]:
    """The last frame of the traceback in the package, or else in the test; and Ochiai."""
    lookup = Lookup(fault, where)
    began = time.monotonic()
    if fault.script:
        ended = _run([jail, str(where.project.parent), "sh", "-c", 'cd "$0" && exec "$@"',
                      str(where.project), sys.executable, "repro.py"], where)  # fmt: skip
        last = ended.stderr.rpartition("Traceback (most recent call last)")[2]
        frames = [(path, int(line)) for path, line in FRAME.findall(last)]
        return _last_frame(lookup, frames, began), Answer(said="no tests")
    report = where.project.parent / "report.json"
    report.unlink(missing_ok=True)
    words = [
        jail, str(where.project.parent), "sh", "-c", 'cd "$0" && exec timeout "$@"',
        str(where.project), str(SECONDS), sys.executable, "-m", "pytest", "-q", "-p", "outcomes",
        fault.test.partition("::")[0],
    ]  # fmt: skip
    more = {
        "WHY_REPORT": str(report),
        "WHY_CODE": str(where.code),
        "TMPDIR": str(where.project.parent),
    }
    _run(words, where, more=more)
    if not report.exists():
        nothing = Answer(said="the tests did not end")
        return nothing, nothing
    seen = json.loads(report.read_text("utf-8"))
    frames = [(path, line) for path, line, _ in seen["frames"].get(fault.test, ())]
    passing = [test for test, (ended, _) in seen["ended"].items() if ended == "passed"]
    counts: dict[Line, list[int]] = defaultdict(lambda: [0, 0])
    for column, tests in enumerate(([fault.test], passing)):
        for test in tests:
            for file, lines in seen["executed"].get(test, {}).items():
                for number in lines:
                    if _is_code(where, (file, number)):
                        counts[file, number][column] += 1
    groups = by_score({place: ochiai(bad, good, 1) for place, (bad, good) in counts.items() if bad})
    return _last_frame(lookup, frames, began), Answer(
        *lookup.rank(groups),
        time.monotonic() - began,
    )


def stripe(tree: Path, words: Sequence[str]) -> list[str]:
    """The command of a tree, whatever is on the path of the project."""
    code = (
        f"import sys; sys.path[:0] = [{str(tree)!r}, {str(tree / 'backends')!r}]; "
        "from stripe.cli.main import main; sys.exit(main())"
    )
    return [sys.executable, "-E", "-c", code, *words]


def _what(fault: Fault) -> list[str]:
    if fault.test:
        return ["-m", "pytest", fault.test]
    return [*(["--check", fault.check] if fault.check else []), "repro.py"]


def _meets(lookup: Lookup, text: str) -> bool:
    for path, line in LOCATED.findall(text):
        known = {each.file for each in lookup.fault.fixes if f"/{each.file}".endswith(f"/{path}")}
        known |= {each.file for each in lookup.fault.fixes if f"/{path}".endswith(f"/{each.file}")}
        if any(lookup.is_near((file, int(line))) for file in known):
            return True
    return False


def _last_frame(lookup: Lookup, frames: Sequence[Line], began: float) -> Answer:
    """The last frame that is one of the package or of the project."""
    own = [lookup.line(path, line) for path, line in frames]
    project = os.path.realpath(lookup.where.project) + os.sep
    mine = [
        line for line in own
        if not Path(line[0]).is_absolute() or line[0].startswith(project)
    ]  # fmt: skip
    return Answer(*lookup.rank([[line] for line in mine[-1:]]), time.monotonic() - began)


def _is_code(where: Place, line: Line) -> bool:
    """Whether a place is one of the package."""
    from benchmarks.real.mistakes import is_test

    path = Path(line[0])
    return not path.is_absolute() and not is_test(path) and (where.code / path).is_file()


def _environment(where: Place, more: Mapping[str, str] | None = None) -> dict[str, str]:
    known = where.environment()
    plugin = str(Path(__file__).parent)
    path = f"{known['PYTHONPATH']}:{plugin}" if more else known["PYTHONPATH"]
    own = {"PYTHONPATH": path, "COLUMNS": "100", "HOME": str(where.project.parent)}
    merged: dict[str, str] = {**known, **own, **(more or {})}
    return merged


def _run(
    words: Sequence[str], where: Place, given: str = "", more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words, cwd=where.project, env=_environment(where, more), input=given,
            capture_output=True, text=True, errors="replace", check=False, timeout=8 * SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", "did not end")


def _watched(words: Sequence[str], where: Place) -> tuple[str, float | None, float, str]:
    """What a command prints, seconds until it does, and until it ends, and what it complains of."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            words, cwd=where.project, env=_environment(where), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=errors, bufsize=0,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            start = process.stdout.read(1)
            first = time.monotonic() - began if start else None
            rest, _ = process.communicate(timeout=8 * SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            rest, _ = process.communicate()
        seconds = time.monotonic() - began
        errors.seek(0)
        complained = errors.read().decode(errors="replace")
    return (start + rest).decode(errors="replace"), first, seconds, complained


def _last(text: str) -> str:
    return next(iter(reversed(text.strip().splitlines())), "")[:200]

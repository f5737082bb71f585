"""One program, made to count, recorded, reduced: does its slice execute kept events only?"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.real.counting import COUNTS, SITE, Counts, count_in, counted
from benchmarks.real.seeded import Patch, became, patched
from stripe.backend import Recording, Target
from stripe.checks import parse_checks
from stripe.deadline import Deadline
from stripe.errors import StripeError
from stripe.reduce import Settings, reduce
from stripe.report import render
from stripe.trace import Trace
from stripe_pytrace.backend import PythonBackend


@dataclass(frozen=True)
class Program:
    """A program to try: what is copied into its folder, and how it is run there.

    ``files`` are texts by path; ``code`` are files and folders of Python code that are copied and
    count, ``tree`` a folder whose content is; ``patch``: file, line and what that line becomes;
    ``paths`` are folders that the program imports from, relative ones in the copy.
    """

    name: str
    program: str
    arguments: Sequence[str] = ()
    module: bool = False
    files: Mapping[str, str] = field(default_factory=dict)
    code: Sequence[Path] = ()
    tree: Path | None = None
    patch: Patch | None = None
    paths: Sequence[str | Path] = ()
    check: str = ""
    exclude: Sequence[str] = ()
    stdin: bytes = b""


@dataclass
class Row:
    """What became of a program, in one control mode."""

    name: str
    events: int = 0
    kept: int = 0
    executed: int = 0
    lines: int = 0
    tests: int = 0
    seconds: float = 0.0
    certified: bool = False
    fresh: bool = False
    refused: str = ""
    wrong: Sequence[str] = ()
    idle: int = 0
    untraced: int = 0
    faulty: str = ""
    marked: int = 0
    report: str = ""

    def __str__(self) -> str:
        if self.refused:
            return f"{self.name:<36} refused: {self.refused}"
        state = "certified" if self.certified else "budget"
        if self.idle:
            state += f", {self.idle} kept do not happen"
        if self.untraced:
            state += f", {self.untraced} statements run untraced"
        wrong = f"  WRONG: {'; '.join(self.wrong[:4])}" if self.wrong else ""
        if self.faulty:
            state += f", {self.marked} lines marked, seeded line {self.faulty}"
        return (
            f"{self.name:<36} {self.events:>7} {self.kept:>6} {self.executed:>6} {self.lines:>6} "
            f"{self.tests:>6} {self.seconds:>7.1f} {state}{wrong}"
        )


TITLE = f"{'program':<36} {'events':>7} {'kept':>6} {'lines':>6} {'kept':>6} {'tests':>6} {'s':>7}"


def try_out(
    program: Program,
    folder: Path,
    *,
    control: str = "trace",
    seconds: float = 60,
    tests: int = 2000,
) -> Row:
    """Record, reduce, replay, count; ``folder`` is empty."""
    row = Row(program.name)
    started = time.monotonic()
    with counting_copy(program, folder) as target:
        try:
            recording = PythonBackend().record(target)
        except StripeError as error:
            row.refused = f"{error.slug}: {error.message[:300]}"
            return row
        try:
            check = parse_checks([program.check]) if program.check else []
            settings = Settings(control, max_tests=tests, deadline=Deadline(seconds))
            result = reduce(recording, check, settings)
            [found], trace = result.slices, result.trace
            row.events, row.kept, row.tests = found.of, len(found.events), found.tests
            row.certified = found.certified
            row.executed = len({place(trace, event) for event in range(len(trace))})
            row.lines = len({place(trace, event) for event in found.events})
            row.marked = len({place(trace, event) for event in found.governing})
            row.report = re.sub(r"\(_count_\(\d+\), ", "", render(result, ["source", "summary"]))
            if program.patch is not None and program.tree is not None:
                original = (program.tree / program.patch[0]).read_text()
                row.faulty = became(original, program.patch, trace, found)
            strict = control == "program"
            row.wrong, row.idle, row.untraced = differing(recording, found.events, strict=strict)
        except StripeError as error:
            row.refused = f"{error.slug}: {error.message[:300]}"
        finally:
            recording.close()
    row.seconds = time.monotonic() - started
    return row


def place(trace: Trace, event: int) -> tuple[int, int]:
    statement = trace.statements[trace.statement[event]]
    return statement.file, statement.line


def differing(
    recording: Recording, events: Sequence[int], *, strict: bool
) -> tuple[list[str], int, int]:
    """Statements that execute oftener than they are kept; how many kept events do not happen;
    how many statements execute that have no events, in code that the program compiled itself.

    The second is so only where the search came to no end: they could be left out.
    """
    counts = Counts(recording.trace)
    everything = range(len(recording.trace))
    with recording.replay(everything, strict=strict, fresh=True) as run:
        full = counted(run.directory)
    whole = counts.expected(everything)
    loops = counts.loops()
    # Where evaluation may raise before a statement has counted, counts say nothing.
    unclear = {number for number in whole if full[number] != whole[number]} - loops
    unknown = set(full) - set(whole)
    wrong: list[str] = []
    expected, idle = counts.expected(events), 0
    for fresh in (True, False):
        with recording.replay(events, strict=strict, fresh=fresh) as run:
            seen = counted(run.directory)
        for number in sorted({*expected, *seen} - unclear - unknown):
            # A header that is kept for an item it fetches need not have made the iterator.
            if seen[number] > expected[number]:
                how = "fresh" if fresh else "fast"
                wrong.append(
                    f"{counts.where(number)}: {seen[number]}, not {expected[number]} ({how})"
                )
            elif fresh and number not in loops:
                idle += expected[number] - seen[number]
    return wrong, idle, len(unknown)


@contextmanager
def counting_copy(program: Program, folder: Path) -> Iterator[Target]:
    """The program in ``folder``, made to count, as a target."""
    work, site = folder / "work", folder / "site"
    work.mkdir()
    site.mkdir()
    (site / "sitecustomize.py").write_text(SITE)
    for path, text in program.files.items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_text(text)
    if program.tree is not None:
        shutil.copytree(program.tree, work, dirs_exist_ok=True)
    if program.patch is not None:
        faulty = work / program.patch[0]
        faulty.write_text(patched(faulty.read_text(), program.patch))
    for source in program.code:
        if source.is_dir():
            shutil.copytree(source, work / source.name, ignore=shutil.ignore_patterns("*.pyc"))
        else:
            shutil.copy(source, work)
    number = 1
    for file in sorted(work.rglob("*.py")):
        try:
            number = count_in(file, number)
        except SyntaxError:
            continue  # a template, or for another Python
    variables = {
        "PYTHONPATH": os.pathsep.join(str(work / path) for path in [site, *program.paths]),
        "COUNTING_FILE": str(work / COUNTS),
    }
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield Target(
            program.program,
            list(program.arguments),
            program.module,
            work,
            stdin=program.stdin,
            exclude=list(program.exclude),
        )
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

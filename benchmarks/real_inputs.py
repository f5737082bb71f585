"""Real files, reduced beside shrinkray and cvise: sizes after 10 s, 60 s and at the end.

``python -m benchmarks.inputs --real [--aside] [--only KIND] [--seconds S]``
"""

from __future__ import annotations

import io
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import reducers
from benchmarks.real.sdists import unpacked

FILES = Path(__file__).with_name("data") / "inputs.toml"
TOOLS = ("stripe", "shrinkray", "cvise")
MARKS = (10.0, 60.0)
"""Seconds after which sizes are compared, beside the end."""

JUDGE = """
import sys
path = sys.argv[1]
data = open(path, "rb").read()
text = data.decode("utf-8", "replace")
"""


@dataclass(frozen=True, slots=True)
class Subject:
    """A file, its content, and the words of a shell that test ``$f``."""

    kind: str
    name: str
    content: bytes
    test: str


@dataclass(frozen=True, slots=True)
class Fall:
    """The size of a tool's answer at the marks, and in the end; and its tests."""

    sizes: tuple[int, ...]
    tests: int


def subjects(*, aside: bool, only: str = "") -> Iterator[Subject]:
    """The files that can be had."""
    for row in tomllib.loads(FILES.read_text())["file"]:
        if row.get("aside", False) is not aside or (only and row["kind"] != only):
            continue
        _, folder = unpacked(*row["sdist"])
        yield _subject(row, folder)


def _subject(row: dict[str, Any], folder: Path) -> Subject:
    path = folder / row["path"]
    name = f"{folder.name}.{row['kind']}" if path.is_dir() else path.name
    content = _packed(path, row["kind"]) if path.is_dir() else path.read_bytes()
    test = row.get("shell")
    if test is None:
        judge = shlex.quote(JUDGE + row["test"])
        test = f'{sys.executable} -W ignore -I -S -c {judge} "$f" > /dev/null 2>&1'
    return Subject(row["kind"], name, content, test)


def _packed(folder: Path, kind: str) -> bytes:
    """A folder as an archive of that kind."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stream = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                archive.write(path, path.relative_to(folder))
    else:
        with tarfile.open(fileobj=stream, mode="w:gz") as tar:
            for path in files:
                tar.add(path, str(path.relative_to(folder)))
    return stream.getvalue()


def reduce_with(subject: Subject, tool: str, seconds: float) -> Fall | None:
    """Have a tool reduce a file; None if it is not there, or the file does not pass its test."""
    with tempfile.TemporaryDirectory() as folder:
        file, test, log = reducers.laid_out(
            Path(folder), subject.name, subject.content, subject.test, "echo"
        )
        work = file.parent
        if subprocess.run([test, file], cwd=work).returncode:
            raise SystemExit(f"{subject.name} is not as its test wants it")
        if tool == "stripe":
            command: list[str] | None = reducers.ours(file, test, "auto")
            watched = file.with_name("answer" + file.suffix)
        else:
            command = reducers.PEERS[tool](file, test, "auto")
            watched = file
        if command is None:
            return None
        sizes = _watched(command, work, watched, len(subject.content), seconds)
        counted = reducers.counted(file)
        known = tool == "stripe" and counted.exists()
        tests = json.loads(counted.read_text())["tests"]["executed"] if known else 0
        return Fall(sizes, tests or len(log.read_text().splitlines()) - 1)


def _watched(
    command: list[str], work: Path, file: Path, whole: int, seconds: float
) -> tuple[int, ...]:
    """Run a tool for so many seconds at most; the size of a file that it writes, by and by."""
    process = subprocess.Popen(
        command, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    began, found, size = time.monotonic(), [], whole
    marks = [mark for mark in MARKS if mark < seconds]
    while process.poll() is None and time.monotonic() - began < seconds:
        time.sleep(0.1)
        size = _size(file, size)
        if marks and time.monotonic() - began >= marks[0]:
            marks.pop(0)
            found.append(size)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    size = _size(file, size)
    return (*found, *[size] * len(marks), size)


def _size(file: Path, before: int) -> int:
    """The size of a file; while it is being replaced, that before."""
    try:
        return file.stat().st_size or before
    except OSError:
        return before


def table(*, aside: bool, only: str, seconds: float) -> Iterator[str]:
    """The lines of the comparison, and in the end how often ours was the smallest."""
    marks = [f"{mark:g} s" for mark in MARKS if mark < seconds] + ["end"]
    ratios: list[float] = []
    best, count = 0, 0
    for subject in subjects(aside=aside, only=only):
        falls = {tool: reduce_with(subject, tool, seconds) for tool in TOOLS}
        yield f"{subject.name}: {len(subject.content):,} bytes"
        for tool, fall in falls.items():
            if fall is not None:
                told = ", ".join(f"{m} {s:,}" for m, s in zip(marks, fall.sizes, strict=False))
                yield f"  {tool:10} {told}; {fall.tests:,} tests"
        ours = falls.pop("stripe")
        rivals = [fall for fall in falls.values() if fall is not None]
        if ours is None or not rivals:
            continue
        for place, size in enumerate(ours.sizes):
            rival = min(fall.sizes[place] for fall in rivals)
            count += 1
            best += size <= rival * 1.05
        ratios.append(ours.sizes[-1] / max(1, min(fall.sizes[-1] for fall in rivals)))
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        yield f"smallest, or within 5 %: {best} of {count}; geometric mean of the ends {mean:.2f}"

"""Harmful programs run with nothing in between: in full, and with one statement left out.

So the corpus is known to do harm, and the looks are known to notice: what is later found to have
done none was kept from it.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.harm.programs import COMPILER, FOLDER, Program
from tests.harm.world import OWN

SECONDS = 3.0
STATEMENT = re.compile(r" {4,}[^}]*;")
"""A line of a program in C that is a statement and can go."""


def run_bare(program: Program, say: Callable[[str, str], None]) -> None:
    """Run all variants of a program, each in a folder of its own that is removed afterwards."""
    for step, text in variants(program):
        folder = OWN / "tmp/bare"
        folder.mkdir()
        try:
            say(step, run_text(program, text, folder))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def variants(program: Program) -> Iterator[tuple[str, str]]:
    """The program, and what remains of it without one of its statements."""
    text = program.path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    yield "record", text  # as it is
    if program.language == "c":
        start = lines.index('#include "harm.h"\n')
        for number in range(start, len(lines)):
            if STATEMENT.fullmatch(lines[number].rstrip("\n")):
                yield f"without line {number + 1}", without(lines, number, number + 1, "")
        return
    if program.language == "perl":
        for number, line in enumerate(lines):
            if line.endswith(";\n") and not line.startswith(("use ", "package ")):
                yield f"without line {number + 1}", without(lines, number, number + 1, "")
        return
    if program.language == "command":
        return  # nothing of it is left out
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.Import, ast.FunctionDef)):
            end = node.end_lineno or node.lineno
            filler = " " * node.col_offset + "pass\n"
            yield f"without line {node.lineno}", without(lines, node.lineno - 1, end, filler)


def without(lines: list[str], start: int, end: int, filler: str) -> str:
    """The text without some lines."""
    return "".join([*lines[:start], filler, *lines[end:]])


def run_text(program: Program, text: str, folder: Path) -> str:
    """Run a variant; how it ended."""
    source = folder / program.path.name
    source.write_text(text, "utf-8")
    command = [sys.executable, source.name]
    if program.language == "command":
        (folder / "in.txt").write_text("\n")
        command = ["sh", source.name, "in.txt"]
    if program.language == "perl":
        command = ["perl", source.name]
    if program.language == "c":
        shutil.copy(FOLDER / "c/harm.h", folder)
        build = [word for word in COMPILER if not word.startswith("-W")]
        compiled = subprocess.run(
            [*build, "-w", source.name, "-o", "program", "-lrt"], cwd=folder, capture_output=True
        )
        if compiled.returncode:
            return "does not compile"
        command = ["./program"]
    environment = {**os.environ, "PWD": str(folder)}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            close_fds=False,  # as a shell does it
        )
    except subprocess.TimeoutExpired:
        return "TIMEOUT"
    return f"status {done.returncode}"

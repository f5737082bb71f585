"""python -m benchmarks.real.find JAIL [PACKAGE...]: seed faults that tests of real projects find.

One expression of a project's source is changed at random until one of its own tests fails by it;
the first failing test is the program to explain.  What was found is kept in ``faults.json``.
Tests of strangers run inside ``JAIL FOLDER COMMAND...``.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.real.catalog import DATA, installed
from benchmarks.real.failing import FAULTS
from benchmarks.real.sdists import unpacked

PROJECTS = tomllib.loads((DATA / "projects.toml").read_text("utf-8"))
"""By package: where its code is, what of it may be made wrong, its tests."""

OTHER: dict[Any, Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip
TRIES = 60


def changes(text: str) -> Iterator[tuple[int, str, str]]:
    """Single expressions that may be changed: the line's number, the line, what becomes of it."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
            continue
        if isinstance(node, (ast.Compare, ast.BoolOp, ast.BinOp)):
            what = node.ops[0] if isinstance(node, ast.Compare) else node.op
            other = OTHER.get(type(what))
            if other is None or isinstance(getattr(node, "left", None), ast.Constant):
                continue
            if isinstance(node, ast.Compare):
                node.ops[0] = other()
            else:
                node.op = other()
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += 1
        else:
            continue
        line = lines[node.lineno - 1].encode()
        new = ast.unparse(node)
        if isinstance(node, (ast.BoolOp, ast.BinOp, ast.Compare)):
            new = f"({new})"
        changed = line[: node.col_offset] + new.encode() + line[node.end_col_offset :]
        yield node.lineno, line.decode(), changed.decode()


def find(jail: str, name: str, wanted: int, chance: random.Random) -> Iterator[dict[str, object]]:
    project = PROJECTS[name]
    root = project.get("root", "")
    version, folder = unpacked(name)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary) / "work"
        shutil.copytree(folder, work)
        there = [each for each in project["tests"] if (work / each).exists()]
        plain = run(jail, work, root, there)
        if plain is None or plain[0]:
            print(f"{name}: its tests do not pass: {plain}")
            return
        candidates = [
            (file, *change)
            for file in project["code"]
            if (work / file).exists()
            for change in changes((work / file).read_text())
        ]
        chance.shuffle(candidates)
        tried = set()
        for file, number, old, new in candidates[:TRIES]:
            if wanted == 0:
                return
            if (file, number // 20) in tried:
                continue
            text = (work / file).read_text()
            lines = text.splitlines()
            lines[number - 1] = new
            (work / file).write_text("\n".join(lines) + "\n")
            done = run(jail, work, root, there)
            (work / file).write_text(text)
            if done is None or not done[0]:
                continue
            tried.add((file, number // 20))
            wanted -= 1
            yield {
                "package": name, "version": version, "root": root, "file": file, "line": number,
                "old": old, "new": new, "test": done[0],
                **({"runner": project["runner"]} if "runner" in project else {}),
            }  # fmt: skip


def run(jail: str, work: Path, root: str, tests: list[str]) -> tuple[str, str] | None:
    """The first test that fails (else ""), and the end of what pytest said; None: too long."""
    (work / ".tmp").mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(work / root), str(work), str(installed())]),
        "TMPDIR": str(work / ".tmp"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--tb=no",
        "-rf",
        "-p",
        "no:cacheprovider",
    ]
    command += ["-p", "no:stripe", "-p", "no:randomly", "--rootdir", str(work), "-o", "addopts="]
    try:
        done = subprocess.run(
            [jail, str(work), *command, *tests],
            env=environment, capture_output=True, text=True, timeout=40, cwd=work,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    if done.returncode not in (0, 1):
        return ("", done.stdout[-600:] + done.stderr[-300:]) if done.returncode != 1 else None
    failed = re.search(r"^FAILED (\S+::[^\n]*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return (failed[1] if failed else ""), done.stdout[-300:]


def main() -> None:
    jail, *names = sys.argv[1:]
    chance = random.Random(12)
    found = json.loads(FAULTS.read_text()) if FAULTS.exists() else []
    for name in names or PROJECTS:
        if any(each["package"] == name for each in found):
            continue
        for fault in find(jail, name, 2, chance):
            print(fault, flush=True)
            found.append(fault)
            FAULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

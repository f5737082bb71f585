"""Installed packages to look into, beside the project: those that the failure came through.

Of an exception these are the packages of its traceback, if it was raised in one; of an output or a
test those that the program, or the file of the test, imports itself.  Packages with compiled parts,
and those that run tests, are left alone: what is wrong is seldom there, and they are large.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from stripe.backend import Interpreting, Target, choose_backend
from stripe.why.question import Frame, Question, is_library, is_own

PROJECT = "**/*.py"
"""The project itself, as a name for ``--include``."""

OF_TESTERS = frozenset({"pytest", "_pytest", "pluggy", "hypothesis", "nose", "mock", "coverage"})

COMPILED = (".so", ".pyd", ".dylib")


def packages_of(question: Question) -> list[str]:
    """The folders and files of packages to look into."""
    target = question.target
    if question.happened.symptom == "exception":
        last = question.frames[-1] if question.frames else None
        if last is None or is_own(last.file, target):
            return []
        found = [_package_of(each, target) for each in question.frames]
    else:
        found = [_located(name, target) for name in _imported(question)]
    return list(dict.fromkeys(str(each) for each in found if each is not None and _pure(each)))


def _package_of(frame: Frame, target: Target) -> Path | None:
    """The top folder of a package, or the file of a module, that a frame is in."""
    path = target.directory / frame.file
    if is_own(frame.file, target) or not path.is_file() or _comes_with_python(path):
        return None
    top = path
    while (top.parent / "__init__.py").exists():
        top = top.parent
    return top


def _comes_with_python(path: Path) -> bool:
    text = str(path)
    return is_library(text) and "-packages/" not in text


def _imported(question: Question) -> Iterator[str]:
    """The names of top-level modules that the program, or the file of the test, imports."""
    target = question.target
    own = question.test.own if question.test is not None else target.program
    try:
        tree = ast.parse((target.directory / own).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


def _located(name: str, target: Target) -> Path | None:
    """Where a module is that is neither Python's own nor the project's."""
    if name in sys.stdlib_module_names or name in OF_TESTERS:
        return None
    program = target.directory / target.program
    for folder in (target.directory, target.directory / "src", program.parent):
        if (folder / name).is_dir() or (folder / f"{name}.py").is_file():
            return None
    backend = choose_backend(target)
    if not isinstance(backend, Interpreting):
        return None
    environment = Path(backend.interpreter(target)).parent.parent
    given = target.variables.get("PYTHONPATH", "").split(os.pathsep)
    folders = [target.directory / each for each in given if each]
    folders += environment.glob("lib/python3*/site-packages")
    for folder in folders:
        if (folder / name / "__init__.py").is_file():
            return folder / name
        if (folder / f"{name}.py").is_file():
            return folder / f"{name}.py"
    return None


def _pure(path: Path) -> bool:
    """Whether there is nothing compiled in a package."""
    return path.is_file() or not any(
        name.endswith(COMPILED) for _, _, names in os.walk(path) for name in names
    )

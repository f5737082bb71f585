"""Installed packages to look into, beside the project: those that the failure came through.

Of an exception these are the packages of its traceback, if it was raised in one; of an output those
that the program imports itself; of a test those that its file does, if it tests nothing of the
project.  Packages with compiled parts, and those that run tests, are left alone: what is wrong is
seldom there, and they are large.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from stripe.backend import Interpreting, Target, choose_backend
from stripe.interventions import Frame, Intervening
from stripe.suspects.search import TESTS
from stripe.why.functions import parsed

OF_TESTERS = frozenset({"pytest", "_pytest", "pluggy", "hypothesis", "nose", "mock", "coverage"})

COMPILED = (".so", ".pyd", ".dylib")

_LIBRARY = re.compile(r"/(site|dist)-packages/|/lib(64)?/python3\.\d+t?/")


def with_packages(target: Target, packages: Sequence[Path]) -> Sequence[str]:
    """What is to be included: what was asked for, and these packages."""
    return (*target.include, *dict.fromkeys(map(str, packages)))


def of_traceback(frames: Sequence[Frame], target: Target) -> list[Path]:
    """The packages that an exception came through, if it was raised in one."""
    if not frames or is_own(frames[-1].file, target):
        return []
    return [path for each in frames if (path := _package_of(each, target)) and _pure(path)]


def of_imports(files: Sequence[str], target: Target) -> list[Path]:
    """The packages that these files of the project import themselves."""
    names = _names(files, target)
    return [path for each in names if (path := _located(each, target)) and _pure(path)]


def of_tests(files: Sequence[str], target: Target) -> list[Path]:
    """The packages that are tested: none if files of tests import something of the project."""
    tested = any(_is_there(name, target) and name not in TESTS for name in _names(files, target))
    return [] if tested else of_imports(files, target)


def _names(files: Sequence[str], target: Target) -> dict[str, None]:
    return dict.fromkeys(name for file in files for name in _imported(target.directory / file))


def is_own(file: str, target: Target) -> bool:
    """Whether a file belongs to the project: what runs there, and is installed nowhere."""
    if file.startswith("<") or _LIBRARY.search(file):
        return False
    program = target.directory / target.program
    path = target.directory / file
    folders = [target.directory] if target.module else [target.directory, program.parent]
    return any(path.is_relative_to(each) for each in folders)


def is_looked_into(file: str, target: Target) -> bool:
    """Whether a file is the project's, or one of what is included beside it."""
    path = target.directory / file
    return is_own(file, target) or any(
        path == Path(each) or path.is_relative_to(each) for each in target.include
    )


def _package_of(frame: Frame, target: Target) -> Path | None:
    """The top folder of a package, or the file of a module, that a frame is in."""
    path = target.directory / frame.file
    own = is_own(frame.file, target)
    library = _LIBRARY.search(str(path))
    if own or not path.is_file() or (library and "-packages/" not in str(path)):
        return None
    top = path
    while (top.parent / "__init__.py").exists():
        top = top.parent
    return top


def _imported(file: Path) -> Iterator[str]:
    """The names of the top-level modules that a file imports; ``.``: that around its folder."""
    try:
        tree = parsed(file.read_bytes())
    except OSError:
        return
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level > 1:
            yield "."
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


def _located(name: str, target: Target) -> Path | None:
    """Where a module is that is neither Python's own nor the project's."""
    if name in sys.stdlib_module_names or name in OF_TESTERS:
        return None
    if _is_there(name, target):
        return None
    backend = choose_backend(target)
    if not (isinstance(backend, Intervening) and isinstance(backend, Interpreting)):
        return None
    environment = Path(backend.interpreter(target)).parent.parent
    given = target.variables.get("PYTHONPATH", "").split(os.pathsep)
    folders = [target.directory / each for each in given if each]
    folders += environment.glob("lib/python3*/site-packages")
    for folder in folders:
        for path in (folder / name, folder / f"{name}.py"):
            if (path / "__init__.py").is_file() or (path.suffix and path.is_file()):
                return path
    return None


def _is_there(name: str, target: Target) -> bool:
    """Whether a module is one of the project."""
    program = target.directory / target.program
    return any(
        (folder / name).is_dir() or (folder / f"{name}.py").is_file()
        for folder in (target.directory, target.directory / "src", program.parent)
    )


def _pure(path: Path) -> bool:
    """Whether there is nothing compiled in a package."""
    return path.is_file() or not any(
        name.endswith(COMPILED) for _, _, names in os.walk(path) for name in names
    )

"""The interpreter of a program whose user names none: what ``python prog.py`` would run.

An active virtual environment comes first, then one beside the project, then what PATH has, then the
interpreter that runs us.  What cannot be used is passed over, and that is said.  As for uv,
conda's environment ``base``, which is active in every shell, is not what a user has chosen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from stripe.backend import AUTOMATIC, Target
from stripe.errors import UsageError
from stripe_pytrace.interpreter import (
    Interpreter,
    NoAnswerError,
    UnsuitableError,
    advice,
    examine,
    find_interpreter,
    on_path,
)

ENVIRONMENTS = (".venv", "venv")
"""What environments beside a project are called."""

ROOT_MARKS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")
"""What the top folder of a project holds."""


def choose_interpreter(target: Target) -> tuple[Interpreter, list[str]]:
    """The interpreter for ``target``, and notes on those that were passed over.

    Raises :class:`~stripe.errors.UsageError`: see :func:`find_interpreter`.
    """
    if target.python != AUTOMATIC:
        return find_interpreter(target.python), []
    notes: list[str] = []
    tried: set[str] = set()
    reasons: set[str] = set()
    for what, path in _candidates(target):
        if path in tried:
            continue
        tried.add(path)
        try:
            return replace(examine(path), chosen=what), notes
        except (NoAnswerError, UnsuitableError) as error:
            why = f"{str(error).rstrip('.')}."
            if why.removeprefix(path) not in reasons:  # `python` is what `python3` is
                notes.append(f"Passed over {what}: {why}")
            reasons.add(why.removeprefix(path))
    raise UsageError("no-interpreter", f"No usable Python was found. {' '.join(notes)}", advice())


def _candidates(target: Target) -> Iterator[tuple[str, str]]:
    """What each is, and its path, the first choice first; not all need exist."""
    conda = os.environ.get("CONDA_PREFIX")
    if active := os.environ.get("VIRTUAL_ENV"):
        yield "the active virtual environment", _python_of(active)
    chosen = conda and os.environ.get("CONDA_DEFAULT_ENV") != "base"
    if conda and chosen:
        yield "the active conda environment", _python_of(conda)
    for folder in _folders(target):
        for name in ENVIRONMENTS:
            path = _python_of(str(folder / name))
            if os.path.lexists(path) or (folder / name / "pyvenv.cfg").exists():
                yield f"{name} beside the project", path
    if conda and not chosen:
        yield "conda's environment base", _python_of(conda)
    for name in ("python3", "python"):
        for path in on_path(name):
            yield f"{name} on PATH", path
            break
    if sys.executable:
        yield "STRIPE's own", sys.executable


def _python_of(environment: str) -> str:
    return os.path.join(os.path.abspath(environment), "bin", "python")


def _folders(target: Target) -> Iterator[Path]:
    """From the program's folder, and from the working directory, up to the top of the project."""
    program = target.directory / target.program  # a module's name says nothing about folders
    yield from _upwards(Path(os.path.abspath(program.parent)), target.directory)
    yield from _upwards(target.directory, None)


def _upwards(folder: Path, top: Path | None) -> list[Path]:
    """``folder`` and those above it up to ``top``, or the project's; alone if there is neither."""
    chain = [folder, *folder.parents]
    for number, each in enumerate(chain):
        if each == top or any((each / mark).exists() for mark in ROOT_MARKS):
            return chain[: number + 1]
    return [folder]

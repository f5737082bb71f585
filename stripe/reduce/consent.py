"""What a result has run when it is verified, and what of that lies outside of its project.

A result may come from anybody, and says itself which program, interpreter and commands it is
about.  What lies in the project, the directory that the program runs in, is the user's to run or
not; what lies outside must be named by the user, not by the file alone.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from stripe.backend import Target
from stripe.checks import parse_check
from stripe.errors import UsageError

_VERSION = re.compile(r"auto|python|(?:python)?\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Named:
    """What the user names or allows, whatever the result says; paths are meant from here."""

    program: str | None = None
    python: str | None = None
    directory: str | None = None
    network: bool = False


def confine_target(target: Target | None, named: Named) -> Target:
    """The target of a result, if all of it is in the project or named by the user.

    Raises :class:`~stripe.errors.UsageError`: ``no-target``, ``outside-project``.
    """
    if target is None:
        raise UsageError(
            "no-target",
            "The result does not say what to run.",
            "Only results of stripe trace and stripe why can be verified.",
        )
    here = os.getcwd()
    if named.directory is not None:
        target = replace(target, directory=Path(here, named.directory))
    elif not inside(str(target.directory), here):
        refuse("directory", str(target.directory), "the current directory", "--directory")
    if named.program is not None:
        path = named.program
        if not target.module and not samefile(str(target.directory), here):
            path = os.path.join(here, path)
        target = replace(target, program=path)
    elif target.module and not _own_module(target):
        refuse("module", target.program, "the project", "--program")
    elif not target.module and not inside(
        os.path.join(target.directory, target.program), str(target.directory)
    ):
        refuse("program", target.program, "the project", "--program")
    if named.python is not None:
        target = replace(target, python=named.python)
    elif target.python is not None and not _own_interpreter(target.python, str(target.directory)):
        refuse("interpreter", target.python, "the project", "--python")
    if target.network and not named.network:
        raise UsageError(
            "outside-project",
            "The run of the result was allowed to use the network; a file may not choose that.",
            "If it is what you want, allow it yourself: --allow-network",
        )
    return replace(target, network=named.network)


def refuse(what: str, value: str, where: str, option: str) -> NoReturn:
    """Say that what the file names lies outside, and how the user can name it."""
    raise UsageError(
        "outside-project",
        f"The result says to use the {what} {value[:200]!r}, which lies outside of {where}; a file "
        "may not choose that.",
        f"If it is what you want, name it yourself:\n  {option} {quoted(value)}",
    )


def require_allowed(checks: Iterable[str], allowed: Sequence[str]) -> None:
    """Refuse commands of checks that the user has not named, word for word.

    Raises :class:`~stripe.errors.UsageError` ``command-not-allowed``.
    """
    for command in commands(checks):
        if command not in allowed:
            raise UsageError(
                "command-not-allowed",
                "A check of the result runs a shell command, and --yes alone does not allow that.",
                f"If it may run, name it as well:\n  --allow-command {quoted(command)}",
            )


def commands(checks: Iterable[str]) -> list[str]:
    """The shell commands that checks run, each once.

    Raises :class:`~stripe.errors.UsageError` for checks that are none.
    """
    parsed = map(parse_check, checks)
    return list(dict.fromkeys(command for check in parsed for command in check.commands))


def inside(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder`` or in it, all links followed; it need not exist."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def samefile(one: str, other: str) -> bool:
    """Whether two paths lead to the same place, which need not exist."""
    return os.path.realpath(one) == os.path.realpath(other)


def _own_module(target: Target) -> bool:
    """Whether ``python -m`` finds a module in the project: not an installed one."""
    parts = target.program.split(".")
    if not all(part.isidentifier() for part in parts) or parts[0] in sys.stdlib_module_names:
        return False
    folder = str(target.directory)
    found = os.path.join(folder, *parts)
    return any(
        os.path.isfile(path) and inside(path, folder)
        for path in (f"{found}.py", os.path.join(found, "__main__.py"))
    )


def _own_interpreter(spec: str, folder: str) -> bool:
    """Whether a file may choose this interpreter.

    It may ask for a version, which is looked up as the user has set that up, for what `python`
    would run there, for the interpreter that runs us, in whichever virtual environment of the
    project, and for what is in the project.
    """
    if _VERSION.fullmatch(spec):
        return True
    if "/" not in spec:
        return False  # any command of the PATH
    path = os.path.join(os.getcwd(), os.path.expanduser(spec))
    if os.path.isdir(path):
        path = os.path.join(path, "bin", "python")
    if path == sys.executable or inside(path, folder):
        return True
    return inside(os.path.dirname(path), folder) and samefile(path, sys.executable)


def quoted(text: str) -> str:
    """``text`` as a word for the shell, of printable ASCII: nothing in it can hide or pretend.

    What cannot stand as it is, is written as bash, zsh and ksh understand it: ``$'\\u202e'``.
    """
    if text.isascii() and text.isprintable():
        if re.fullmatch(r"[\w@%+=:,./-]+", text):
            return text
        return "'" + text.replace("'", "'\\''") + "'"
    parts = []
    for character in text:
        code = ord(character)
        if character in "\\'":
            parts.append("\\" + character)
        elif character.isascii() and character.isprintable():
            parts.append(character)
        elif 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
            parts.append(f"\\x{code - 0xDC00:02x}")
        elif code < 0x80:
            parts.append({"\n": "\\n", "\t": "\\t"}.get(character) or f"\\x{code:02x}")
        else:
            parts.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return "$'" + "".join(parts) + "'"

"""Why a run cannot be reduced honestly, where it is the same for programs of all kinds."""

from __future__ import annotations

import os
import re
from pathlib import Path

from stripe.backend import End, Observation, Target
from stripe.errors import NotReducible, quoted
from stripe.kit.limits import PLAIN_OUTPUT
from stripe.sandbox.walls import Layer

DENIED, FORBIDDEN, READ_ONLY = (
    "Permission denied",
    "Operation not permitted",
    "Read-only file system",
)
"""EACCES, EPERM and EROFS, in the words of the C library."""

NAMED = re.compile(r"""['"]([^'"]+)['"]|(?:^|\s)(/[^\s:'"]+)""")
"""A file in an error message: in quotes, or with its whole path."""


def require_own_denial(plain: Observation, directory: Path, layer: Layer) -> None:
    """The plain run must not have failed for what the sandbox alone denies.

    ``directory``: where it runs, and may write.
    Its last words tell: an error of the system for a file that the user may read and write outside.

    Raises:
        NotReducible: ``denied-by-sandbox``.
    """
    lines = plain.stderr.decode("utf-8", "replace").strip().splitlines()
    if layer is Layer.NONE or plain.end is not End.EXITED or not plain.status or not lines:
        return
    if is_own_denial(lines[-1], directory, layer):
        raise denied_by_sandbox(lines[-1], layer)


def is_own_denial(error: str, directory: Path, layer: Layer) -> bool:
    """Whether an ``error``, in the words of the system, is one that the sandbox alone makes."""
    return any(
        words in error and _is_ours(words, error, directory, layer)
        for words in (DENIED, FORBIDDEN, READ_ONLY)
    )


def denied_by_sandbox(error: str, layer: Layer) -> NotReducible:
    """The error for a run that has failed by such an ``error``."""
    return NotReducible(
        "denied-by-sandbox",
        f"The run failed by what the sandbox alone denies it:{quoted(error.encode())}",
        "Here the sandbox is Landlock: no writing outside of the working directory and "
        "$TMPDIR, no sockets, no semaphores or memory shared by name (multiprocessing). "
        "With namespaces the program has all of these: stripe doctor says what forbids them."
        if layer is Layer.LANDLOCK
        else "In the sandbox root has no more rights than others: let its owner trace it, "
        "or give everybody the right.",
    )


def _is_ours(words: str, line: str, directory: Path, layer: Layer) -> bool:
    """Whether an error of the system, in the last line of a run, would not be one outside."""
    files = [directory / (name or path) for name, path in NAMED.findall(line)]
    if not files:  # of sockets, semaphores and shared memory the system names none
        return words in (DENIED, FORBIDDEN) and layer is Layer.LANDLOCK
    outside = layer is Layer.LANDLOCK and not any(each.is_relative_to(directory) for each in files)
    if words == DENIED and not outside:
        return os.geteuid() == 0 and all(map(_takes_privileges, files))
    return all(map(_may_write, files))


def _may_write(file: Path) -> bool:
    """Whether we may read and write a file, or make it."""
    return os.access(file if file.exists() else file.parent, os.R_OK | os.W_OK)


def _takes_privileges(file: Path) -> bool:
    """Whether nobody but root by its privileges may read and write a file that is there."""
    try:
        found = file.stat()
    except OSError:
        return False
    needed = 0o600 if found.st_uid == 0 else 0o006
    return found.st_mode & needed != needed


def require_end(plain: Observation, timeout: float, target: Target, layer: Layer) -> None:
    """The plain run must end by itself, within its limits, and not by what a ``layer`` denies.

    Raises:
        NotReducible: ``too-much-output``, ``process-stopped``, ``program-hangs`` or
            ``denied-by-sandbox``.
    """
    require_own_denial(plain, target.directory, layer)
    if max(len(plain.stdout), len(plain.stderr)) >= PLAIN_OUTPUT:
        raise NotReducible(
            "too-much-output",
            f"The program wrote more than {PLAIN_OUTPUT >> 20} MB.",
            "Make it write less: every replay would write as much.",
        )
    if plain.end is End.TIMEOUT and plain.detail:
        raise NotReducible(
            "process-stopped",
            f"The program was not at work when its {seconds(timeout)} were over: a process of its "
            f"run, {plain.detail}, had been stopped by a signal (SIGSTOP, SIGTSTP or the like).",
            "The program itself sent it, or a terminal did: leave out what stops itself or its "
            "parent (kill(getppid(), SIGSTOP)) when it is traced.",
        )
    if plain.end is End.TIMEOUT:
        raise NotReducible(
            "program-hangs",
            f"The program did not end within {seconds(timeout)}.",
            "Give it more time (--timeout S), or what it waits for (--input TEXT, --stdin FILE). "
            "If it is not to take so long, --check hang shows what keeps its loop going.",
        )


def nothing_to_trace(said: str = "") -> NotReducible:
    """The error for a run in which none of the user's code took part; ``said`` by the program."""
    return NotReducible(
        "nothing-to-trace",
        f"No statement of your code ran.{said}",
        "--include NAME says what else counts as your code.",
    )


def seconds(number: float) -> str:
    """A time in words."""
    return "1 second" if number == 1 else f"{number:g} seconds"

"""Why a run cannot be reduced honestly, where it is the same for programs of all kinds."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from stripe.backend import End, Observation, Probe, Target
from stripe.errors import NotReducible, UsageError, quoted
from stripe.kit.limits import PLAIN_OUTPUT
from stripe.sandbox.walls import Layer

DENIED, FORBIDDEN, READ_ONLY = (
    "Permission denied",
    "Operation not permitted",
    "Read-only file system",
)
"""EACCES, EPERM and EROFS, in the words of the C library."""

OTHER_DEVICE = "Invalid cross-device link"
"""EXDEV."""

UNKNOWN_FAMILY = "Address family not supported"
UNCERTAIN = ("a socket", "what it did")
"""How denials begin that count only if the program tells of one: to look names up asks for sockets
that nobody misses, and what nobody watched may be nothing."""

MOST = 3
"""Denials that a message names."""

NAMED = re.compile(r"""['"]([^'"]+)['"]|(?:^|\s)(/[^\s:'"]+)""")
"""A file in an error message: in quotes, or with its whole path."""


def require_own_denial(
    plain: Observation, directory: Path, layer: Layer, denied: Sequence[str]
) -> None:
    """The plain run must not have failed for what the sandbox alone denies.

    ``directory``: where it runs, and may write.  ``denied``: what the sandbox has denied, also if
    the program has caught the error.  Of what root may do outside, its last words tell: an error of
    the system for a file that the user may read and write there.

    Raises:
        NotReducible: ``denied-by-sandbox``.
    """
    if layer is Layer.NONE or (plain.end is End.EXITED and not plain.status):
        return
    lines = plain.stderr.decode("utf-8", "replace").strip().splitlines()
    last = lines[-1] if lines else ""
    told = not last or any(words in last for words in (DENIED, FORBIDDEN, UNKNOWN_FAMILY))
    ours = [each for each in denied if told or not each.startswith(UNCERTAIN)]
    if ours:
        raise denied_by_sandbox(last, layer, ours)
    if plain.end is End.EXITED and _is_privilege(last, directory):
        raise denied_by_sandbox(last, Layer.NAMESPACES)
    if layer is Layer.NAMESPACES and _is_of_overlays(last, directory):
        raise NotReducible(
            "denied-by-sandbox",
            f"The run failed by what the sandbox alone denies it:{quoted(last.encode())}",
            "There a large working directory, and all outside of it, is an overlay (overlayfs), in "
            "which no folder that was there before can be renamed. Run from a smaller directory: "
            "one of less than 64 MB and 2,000 files is copied.",
        )


def is_own_denial(error: str, directory: Path, layer: Layer) -> bool:
    """Whether an ``error``, in the words of the system, is one that the sandbox alone makes."""
    outside = layer is Layer.LANDLOCK and not any(
        file.is_relative_to(directory) for file in _named(error, directory)
    )
    return _is_privilege(error, directory, denied=outside)


def denied_by_sandbox(error: str, layer: Layer, denied: Sequence[str] = ()) -> NotReducible:
    """The error for a run that has failed by such an ``error``, or by what was ``denied``."""
    said = f" It said:{quoted(error.encode())}" if error else ""
    return NotReducible(
        "denied-by-sandbox",
        f"The run failed, and the sandbox alone had denied it {listed(denied)}.{said}"
        if denied
        else f"The run failed by what the sandbox alone denies it:{quoted(error.encode())}",
        "Here the sandbox is Landlock: only the working directory, $TMPDIR, /tmp and /dev/shm "
        "can be written, and sockets are TCP on 127.0.0.1 or have a path there. With "
        "namespaces the program has all of these: stripe doctor says what forbids them."
        if layer is Layer.LANDLOCK
        else "In the sandbox root has no more rights than others: let its owner trace it, or give "
        "everybody the right.",
    )


def listed(denied: Sequence[str]) -> str:
    """What was denied, for a message."""
    more = f" and {len(denied) - MOST} more" if len(denied) > MOST else ""
    return ", ".join(denied[:MOST]) + more


def denial_notes(denied: Sequence[str]) -> list[str]:
    """What to say where the run went on: outside it may do something else."""
    files = [each for each in denied if not each.startswith(UNCERTAIN)]
    if not files:
        return []
    return [
        f"The sandbox alone denied the program {listed(files)}; it went on, and may do something "
        "else where that is allowed (stripe doctor: the sandbox)."
    ]


def _named(line: str, directory: Path) -> list[Path]:
    """The files that an error of the system names."""
    return [directory / (name or path) for name, path in NAMED.findall(line)]


def _is_of_overlays(line: str, directory: Path) -> bool:
    """Whether an error tells of two file systems that are one outside."""
    if OTHER_DEVICE not in line:
        return False
    try:
        devices = {os.lstat(file.parent).st_dev for file in _named(line, directory)}
    except OSError:
        return False
    return len(devices) <= 1


def _is_privilege(line: str, directory: Path, *, denied: bool = False) -> bool:
    """Whether an error of the system, in a line that a run printed, would not be one outside.

    ``denied``: the sandbox denies what it names also to those who have the right.
    """
    if not any(words in line for words in (DENIED, FORBIDDEN, READ_ONLY)):
        return False
    files = _named(line, directory)
    if DENIED in line and not denied:
        return bool(files) and os.geteuid() == 0 and all(map(_takes_privileges, files))
    return bool(files) and all(map(_may_write, files))


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


def require_end(
    plain: Observation, timeout: float, target: Target, layer: Layer, denied: Sequence[str]
) -> None:
    """The plain run must end by itself, within its limits, and not by what a ``layer`` denies.

    ``denied``: see `require_own_denial`.

    Raises:
        NotReducible: ``too-much-output``, ``process-stopped``, ``program-hangs`` or
            ``denied-by-sandbox``.
    """
    require_own_denial(plain, target.directory, layer, denied)
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


def require_plain_names(probes: Sequence[Probe]) -> None:
    """Refuse variables that are named as in other languages.

    Raises:
        UsageError: ``bad-check``.
    """
    for probe in probes:
        if not probe.name.isidentifier():
            raise UsageError(
                "bad-check",
                f"Programs of this kind have no variable {probe.name!r}.",
                f"Name it without what stands before: var:{probe.name.lstrip('$@%:')}@{probe.file}",
            )


def seconds(number: float) -> str:
    """A time in words."""
    return "1 second" if number == 1 else f"{number:g} seconds"

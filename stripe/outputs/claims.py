"""Before anything is run: no output is a place that is read, or another output, or somebody's."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path

from stripe.errors import UsageError
from stripe.outputs.output import Output
from stripe.outputs.places import Key, descriptor, keys, keys_of_descriptor, numbered

type Reads = Iterable[tuple[str, str | Path | int]]
"""What is read: in words (``the program``), and its path, or the number of an open file."""

ANOTHER = "Give another file, or - for standard output."


def claim(outputs: Sequence[Output], reads: Reads, *, force: bool = False) -> list[str]:
    """Make sure that ``outputs`` can be written and harm nothing; notes on names that were changed.

    What exists and was not written by us is kept: an output that was named is refused then, unless
    ``force``; one that was not gets a number.  What is read is kept in any case.

    Raises:
        UsageError: ``cannot-write``, ``output-is-input``, ``outputs-collide``, ``output-exists``.
    """
    read: dict[Key, str] = {}
    for what, place in reads:
        for key in keys_of_descriptor(place) if isinstance(place, int) else keys(place):
            read.setdefault(key, what)
    claimed: dict[Key, str] = {}
    # Where the report goes, whether or not an option says so.
    report = keys_of_descriptor(1)
    _must_not_be_read("Standard output", report, read)
    standard = [each for each in outputs if each.standard]
    if len(standard) > 1:
        raise _collision(standard[1], standard[0].option)
    for output in outputs:
        output.avoid = frozenset(read)
        if not output.chosen:
            _claim_named(output, read, claimed, report, force=force)
    return _choose([each for each in outputs if each.chosen], read, claimed)


def _claim_named(
    output: Output,
    read: dict[Key, str],
    claimed: dict[Key, str],
    report: frozenset[Key],
    *,
    force: bool,
) -> None:
    _check_writable(output.target)
    mine = keys(output.target)
    _must_not_be_read(f"{output.option} {output.target}", mine, read)
    if not output.standard and mine & report:
        raise _collision(output, "standard output")
    for key in mine:
        if key in claimed:
            raise _collision(output, claimed[key])
    claimed.update(dict.fromkeys(mine, output.option))
    if output.foreign() and not force:
        raise UsageError(
            "output-exists",
            f"{output.option} names {output.target!r}, which is there already, and is not what "
            "stripe wrote there (or was changed since): it is kept.",
            "Give another name, or replace it with --force.",
        )
    output.accept()


def _choose(outputs: Sequence[Output], read: dict[Key, str], claimed: dict[Key, str]) -> list[str]:
    """Find free names for outputs that nobody named, the same number for all."""
    names = [output.target for output in outputs]
    if not names:
        return []
    for number in count(1):
        for output, name in zip(outputs, names, strict=True):
            output.target = name if number == 1 else str(numbered(Path(name), number))
        if all(_is_free(output, read, claimed) for output in outputs):
            break
    notes = []
    for output, name in zip(outputs, names, strict=True):
        _check_writable(output.target)
        output.accept()
        if output.target != name:
            notes.append(f"{name!r} is there already and is kept: the answer is {output.target!r}.")
    return notes


def _is_free(output: Output, read: dict[Key, str], claimed: dict[Key, str]) -> bool:
    name = output.target
    if any(key in read or key in claimed for key in keys(name)):
        return False
    leads_nowhere = os.path.islink(name) and not os.path.exists(name)
    return output.is_file and not leads_nowhere and not output.foreign()


def _must_not_be_read(what: str, mine: frozenset[Key], read: dict[Key, str]) -> None:
    for key in mine:
        if key in read:
            raise UsageError(
                "output-is-input",
                f"{what} would overwrite {read[key]}, which is read.",
                f"{ANOTHER} What is read is kept, also with --force.",
            )


def _collision(output: Output, other: str) -> UsageError:
    return UsageError(
        "outputs-collide",
        f"{output.option} {output.target} and {other} are the same place: one would overwrite the "
        "other.",
        "Give each its own file; only one output can go to standard output.",
    )


def _is_open(number: int) -> bool:
    try:
        return fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
    except OSError:
        return False


def _check_writable(target: str) -> None:
    """Refuse a target that cannot be written, before hours are spent on the result.

    Raises:
        UsageError: ``cannot-write``.
    """
    number = descriptor(target)
    if number is not None:
        if not _is_open(number):
            raise UsageError("cannot-write", f"Nothing is open for writing as {target!r}.", ANOTHER)
        return
    path = Path(os.path.realpath(target))
    folder = path.parent
    mode = path.stat().st_mode if path.exists() else 0
    if stat.S_ISDIR(mode):
        reason = "it is a directory"
    elif stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        reason = "it is a disk, or a socket"
    elif mode and not os.access(path, os.W_OK):
        reason = "it may not be written"
    elif not folder.is_dir():
        named = Path(target).parent if not os.path.islink(target) else folder
        reason = f"there is no directory {str(named)!r}"
    elif (not mode or stat.S_ISREG(mode)) and not os.access(folder, os.W_OK | os.X_OK):
        reason = f"nothing may be written in {str(folder)!r}"
    else:
        return
    raise UsageError("cannot-write", f"The file {target!r} cannot be written: {reason}.", ANOTHER)

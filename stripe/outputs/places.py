"""Which place a path names: two names of one file, pipe or device share a key."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

type Key = tuple[object, ...]

DASH = "-"
"""Standard output, or input, on a command line."""

_STANDARD = {DASH: 1, "/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")


def descriptor(target: str) -> int | None:
    """The open file that an output called ``target`` goes to, if it names one (``/dev/fd/3``)."""
    if target in _STANDARD:
        return _STANDARD[target]
    match = _DESCRIPTOR.fullmatch(target)
    return int(match[1]) if match else None


def keys(target: str | Path) -> frozenset[Key]:
    """What ``target`` is known by: its path without links, and device and inode numbers.

    The null device has no keys, as what is written there is nobody's.
    """
    number = descriptor(str(target))
    if number is not None:
        return keys_of_descriptor(number)
    path = frozenset({("path", os.path.realpath(target))})
    try:
        status = os.stat(target)
    except OSError:
        return path
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        if status.st_rdev == os.stat(os.devnull).st_rdev:
            return frozenset()
        return path | {("device", stat.S_IFMT(status.st_mode), status.st_rdev)}
    return path | {("inode", status.st_dev, status.st_ino)}


def keys_of_descriptor(number: int) -> frozenset[Key]:
    """The same of an open file.  A terminal or socket may be read and written, and has none."""
    try:
        status = os.fstat(number)
    except OSError:
        return frozenset()
    if stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode):
        return frozenset({("inode", status.st_dev, status.st_ino)})
    return frozenset()


def numbered(path: Path, number: int) -> Path:
    """``s.reduced.txt`` with the number 2: ``s.reduced-2.txt``."""
    return path.with_name(f"{path.stem}-{number}{path.suffix}")

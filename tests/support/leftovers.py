"""Checks that a test leaves no process and no temporary file behind.

For tests that run programs: they get a temporary folder of their own, and none of the
environment variables that change how Python runs.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def nothing_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have temporary files made in ``folder``; what was made there must be gone at the end.

    The folder is the test's own, for tests that run at the same time share the usual one.
    """
    folder.mkdir()
    for name in os.environ:
        if name.startswith("PYTHON"):  # changes what programs do
            monkeypatch.delenv(name)
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = processes(folder)
    yield
    assert sorted(path.name for path in folder.iterdir()) == []
    assert processes(folder) - before == set()


def processes(folder: Path) -> set[str]:
    """The children of this process, and what works in ``folder``, by number and command."""
    me, place = os.getpid(), str(folder)
    found = set()
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            inside = os.readlink(f"/proc/{number}/cwd").startswith(place)
            status = told(number, "stat").rpartition(b")")[2].split(None, 2)
            if inside or int(status[1]) == me:
                found.add(f"{number} {told(number, 'cmdline').replace(b'\0', b' ').decode()}")
        except OSError:
            continue  # it has ended, or is not ours
    return found


def told(number: str, name: str) -> bytes:
    """What the kernel tells of a process: hundreds are asked for, so without a stream for each."""
    descriptor = os.open(f"/proc/{number}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)

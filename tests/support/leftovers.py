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
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            child = int(status[1]) == me
            inside = os.readlink(entry / "cwd").startswith(place)
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue  # it has ended, or is not ours
        if child or inside:
            found.add(f"{entry.name} {command}")
    return found

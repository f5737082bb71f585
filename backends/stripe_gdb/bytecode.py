"""Bytecode of what runs inside gdb.

Its Python is seldom ours, and what it compiles itself behind walls is gone with them: it would
compile all of our engine at every start.  So a gdb that runs no program compiles it once, into a
folder of our cache.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from stripe.kit.caches import caches
from stripe.sandbox.scratch import Scratch

INSIDE = Path(__file__).parent / "inside"
SECONDS = 60.0
SIZES = "sizes.json"
KEPT = 4
"""Folders of bytecode, for other gdbs and other versions of our engine; the latest used ones."""

STANDARD = (
    *("array", "binascii", "bisect", "collections", "contextlib", "ctypes", "hashlib", "json"),
    *("marshal", "math", "os", "queue", "re", "resource", "select", "signal", "struct"),
    *("threading", "time"),
)
"""What our modules import: the bytecode of these is where the library has it."""


def loading(module: str, folder: Path | None) -> Iterator[str]:
    """Lines for gdb's Python that import one of our modules, as ``engine``."""
    yield "import sys"
    yield "sys.dont_write_bytecode = True"
    yield f"sys.path.insert(0, {str(INSIDE.parent)!r})"
    if folder is not None:
        yield f"import {', '.join(STANDARD)}"
        yield f"sys.pycache_prefix = {str(folder)!r}"
    yield f"from inside import {module} as engine"
    yield "sys.pycache_prefix = None"


def environment() -> dict[str, str]:
    """Ours, without what would lead the Python inside gdb astray."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "DEBUGINFOD_"))
    }


@functools.cache
def compiled(gdb: str) -> Path | None:
    """The folder with the bytecode for a gdb, made if need be; None where that cannot be."""
    with suppress(OSError, RuntimeError, subprocess.SubprocessError):
        facts = [
            (str(each), each.stat().st_size, each.stat().st_mtime_ns)
            for each in (Path(os.path.realpath(gdb)), *sorted(INSIDE.glob("*.py")))
        ]
        folder = caches() / "gdb" / hashlib.sha256(repr(facts).encode()).hexdigest()[:20]
        if not _is_whole(folder):
            shutil.rmtree(folder, ignore_errors=True)  # else gdb would fail for good
            _compile(gdb, folder)
            _remove_old(folder)
        with suppress(OSError):
            os.utime(folder)  # it is in use
        return folder
    return None


def _compile(gdb: str, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with closing(Scratch(str(folder.parent))) as scratch:
        made = scratch.path / "made"
        made.mkdir()
        files = [str(each) for each in sorted(INSIDE.glob("*.py"))]
        # Below the directory it works in: where that was removed, as this process was killed,
        # nothing can be made in it.  By its path it would be made again, and stay.
        lines = "import py_compile, sys; sys.pycache_prefix = '.'; "
        lines += f"[py_compile.compile(each) for each in {files!r}]"
        subprocess.run(
            [gdb, "--nx", "--quiet", "--batch", "-ex", f"python {lines}"],
            cwd=made,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
        (made / SIZES).write_text(json.dumps(_sizes(made)))
        with suppress(OSError):  # somebody else was faster
            made.rename(folder)


def _sizes(folder: Path) -> dict[str, int]:
    """The sizes of all bytecode in a folder, by path there."""
    return {str(each.relative_to(folder)): each.stat().st_size for each in folder.rglob("*.pyc")}


def _is_whole(folder: Path) -> bool:
    """Whether all is there that was compiled, and none of it was cut since."""
    try:
        return bool(_sizes(folder) == json.loads((folder / SIZES).read_text()))
    except (OSError, ValueError):
        return False


def _remove_old(new: Path) -> None:
    """Remove what was not used for longest: who is about to load it compiles it there."""
    others = [each for each in new.parent.iterdir() if len(each.name) == len(new.name)]
    others.sort(key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for each in [each for each in others if each != new][KEPT - 1 :]:
        shutil.rmtree(each, ignore_errors=True)

"""Bytecode of what we run behind walls.

Python keeps what it has compiled beside the source, but nothing that is written behind walls stays:
there it would compile all of it at every start, which takes longer than most programs.
"""

from __future__ import annotations

import functools
import os
import sys
from contextlib import suppress
from pathlib import Path


@functools.cache
def keep_bytecode(folder: Path) -> None:
    """Compile the modules in ``folder`` whose bytecode is missing or older than they are.

    For the Python that runs us, as if it had imported them: that of other versions would stay
    behind when the package is uninstalled.
    """
    if sys.dont_write_bytecode or sys.pycache_prefix or not os.access(folder, os.W_OK):
        return
    for path in folder.glob("*.py"):
        kept = folder / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.pyc"
        with suppress(OSError):
            if not kept.exists() or kept.stat().st_mtime < path.stat().st_mtime:
                _compile(path, kept)


def _compile(path: Path, kept: Path) -> None:
    import py_compile

    with suppress(py_compile.PyCompileError):
        py_compile.compile(str(path), str(kept), doraise=True)

"""Bytecode of what we run behind walls.

Python keeps what it has compiled beside the source, but nothing that is written behind walls stays:
there it would compile all of it at every start, which takes longer than most programs.
"""

from __future__ import annotations

import functools
import math
import os
import sys
from contextlib import suppress
from pathlib import Path


@functools.cache
def keep_bytecode(folder: Path) -> None:
    """Compile the modules in ``folder``, and below, whose bytecode is missing or older than they.

    For the Python that runs us, as if it had imported them: that of other versions would stay
    behind when the package is uninstalled.
    """
    if sys.dont_write_bytecode or sys.pycache_prefix or not os.access(folder, os.W_OK):
        return
    ending = f".{sys.implementation.cache_tag}.pyc"
    made = _times(f"{folder}/__pycache__", ending)
    for name, changed in _times(str(folder), ".py").items():
        if made.get(name, -math.inf) < changed:
            with suppress(OSError):
                _compile(folder / f"{name}.py", folder / "__pycache__" / f"{name}{ending}")
    for each in os.scandir(folder):
        if each.is_dir() and each.name != "__pycache__":
            keep_bytecode(folder / each.name)


def _times(folder: str, ending: str) -> dict[str, float]:
    """When the files of a folder were changed, by their names without an ``ending`` they have.

    They are 200, and looked at in every start: by paths it took a sixth of the host's time.
    """
    found = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for each in entries:
            if each.name.endswith(ending):
                with suppress(OSError):
                    found[each.name.removesuffix(ending)] = each.stat().st_mtime
    return found


def _compile(path: Path, kept: Path) -> None:
    import py_compile

    with suppress(py_compile.PyCompileError):
        py_compile.compile(str(path), str(kept), doraise=True)

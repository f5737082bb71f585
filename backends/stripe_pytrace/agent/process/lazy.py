"""Modules of the library that only some jobs need, as the program does not come to see them.

What all jobs need is imported as the agent begins, and forgotten by boot.py.  The first one to ask
here has to do so before the program's folder is on the path: it may have modules of these names.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from types import ModuleType

_KEPT: dict[str, ModuleType] = {}


def imported(name: str) -> ModuleType:
    """A module; of what is imported for it, nothing stays where others find it."""
    if name not in _KEPT:
        before = set(sys.modules)
        __import__(name)
        _KEPT[name] = sys.modules[name]
        for each in set(sys.modules) - before:
            del sys.modules[each]
    return _KEPT[name]

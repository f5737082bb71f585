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


class HiddenImports:
    """A block whose imports the program does not come to see: no modules, no finders of folders.

    ``with HiddenImports() as modules``: what was imported, by name, when it is over.
    """

    def __enter__(self) -> dict[str, ModuleType]:
        self._before = set(sys.modules), set(sys.path_importer_cache)
        self._imported: dict[str, ModuleType] = {}
        return self._imported

    def __exit__(self, *raised: object) -> None:
        modules, finders = self._before
        for name in set(sys.modules) - modules:
            self._imported[name] = sys.modules.pop(name)
        for path in set(sys.path_importer_cache) - finders:
            del sys.path_importer_cache[path]


def imported(name: str) -> ModuleType:
    """A module; of what is imported for it, nothing stays where others find it."""
    if name not in _KEPT:
        with HiddenImports():
            __import__(name)
            _KEPT[name] = sys.modules[name]
    return _KEPT[name]

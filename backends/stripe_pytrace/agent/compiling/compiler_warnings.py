"""What the compiler warns of, caught where the program does not come to see it."""

from __future__ import annotations

import sys
import warnings

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any


class CompilerWarnings:
    """Catches warnings: ``with CompilerWarnings() as caught``, a list of them.

    The compiler looks for ``warnings`` among the program's modules.  Ours stands there only in the
    meantime: the program finds those modules that it has without us, and imports its own.  The list
    of filters stays the same object, for the interpreter goes on with the last one that it found.
    """

    def __enter__(self) -> list[Any]:
        self._theirs = sys.modules.get("warnings")
        sys.modules["warnings"] = warnings
        self._filters: Any = warnings.filters
        self._before = warnings.filters[:]
        self._catching = warnings.catch_warnings(record=True, module=warnings)
        caught = self._catching.__enter__()
        warnings.filters = self._filters
        warnings.simplefilter("always")
        assert caught is not None
        return caught

    def __exit__(self, *raised: Any) -> None:
        self._filters[:] = self._before
        self._catching.__exit__(*raised)
        if self._theirs is None:
            del sys.modules["warnings"]
        else:
            sys.modules["warnings"] = self._theirs

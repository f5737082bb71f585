"""What is no version of a program, and need not be tested."""

from __future__ import annotations

import ast
import warnings

from stripe.changes.snapshots import Tree
from stripe.changes.universe import Universe

PYTHON = (".py", ".pyi", ".pyw")


class Validity:
    """Whether what can be parsed in both versions can be parsed in others, too.

    It is Python's own parser, of the version that runs STRIPE: it is not asked about a file that it
    cannot parse in one of the two versions.
    """

    def __init__(self, universe: Universe) -> None:
        self._known: dict[bytes, bool] = {}
        self._unasked = {
            path
            for chosen in ((), universe.deltas)
            for path, (_, content) in universe.changed(chosen).items()
            if path.endswith(PYTHON) and not self._parses(content)
        }

    def holds(self, tree: Tree) -> bool:
        """Whether all files can be parsed that should be."""
        return all(
            not path.endswith(PYTHON) or path in self._unasked or self._parses(content)
            for path, (_, content) in tree.items()
        )

    def _parses(self, content: bytes) -> bool:
        if content not in self._known:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ast.parse(content)
                self._known[content] = True
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._known[content] = False
        return self._known[content]

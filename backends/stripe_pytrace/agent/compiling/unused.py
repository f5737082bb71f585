"""A file in which nothing was recorded: as it is written, but its functions are tracked.

To instrument a file takes five times as long as to compile it, and a test uses few files of those
that its project has loaded before it begins.  What starts in the others in a replay is what the
recorded run did not call, which is told by its being tracked.
"""

from __future__ import annotations

import _ast as ast
from types import CodeType

from .annotations import NAME, are_deferred, evaluated
from .compiler_warnings import CompilerWarnings
from .dialects import Placeholder
from .instrument import Instrumenter, set_aside
from .linker import link
from .trees import at, const, parse
from .versions import HERE, as_lazy

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
BLOCKS = "body", "handlers", "cases", "orelse", "finalbody"


class UnusedFile(Instrumenter):
    """Has no sites.  Classes get the hashes that they had when they were recorded."""

    def compile(self, source: bytes, filename: str, plain: CodeType) -> CodeType:
        with CompilerWarnings():
            tree = parse(source, filename)
        self._deferred = are_deferred(tree)
        self._enter_function("<module>", 0, -1)
        self._define(tree.body)
        self._annotate(tree, 0)
        if self.aside:
            tree.body = set_aside(tree.body)
        with CompilerWarnings():
            code: CodeType = compile(tree, filename, "exec", dont_inherit=True)
        if HERE.laziness:
            code = as_lazy(code, plain)
        return link(code, self.dialect.constants, self._function_object)

    def _define(self, body: list[Any]) -> None:
        """Number the functions and classes in a block, in any order; no import is called lazy."""
        for tree in body:
            if isinstance(tree, (ast.Import, ast.ImportFrom)):
                tree.is_lazy = 0  # type: ignore[union-attr]  # see as_lazy
            if not isinstance(tree, DEFINITIONS):
                for block in BLOCKS:
                    self._define(getattr(tree, block, []))
                continue
            outside, is_class = self._outside, isinstance(tree, ast.ClassDef)
            first: Any = tree.decorator_list[0] if tree.decorator_list else tree
            self._annotate(tree, first.lineno)
            self._outside = outside and is_class
            self._enter_function(tree.name, first.lineno, -1)
            self._define(tree.body)
            self._outside = outside
            if is_class and Placeholder.NUMBERED in self.dialect.constants:
                tree.decorator_list.insert(0, at(first, const(Placeholder.NUMBERED)))

    def _annotate(self, tree: Any, line: int) -> None:
        """Number the function of annotations that are evaluated late."""
        if self._deferred and (held := evaluated(tree)):
            number = self._number_function(NAME, line, -1)
            values = (getattr(*each) for each in held if not self._outside)
            self.annotating |= {(each.lineno, each.col_offset): number for each in values}

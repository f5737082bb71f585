"""Generators whose code tells itself that they are resumed, and which of them it is.

The interpreter says of which code a generator is that is resumed; to find out which of several,
one has to ask for its frame, which takes longer than all else.  So code tells it, by something that
lies on the stack of the generator itself while that is suspended: it is an argument of a call, of
which another one is the ``yield``.  No other generator has it, in whatever order they are resumed,
left, or collected.

It is how long the log was at that statement, after which nothing was noted before: who ran then is
resumed now.  All that is called is in C.

Where ``yield from`` or ``await`` stands in it as well, a generator is heard of by events as before.
"""

from __future__ import annotations

import _ast as ast

from .runs import SCOPES
from .sites import BACK
from .trees import at, children, const, fields

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

Block = list[ast.stmt]
PLAIN = (ast.Expr, ast.Assign, ast.Return)
"""Statements in which nothing is noted before a ``yield`` that is all of their value."""


class Yields:
    """The ``yield`` of a generator: each with what it stands in, and how to replace it there."""

    def __init__(self, body: Block) -> None:
        self.found: list[tuple[Any, str, int | None, ast.Yield]] = []
        self.others = False
        """Whether it is suspended by others, too."""
        pending: list[ast.AST] = list(body)
        while pending:
            node = pending.pop()
            without = "body" if isinstance(node, SCOPES) else ""
            self.others = self.others or isinstance(node, (ast.YieldFrom, ast.Await))
            for name, value in fields(node):
                if name == without:
                    continue
                if isinstance(value, ast.Yield):
                    self.found.append((node, name, None, value))
                elif isinstance(value, list):
                    self.found += [
                        (node, name, index, each)
                        for index, each in enumerate(value)
                        if isinstance(each, ast.Yield)
                    ]
            pending += children(node, without)

    def replace(self, which: tuple[Any, str, int | None, ast.Yield], new: ast.expr) -> None:
        parent, name, index, tree = which
        new = at(tree, new)
        if index is None:
            setattr(parent, name, new)
        else:
            getattr(parent, name)[index] = new


def resumed(body: Block, now: complex) -> list[ast.AST] | None:
    """Have a generator note that it is resumed; the statements at which it does, if it can.

    ``now.back(now.size() + BACK, True, <yield>)``.  Where its value matters, it is kept until
    that is noted, for what notes returns nothing, and must not look at the value.
    """
    yields = Yields(body)
    if yields.others or not all(isinstance(parent, PLAIN) for parent, *_ in yields.found):
        return None
    for each in yields.found:
        parent, _, _, tree = each
        place = ast.BinOp(_now(now, "size"), ast.Add(), const(BACK))
        if isinstance(parent, ast.Expr):
            yields.replace(each, _now(now, "back", place, const(True), tree))
            continue
        noted = _now(now, "back", place, const(True), _now(now, "keep", tree))
        both = ast.Tuple([noted, _now(now, "kept")], ast.Load())
        yields.replace(each, ast.Subscript(both, const(1), ast.Load()))
    return [parent for parent, *_ in yields.found]


def _now(now: complex, what: str, *arguments: ast.expr) -> ast.Call:
    function = ast.Attribute(const(now), what, ast.Load())
    return ast.Call(function, list(arguments), [])

"""Where a round of a ``for`` ends: control goes back to the header there, for the next item."""

from __future__ import annotations

import _ast as ast

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

Block = list[ast.stmt]
LOOPS = (ast.For, ast.AsyncFor, ast.While)
OTHERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def end_rounds(body: Block, noted: Callable[[ast.stmt], Block]) -> bool:
    """Put what ``noted`` makes wherever a round of the loop ends; whether that can be.

    Where ``continue`` leaves a ``finally`` or a ``with``, control does something else before.
    """
    found = list(_continues(body, guarded=False))
    if any(guarded for _, guarded in found):
        return False
    for block, _ in found:
        at = next(n for n, each in enumerate(block) if isinstance(each, ast.Continue))
        block[at:at] = noted(block[at])
    body += noted(body[-1])  # is left out by the compiler where control does not come to it
    return True


def _continues(block: Block, guarded: bool) -> Iterator[tuple[Block, bool]]:
    """The blocks with a ``continue`` of this loop, and whether more is done before it goes on."""
    for tree in block:
        if isinstance(tree, ast.Continue):
            yield block, guarded
            break  # what comes after is never reached
        if isinstance(tree, OTHERS):
            continue
        if isinstance(tree, LOOPS):
            yield from _continues(tree.orelse, guarded)
            continue
        part: Any = tree
        within = guarded or bool(getattr(part, "finalbody", ()))
        within = within or isinstance(tree, (ast.With, ast.AsyncWith))
        parts = [part, *getattr(part, "handlers", ()), *getattr(part, "cases", ())]
        for each in parts:
            yield from _continues(getattr(each, "body", []), within)
        yield from _continues(getattr(part, "orelse", []), within)
        yield from _continues(getattr(part, "finalbody", []), within)

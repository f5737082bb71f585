"""Python programs as text: whether they are valid, and how a tree is written."""

from __future__ import annotations

import ast
import warnings
from typing import Final

INVALID: Final = b"("
"""Stands for programs that cannot even be written."""


def compiles(source: bytes) -> bool:
    """Whether the program is valid for the Python that runs this."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def written(tree: ast.Module) -> bytes | None:
    """Return the text of a tree, without blank lines; None for a tree that is no program."""
    try:
        text = ast.unparse(tree) + "\n" if tree.body else ""
        dense = "".join(f"{line}\n" for line in text.split("\n") if line.strip())
        if dense != text and not _same(dense, text):
            dense = text  # blank lines in a string
        return dense.encode()
    except Exception:  # whatever is wrong with it
        return None


def _same(one: str, other: str) -> bool:
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))

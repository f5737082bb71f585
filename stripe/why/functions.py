"""The function that a line of Python is in, by its qualified name, such as ``Basket.add``."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

MODULE = "<module>"


def parsed(text: str | bytes) -> ast.Module | None:
    """The tree of a text, without a word on what Python warns of; ``None``: it is no Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return None


def function_at(text: str, line: int) -> str:
    """The innermost function around a line, or ``<module>``; empty: the text is no Python."""
    spans = _spans(text)
    if spans is None:
        return ""
    around = [each for each in spans if each[0] <= line <= each[1]]
    return max(around)[2] if around else MODULE


@lru_cache(maxsize=64)
def _spans(text: str) -> list[tuple[int, int, str]] | None:
    """The first line, the last line, and the name of each function."""
    tree = parsed(text)
    if tree is None:
        return None
    found: list[tuple[int, int, str]] = []
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, within = waiting.pop()
        for child in ast.iter_child_nodes(node):
            name = within
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{within}.{child.name}" if within else child.name
                if not isinstance(child, ast.ClassDef):
                    found.append((child.lineno, child.end_lineno or child.lineno, name))
            waiting.append((child, name))
    return found

"""Every sentence that an answer can have is told in a test, with what it was told of."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEAKING = [
    *sorted({*(ROOT / "stripe/why").glob("*.py")} - {ROOT / "stripe/why/execution.py"}),
    ROOT / "stripe/report/why.py",
]
"""What an answer's sentences are made by; those of an execution are the assistants' (tests/mcp)."""

TESTS = [
    *(ROOT / "tests/why").glob("test_*.py"),
    ROOT / "tests/report/test_why.py",
    ROOT / "tests/e2e/test_why.py",
]
FEWEST_WORDS = 3

READ = {"Traceback (most recent call last):"}
"""What is looked for, and not told."""


def is_aside(node: ast.AST) -> bool:
    """Docstrings, regular expressions, errors, which have their slugs, and words of progress."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", "")
        return name in ("compile", "doing", "tell", "refuse", "start_phase")
    return isinstance(node, ast.Raise | ast.Assert)


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The longest constant part of each text that is no docstring and has some words."""
    tree = ast.parse(path.read_text())
    skipped = {id(part) for each in ast.walk(tree) if is_aside(each) for part in ast.walk(each)}
    for each in ast.walk(tree):
        if isinstance(each, ast.JoinedStr):
            skipped |= {id(part) for part in ast.walk(each) if part is not each}
    for each in ast.walk(tree):
        parts: list[str] = []
        if id(each) in skipped or not isinstance(each, ast.expr):
            continue
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            parts = [each.value]
        elif isinstance(each, ast.JoinedStr):
            values = [part.value for part in each.values if isinstance(part, ast.Constant)]
            parts = [part for part in values if isinstance(part, str)]
        longest = max(parts, key=len, default="").strip()
        if len(longest.split()) >= FEWEST_WORDS and longest not in READ:
            yield each.lineno, longest


def joined(path: Path) -> str:
    """The texts of a test, each as if it stood in one line."""
    tree = ast.parse(path.read_text())
    found = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
    return "\n".join(each for each in found if isinstance(each, str))


@pytest.mark.parametrize("path", SPEAKING, ids=lambda path: path.stem)
def test_every_sentence_is_told_in_a_test(path: Path) -> None:
    told = "\n".join(joined(each) for each in TESTS if each.exists())
    assert [each for each in sentences(path) if each[1] not in told] == []

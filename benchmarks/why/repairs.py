"""The lines that repair a test: of the differences of two releases, those that it takes.

Differences are grouped by the function or the statement of the module that they are in.  Delta
debugging keeps a 1-minimal set of groups with which the test passes, then of single hunks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

type Texts = Mapping[str, str]
"""Files of a package's code, by their paths."""

MOST_RUNS = 36
"""Runs of a test for one repair."""

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Undecided(Exception):
    """No repair was found within :data:`MOST_RUNS`."""


@dataclass(frozen=True)
class Hunk:
    """Lines ``first`` to ``last`` (from 0, without the last) of a bad file, and the good ones.

    ``unit``: the function around it, else the statement of the module.
    """

    file: str
    first: int
    last: int
    lines: tuple[str, ...]
    unit: str

    @property
    def size(self) -> int:
        return self.last - self.first + len(self.lines)


@dataclass(frozen=True)
class Fix:
    """What a repair changes in one place of the bad release; ``function`` is empty in a module.

    ``lines``: those that it changes or deletes, or the one after which it inserts.
    """

    file: str
    lines: tuple[int, ...]
    function: str


def hunks(bad: Texts, good: Texts) -> list[Hunk]:
    """All differences of files that both have, and of those that the bad one has not."""
    found = []
    for file in sorted(good):
        before, after = bad.get(file, ""), good[file]
        if before == after:
            continue
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
        names = _units(before)
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        for kind, first, last, begin, end in codes:
            if kind != "equal":
                unit = names.get(first + 1) or names.get(first) or f"line {first}"
                found.append(Hunk(file, first, last, tuple(new[begin:end]), f"{file} {unit}"))
    return found


def applied(bad: Texts, chosen: Sequence[Hunk]) -> dict[str, str]:
    """The bad files with some hunks in their places."""
    texts = dict(bad)
    for file in {each.file for each in chosen}:
        lines = texts.get(file, "").splitlines(keepends=True)
        for each in sorted((hunk for hunk in chosen if hunk.file == file), key=_backwards):
            lines[each.first : each.last] = each.lines
        texts[file] = "".join(lines)
    return texts


def repair(all_hunks: Sequence[Hunk], passes: Callable[[Sequence[Hunk]], bool]) -> list[Hunk]:
    """A 1-minimal set of hunks with which a test passes, by ddmin.  Raises Undecided."""
    left = MOST_RUNS

    def tried(chosen: Sequence[Hunk]) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise Undecided
        return passes(chosen)

    groups: dict[str, list[Hunk]] = {}
    for hunk in all_hunks:
        groups.setdefault(hunk.unit, []).append(hunk)
    kept = _minimal(
        list(groups.values()), lambda some: tried([each for one in some for each in one])
    )
    return _minimal([hunk for group in kept for hunk in group], tried)


def fixes(bad: Texts, chosen: Sequence[Hunk]) -> list[Fix]:
    """The places of a repair, without imports and new definitions, to which nothing leads."""
    every = [(hunk, _place(bad.get(hunk.file, ""), hunk)) for hunk in chosen]
    return [fix for hunk, fix in every if not _is_support(hunk, fix)]


def _minimal[T](items: list[T], passes: Callable[[list[T]], bool]) -> list[T]:
    parts = 2
    while len(items) > 1:
        size = max(1, len(items) // parts)
        pieces = [items[at : at + size] for at in range(0, len(items), size)]
        for piece in pieces:
            if len(pieces) > 2 and len(piece) == len(items):
                continue
            if passes(piece):
                items, parts = piece, 2
                break
        else:
            for piece in pieces if len(pieces) > 2 else ():
                rest = [each for each in items if each not in piece]
                if passes(rest):
                    items, parts = rest, max(parts - 1, 2)
                    break
            else:
                if size == 1:
                    return items
                parts = min(2 * parts, len(items))
    return items


def _backwards(hunk: Hunk) -> tuple[int, int]:
    return -hunk.first, -hunk.last


def _place(text: str, hunk: Hunk) -> Fix:
    lines = text.splitlines()
    if hunk.last > hunk.first:
        numbers = range(hunk.first + 1, hunk.last + 1)
        code = [each for each in numbers if _is_code(lines[each - 1])]
        chosen = code or list(numbers)
    else:
        before = [each for each in range(1, hunk.first + 1) if _is_code(lines[each - 1])]
        chosen = before[-1:] or [1]
    indents = [len(line) - len(line.lstrip()) for line in hunk.lines if line.strip()]
    deepest = indents[0] if indents and hunk.last == hunk.first else None
    return Fix(hunk.file, tuple(chosen), function_at(text, chosen[0], deepest))


def function_at(text: str, line: int, indent: int | None = None) -> str:
    """The qualified name of the innermost function around a line; empty in a module.

    ``indent``: of what is inserted after the line: it may be outside the function that ends there.
    """
    return next(iter(reversed(list(_around(ast.parse(text), line, indent, "")))), "")


def _around(node: ast.AST, line: int, indent: int | None, name: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        inner = name
        if isinstance(child, (*DEFINITIONS, ast.ClassDef)):
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            if not first <= line <= (child.end_lineno or 0):
                continue
            if indent is not None and line == child.end_lineno and indent <= child.col_offset:
                continue
            inner = f"{name}.{child.name}".lstrip(".")
            if isinstance(child, DEFINITIONS):
                yield inner
        yield from _around(child, line, indent, inner)


def _units(text: str) -> dict[int, str]:
    """For each line the name of what it is in: a function or class, else a statement."""
    names: dict[int, str] = {}

    def name(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                own = getattr(child, "name", None)
                here = f"{prefix}.{own or f'line {child.lineno}'}"
                decorators = getattr(child, "decorator_list", ())
                first = min([child.lineno, *(each.lineno for each in decorators)])
                for line in range(first, (child.end_lineno or child.lineno) + 1):
                    names[line] = here
                if isinstance(child, ast.ClassDef):
                    name(child, here)

    try:
        name(ast.parse(text), "")
    except SyntaxError:
        return {}
    return names


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.strip().startswith("#")


def _is_support(hunk: Hunk, fix: Fix) -> bool:
    """Whether a hunk only imports something or defines something new for other ones."""
    if fix.function:
        return False
    words = ("import ", "from ", "def ", "class ", "@", "async def ")
    first = next((line.strip() for line in hunk.lines if _is_code(line)), "")
    return (hunk.last == hunk.first and first.startswith(words)) or first.startswith(words[:2])

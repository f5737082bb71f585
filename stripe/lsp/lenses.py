"""Where code lenses stand in a source file, and what they offer, before anything is sliced."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from stripe.backend import languages
from stripe.lsp.settings import EditorSettings
from stripe.lsp.slices import Sliced
from stripe.report.happened import sentence
from stripe.report.style import plural, printable
from stripe.report.summary import minimality

LINES, WIDTH = 3, 30
"""Lines of the output that have a lens of their own, and characters of each that are shown."""


class Lens(NamedTuple):
    """A lens: the line it stands over, from 0, its text, a command, and the command's argument."""

    line: int
    title: str
    command: str
    argument: dict[str, Any]


def offers(
    uri: str, path: Path, text: str, settings: EditorSettings, folder: Path
) -> Iterator[Lens]:
    """The lenses of a file with nothing shown."""
    for each in settings.configurations:
        program = _module_file(each.program) if each.module else PurePath(each.program)
        if folder / program == path or (each.module and path.match(str(program))):
            argument = {"uri": uri, "configuration": each.name}
            yield Lens(0, f"Critical slice of {each.name}", "stripe.slice", argument)
            if each.expect is not None:
                yield Lens(0, f"Suspects of {each.name}", "stripe.suspects", argument)
    if path.suffix in languages():
        yield Lens(0, "Critical slice of this file", "stripe.slice", {"uri": uri})
    for line, name in tests(path.name, text):
        argument = {"uri": uri, "test": name}
        yield Lens(line, "Why does this test fail?", "stripe.why", argument)
        yield Lens(line, "Critical slice of this test", "stripe.slice", argument)
        yield Lens(line, "Suspects of this test", "stripe.suspects", argument)


def shown_offers(uri: str, sliced: Sliced) -> Iterator[Lens]:
    """The lenses of a file that shows a slice: what it is, and what else could be asked."""
    found, others = sliced.slice, sliced.result.slices
    said = sentence(sliced.result, found)
    text = f"{found.name}: {len(found.events)} of {plural(found.of, 'execution')} kept"
    if not found.certified:
        text += f" (not certified: {minimality(found).removeprefix('no: ')})"
    if len(others) > 1:
        following = others[(sliced.which + 1) % len(others)]
        text += f", show {following.name}"
    yield Lens(0, printable(f"{said} · {text}" if said else text), "stripe.criterion", {"uri": uri})
    for check, name in _other_checks(sliced):
        argument = {**sliced.request, "check": check}
        yield Lens(0, printable(f"Slice for {name}"), "stripe.slice", argument)
    yield Lens(0, "Clear", "stripe.clear", {"uri": uri})


def _other_checks(sliced: Sliced) -> Iterator[tuple[str, str]]:
    """What else the run did that could be explained, and how to call it."""
    recorded = sliced.result.recorded
    if recorded is None:
        return
    asked = {each.check for each in sliced.result.slices}
    did = {
        "exception": recorded.exception is not None,
        "stdout": bool(recorded.stdout.strip()),
        "stderr": bool(recorded.stderr.strip()) and recorded.exception is None,
    }
    for check, there in did.items():
        if there and check not in asked:
            yield check, check
    lines = [line for line in recorded.stdout.splitlines() if line.strip()]
    if len(lines) < 2:
        return
    for line in lines[:LINES]:
        check = f"stdout:/^{pattern(line)}$/"
        if lines.count(line) == 1 and check not in asked:
            yield check, f"“{line.strip()[:WIDTH]}”"


def pattern(line: str) -> str:
    """A regular expression that matches this line, in a check between slashes."""
    return re.sub(r"([][\\.^$*+?{}|()/])", r"\\\1", line)


def _module_file(name: str) -> PurePath:
    return PurePath(*name.split(".")).with_suffix(".py")


def tests(name: str, text: str) -> list[tuple[int, str]]:
    """The lines, from 0, and names of the tests pytest finds by default in a file."""
    if not (fnmatch(name, "test_*.py") or fnmatch(name, "*_test.py")):
        return []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return list(functions(tree.body, ()))


def functions(body: Sequence[ast.stmt], inside: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The line, from 0, and the name of each test in ``body``, as pytest calls it."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test"):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                yield first - 1, "::".join((*inside, node.name))
        elif isinstance(node, ast.ClassDef):
            bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
            if node.name.startswith("Test") or "TestCase" in bases:
                yield from functions(node.body, (*inside, node.name))

"""What the agent does itself that the library does, too, in modules that take long to import."""

from __future__ import annotations

import ast
import tokenize
from pathlib import Path
from typing import Any

import pytest

from stripe_pytrace.agent.compiling import source_text, trees
from stripe_pytrace.agent.process.libc import function
from stripe_pytrace.agent.process.natives import array
from stripe_pytrace.agent.recording.direct import fits

CORPUS = Path(__file__).parents[1] / "corpus"
SOURCES = sorted(CORPUS.glob("*.py"))


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"print(1)\n",
        "\ufeffprint('é')\n".encode(),
        b"# -*- coding: latin-1 -*-\n'\xe9'\n",
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'\x80'\n",
        b"\n\n# coding: latin-1\n",
        b"x = 1\n# coding: latin-1\n",
        b"x = 1  # coding: latin-1\n",
        b" \t\f# coding= iso-8859-15\r\n'\xa4'\r\n",
        b"# encoding\n# coding:utf-8-unix\n",
        b"# coding:\n",
        b"# coding: # coding: latin-1\n",
        b"# coding latin-1, coding:\tLatin_1-unix\n'\xe9'\n",
        b"\r# coding: cp037-none\r",
        "'ü'\n# é\n".encode(),
    ],
)
def test_encodings_are_found_where_python_finds_them(source: bytes) -> None:
    try:
        lines = iter(source.splitlines(keepends=True))
        encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    except SyntaxError:
        with pytest.raises(LookupError):
            source_text.decoded(source)
    else:
        assert source_text.decoded(source) == source.decode(encoding, "replace")


def test_a_comment_may_have_letters_of_the_encoding_that_it_names() -> None:
    """Python reads such a file; tokenize refuses it before 3.14."""
    source = "# é coding: latin-1\n".encode("latin-1")
    compile(source, "prog.py", "exec")
    assert source_text.decoded(source) == "# é coding: latin-1\n"


def places(tree: Any) -> list[tuple[Any, ...]]:
    names = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    return [(type(each), *(getattr(each, name, None) for name in names)) for each in ast.walk(tree)]


@pytest.mark.parametrize("path", SOURCES[::7], ids=lambda path: path.stem)
def test_trees_are_gone_through_and_mended_as_by_ast(path: Path) -> None:
    source = path.read_bytes()
    try:
        plain = ast.parse(source)
    except SyntaxError:
        with pytest.raises(SyntaxError):
            trees.parse(source)
        return
    ours = trees.parse(source)
    assert ast.dump(ours, include_attributes=True) == ast.dump(plain, include_attributes=True)
    for which in (plain, ours):
        each: Any
        for number, each in enumerate(ast.walk(which)):
            if number % 3 and hasattr(each, "end_lineno"):
                del each.end_lineno
            if number % 5 == 0 and hasattr(each, "lineno"):
                del each.lineno, each.col_offset
    ast.fix_missing_locations(plain)
    trees.fix_missing_locations(ours)
    assert places(ours) == places(plain)
    for each in ast.walk(ours):
        assert list(trees.fields(each)) == list(ast.iter_fields(each))


def test_places_are_copied_as_by_ast() -> None:
    (old,) = ast.parse("\n  \nf(x)\n").body
    for make in (ast.Pass, lambda: ast.Name("a", ast.Load()), ast.Load):
        new, again = make(), make()
        assert trees.copy_location(new, old) is new
        assert places(new)[0] == places(ast.copy_location(again, old))[0]


@pytest.mark.parametrize(
    ("source", "well"),
    [
        (b"print(1)\n", True),
        (b"import gc\n", False),
        (b"gcd = agc = 1\n", True),
        (b"x.__del__()", False),
        (b"from weakref import ref", False),
        (b"tweak()", True),
        (b"Weakest()", False),
        (b"signal.SIGTERM", False),
        (b"DESIGN", True),
        ("légc = 1".encode(), False),  # as bytes, "gc" is a word
        (b"async def f(): pass", False),
        (b"asynchronous", True),
    ],
)
def test_programs_that_may_run_code_amid_callbacks_are_known_by_names(
    source: bytes, well: bool
) -> None:
    assert fits(source) is well


def test_functions_of_the_c_library() -> None:
    assert function("abs")(-3) == 3
    assert function("abs", alone=True)(-4) == 4
    with pytest.raises((AttributeError, OSError)):
        function("no_such_function")


def test_arrays_are_sequences_though_their_module_was_imported_by_itself() -> None:
    from collections.abc import MutableSequence

    assert issubclass(array, MutableSequence)

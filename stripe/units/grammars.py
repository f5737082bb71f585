"""Grammars of tree-sitter: which one a file needs, and where it comes from.

They are an extra (``syntax``), imported only when syntax trees are asked for.
"""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from stripe.errors import UsageError

if TYPE_CHECKING:
    from tree_sitter import Parser

_GRAMMARS = """
bash            sh bash
c               c h
c_sharp         cs
cpp             cc cpp cxx hpp hh hxx cu
css             css
go              go
html            html htm xhtml
java            java
javascript      js mjs cjs jsx
json            json geojson ipynb
php             php
python          py pyw pyi
ruby            rb
rust            rs
typescript      ts mts cts
typescript.tsx  tsx
xml             xml svg xsl xsd rss
"""


def by_suffix(table: str) -> dict[str, str]:
    """What belongs to a suffix, by a table with a line for each: it, and its suffixes."""
    return {
        suffix: name
        for name, *suffixes in map(str.split, table.strip().splitlines())
        for suffix in suffixes
    }


def suffix_of(file: str) -> str:
    """The suffix of a file in small letters, without its dot; "" if it has none."""
    return PurePath(file).suffix.lower().lstrip(".")


_BY_SUFFIX = by_suffix(_GRAMMARS)


def parser_for(file: str) -> Parser:
    """The parser of the language in which ``file`` is written, by its suffix.

    Raises:
        UsageError: ``no-grammar``, when there is none for the suffix, or it is not installed.
    """
    suffix = suffix_of(file)
    grammar = _BY_SUFFIX.get(suffix)
    if grammar is None:
        raise UsageError(
            "no-grammar",
            f"There is no grammar for the input {file!r}: "
            + (f"its suffix is .{suffix}." if suffix else "it has no suffix."),
            f"There are grammars for .{', .'.join(_BY_SUFFIX)}. Give the file such a name, or "
            "choose other units: --units braces,lines,tokens,chars",
        )
    return _parser(grammar)


def is_installed(file: str) -> bool:
    """Whether there is a parser for ``file``."""
    try:
        parser_for(file)
    except UsageError:
        return False
    return True


@cache
def _parser(grammar: str) -> Parser:
    language, _, dialect = grammar.partition(".")
    package = f"tree_sitter_{language}"
    try:
        from tree_sitter import Language, Parser

        module = importlib.import_module(package)
    except ImportError as error:
        missing = (error.name or package).replace("_", "-")
        raise UsageError(
            "no-grammar",
            f"The package {missing}, with which syntax trees are read, is not installed.",
            f"pip install tree-sitter {package.replace('_', '-')}   "
            "(all languages: uv tool install 'stripe-trace[syntax]')",
        ) from None
    # Packages of several dialects have no plain `language`.
    make = getattr(module, f"language_{dialect or language}", None) or module.language
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of grammars that hand out numbers
            return Parser(Language(make()))
    except ValueError as error:  # another version of the interface between the two
        raise UsageError(
            "no-grammar",
            f"The installed tree-sitter cannot use the installed grammar {package}: {error}.",
            f"pip install --upgrade tree-sitter {package.replace('_', '-')}",
        ) from None

"""Cutting an input into units, and the order in which kinds of units are tried.

Every cut is a proposal: it may misread the input, for only what was tested counts.  So the cutters
are small scanners that never refuse, save where the input must have a form (``json``).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Generator, Mapping, Sequence

from stripe.errors import UsageError
from stripe.units.archives import read_archive
from stripe.units.command_line import args, options
from stripe.units.flat import chars, lines, tokens
from stripe.units.formats import braces, csv, indent, is_json, json_tree
from stripe.units.grammars import by_suffix, is_installed, parser_for, suffix_of
from stripe.units.lengths import counted
from stripe.units.markup import markup
from stripe.units.members import members
from stripe.units.model import Bytes, Pass, Units
from stripe.units.python_passes import passes
from stripe.units.python_text import compiles
from stripe.units.syntax import syntax
from stripe.units.value_reduction import bytes_lowered, numbers_lowered

AUTO = "auto"
SYNTAX = "syntax"
"""The syntax tree of the language that the file's suffix tells: see :mod:`stripe.units.syntax`."""
PYTHON = "python"
"""Lines and syntax tree of Python programs: see :mod:`stripe.units.python_passes`."""

MEMBERS = "members"
"""The members of an archive, and what is in them: see :mod:`stripe.units.members`."""

CUTTERS: Mapping[str, Callable[[bytes], Units]] = {
    "lines": lines,
    "chars": chars,
    "bytes": Bytes,
    "tokens": tokens,
    "events": lines,
    "braces": braces,
    "indent": indent,
    "markup": markup,
    "json": json_tree,
    "csv": csv,
    "args": args,
    "options": options,
}
"""The kinds of units by name: the seam behind ``--units``."""

PASSES: Mapping[str, Callable[[bytes], Generator[Pass, bytes]]] = {
    PYTHON: passes,
    "lengths": counted,
    MEMBERS: members,
    "numbers": numbers_lowered,
    "values": bytes_lowered,
}
"""No cuts, but passes, each with units of its own for what the one before has left."""

LOWERED = frozenset({"numbers", "values"})
"""What leaves nothing out, but makes values smaller: the answer is certified in these, too."""

KINDS = (*CUTTERS, SYNTAX, *PASSES)
"""All that ``--units`` may name, beside ``auto``."""

NOUNS = {
    "chars": "characters",
    "braces": "blocks and statements",
    "indent": "indented blocks",
    "markup": "elements",
    "json": "JSON values",
    "csv": "fields",
    "args": "arguments",
    "syntax": "parts of the syntax",
    "python": "lines and syntax",
    "lengths": "what is counted",
    "members": "members of archives",
    "values": "values of bytes",
}
"""What units are called where it is not their name."""

_SUFFIXES = """
braces  c h cc cpp cxx hpp hh m java js mjs ts tsx jsx cs go rs swift kt scala php css scss cu proto
python  py pyw pyi
indent  yaml yml nim haml pug
markup  html htm xhtml xml svg xsl xsd rss vue
json    json geojson ipynb
csv     csv tsv
"""
_STRUCTURE = by_suffix(_SUFFIXES)

_BETTER_BY_SYNTAX = frozenset(
    {"c", "h", "cc", "cpp", "cxx", "hpp", "hh", "js", "mjs", "jsx", "rs", "html", "htm"}
)
"""Where syntax trees were found to need fewer tests, or to leave less, than the small scanners."""


def cut(data: bytes, name: str, file: str = "") -> Units:
    """The units of kind ``name`` of an input, which is called ``file``."""
    return syntax(data, file) if name == SYNTAX else CUTTERS[name](data)


def noun(name: str) -> str:
    """What units of kind ``name`` are called; there may be several, with ``+`` between them."""
    return " and ".join(NOUNS.get(each, each) for each in name.split("+"))


def proven(kinds: Sequence[str]) -> list[str]:
    """Those of some kinds in which the answer is certified: the finest, and all that lower."""
    finest = [kind for kind in kinds if kind not in LOWERED][-1:]
    return [*finest, *(kind for kind in kinds if kind in LOWERED)]


def levels(requested: str, data: bytes, file: str) -> list[str]:
    """The kinds of units to go through, from coarse to fine.

    Args:
        requested: kinds with commas between them, or ``auto``, which looks at name and content.
        data: the input.
        file: its name.

    Raises:
        UsageError: ``unknown-units``; ``not-json``, ``no-grammar``, ``not-text`` for units the
            input does not have.
    """
    names = [name.strip() for name in requested.split(",")]
    for name in names:
        if name not in (*KINDS, AUTO) or (name == AUTO and len(names) > 1):
            close = difflib.get_close_matches(name, KINDS, n=1)
            raise UsageError(
                "unknown-units",
                f"There are no units {name!r}.",
                (f"Did you mean {close[0]}? " if close else "")
                + f"Choose from: auto, {', '.join(KINDS)}; several with commas, coarse to fine.",
            )
    if "json" in names and not is_json(data):
        raise UsageError(
            "not-json",
            f"The input {file!r} is not valid JSON.",
            "Choose other units: --units tokens,chars, or --units lines for JSON on every line.",
        )
    if SYNTAX in names:
        _must_be_parsed(data, file)
    return _automatic(data, file) if names == [AUTO] else names


def _must_be_parsed(data: bytes, file: str) -> None:
    """Have the errors of syntax trees before anything is run."""
    parser_for(file)
    if b"\0" in data or not _is_text(data):
        raise UsageError(
            "not-text",
            f"The input {file!r} is not text in UTF-8, of which syntax trees are made.",
            "Choose other units: --units braces,lines,chars, or --units bytes.",
        )


def _automatic(data: bytes, file: str) -> list[str]:
    """The kinds of units that suit an input."""
    sample = data[:65536]
    if read_archive(data) is not None:
        return [MEMBERS, "bytes", "values"]
    if b"\0" in sample or not _is_text(sample):
        return [*(["lines"] if b"\n" in sample else []), "lengths", "bytes", "values"]
    suffix = suffix_of(file)
    structure = _structure(data, suffix)
    if structure == PYTHON and compiles(data):
        return [PYTHON, "numbers"]  # no characters: what is left is to be read
    if structure == "csv":
        return ["lines", "csv", "lengths", "chars", "numbers"]
    if structure == PYTHON:
        structure = "indent"
    elif suffix in _BETTER_BY_SYNTAX and is_installed(file):
        structure = SYNTAX
    return [*([structure] if structure else []), "lines", "tokens", "lengths", "chars", "numbers"]


def _structure(data: bytes, suffix: str) -> str | None:
    """The kind of the units within units that a text has, by its suffix or by how it begins."""
    structure = _STRUCTURE.get(suffix)
    start = data[:65536]
    if structure is None and start.lstrip()[:1] in (b"{", b"[") and is_json(data):
        structure = "json"
    if structure is None and re.match(rb"\s*<(?:!|\?|[A-Za-z])", start):
        structure = "markup"
    return None if structure == "json" and not is_json(data) else structure


def _is_text(sample: bytes) -> bool:
    """Whether it is UTF-8, but for a character cut off at the end."""
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3 and error.reason == "unexpected end of data"
    return True

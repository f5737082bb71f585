"""The kinds of units by name: the seam behind ``--units``, and what ``auto`` knows of each.

A kind of input is a module beside this one that cuts it into units, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

from stripe.units.archives import read_archive
from stripe.units.command_line import args, options
from stripe.units.flat import chars, lines, tokens
from stripe.units.formats import braces, csv, indent, is_json, json_tree
from stripe.units.lengths import counted
from stripe.units.markup import markup
from stripe.units.members import members
from stripe.units.model import Bytes, Pass, Units
from stripe.units.python_passes import passes
from stripe.units.python_text import compiles
from stripe.units.syntax import syntax
from stripe.units.value_reduction import bytes_lowered, numbers_lowered

SYNTAX = "syntax"
"""The syntax tree of the language that the file's suffix tells: see :mod:`stripe.units.syntax`."""
PYTHON = "python"
"""Statements, lines and syntax tree of programs: see :mod:`stripe.units.python_passes`."""
MEMBERS = "members"
"""The members of an archive, and what is in them: see :mod:`stripe.units.members`."""

TEXT = ("lines", "tokens", "lengths", "chars", "numbers")
"""What texts are cut into, once nothing is known of their structure any more."""


type Passes = Callable[[bytes], Generator[Pass, bytes]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of units.

    - ``cut``: the units of an input; or ``passes``: passes, each with units of its own for what
      the one before has left
    - ``noun``: what units are called, if not by the kind's name
    - ``flat``: units follow each other, so that two inputs can be compared in them
    - ``lowers``: nothing is left out, but values become smaller; answers are certified in this, too
    - ``suffixes``: of files that ``auto`` cuts so, if they are ``valid`` (by default all are)
    - ``before``, ``then``: what ``auto`` cuts them into before that, and afterwards
    """

    cut: Callable[[bytes], Units] | None = None
    passes: Passes | None = None
    noun: str = ""
    flat: bool = False
    lowers: bool = False
    suffixes: str = ""
    valid: Callable[[bytes], bool] = lambda data: True
    before: Sequence[str] = ()
    then: Sequence[str] = TEXT


KINDS: Mapping[str, Kind] = {
    "lines": Kind(lines, flat=True),
    "chars": Kind(chars, noun="characters", flat=True),
    "bytes": Kind(Bytes, flat=True),
    "tokens": Kind(tokens, flat=True),
    "events": Kind(lines, flat=True),
    "braces": Kind(
        braces,
        noun="blocks and statements",
        suffixes="c h cc cpp cxx hpp hh m java js mjs ts tsx jsx cs go rs swift kt scala php css "
        "scss cu proto",
    ),
    "indent": Kind(indent, noun="indented blocks", suffixes="yaml yml nim haml pug"),
    "markup": Kind(markup, noun="elements", suffixes="html htm xhtml xml svg xsl xsd rss vue"),
    "json": Kind(json_tree, noun="JSON values", suffixes="json geojson ipynb", valid=is_json),
    "csv": Kind(
        csv, noun="fields", suffixes="csv tsv",
        before=("lines",), then=("lengths", "chars", "numbers"),
    ),
    "args": Kind(args, noun="arguments", flat=True),
    "options": Kind(options),
    SYNTAX: Kind(noun="parts of the syntax"),
    PYTHON: Kind(
        passes=passes, noun="lines and syntax", suffixes="py pyw pyi", valid=compiles,
        then=("numbers",),  # no characters: what is left is to be read
    ),
    "lengths": Kind(passes=counted, noun="what is counted"),
    MEMBERS: Kind(
        passes=members, noun="members of archives", then=("bytes", "values"),
        valid=lambda data: read_archive(data) is not None,
    ),
    "numbers": Kind(passes=numbers_lowered, lowers=True),
    "values": Kind(passes=bytes_lowered, noun="values of bytes", lowers=True),
}  # fmt: skip

BY_SUFFIX = {suffix: name for name, kind in KINDS.items() for suffix in kind.suffixes.split()}


def cut(data: bytes, name: str, file: str = "") -> Units:
    """The units of kind ``name`` of an input, which is called ``file``."""
    if name == SYNTAX:
        return syntax(data, file)
    cutter = KINDS[name].cut
    assert cutter is not None, "it has no passes"
    return cutter(data)


def noun(name: str) -> str:
    """What units of kind ``name`` are called; there may be several, with ``+`` between them."""
    called = {each: kind.noun or each for each, kind in KINDS.items()}
    return " and ".join(called.get(each, each) for each in name.split("+"))

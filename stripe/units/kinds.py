"""The kinds of units by name, and the order in which they are tried: the seam behind ``--units``.

A kind of input is a module beside this one that cuts it into units, and a row here. Every cut is a
proposal: it may misread the input, for only what was tested counts. So the cutters are small
scanners that never refuse, save where the input must have a form (``json``).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

from stripe.errors import UsageError
from stripe.units.archives import read_archive
from stripe.units.command_line import args, options
from stripe.units.flat import chars, lines, tokens
from stripe.units.formats import braces, csv, indent, is_json, json_tree
from stripe.units.grammars import is_installed, parser_for, suffix_of
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
        passes=lambda data: members(data, automatic_passes), noun="members of archives",
        then=("bytes", "values"), valid=lambda data: read_archive(data) is not None,
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


_BETTER_BY_SYNTAX = frozenset(
    {"c", "h", "cc", "cpp", "cxx", "hpp", "hh", "js", "mjs", "jsx", "rs", "html", "htm"}
)
"""Where syntax trees were found to need fewer tests, or to leave less, than the small scanners."""


def proven(kinds: Sequence[str]) -> list[str]:
    """Those of some kinds in which the answer is certified: the finest, and all that lower."""
    finest = [kind for kind in kinds if not KINDS[kind].lowers][-1:]
    return [*finest, *(kind for kind in kinds if KINDS[kind].lowers)]


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
    if KINDS[MEMBERS].valid(data):
        return [MEMBERS, *KINDS[MEMBERS].then]
    sample = data[:65536]
    if b"\0" in sample or not _is_text(sample):
        return [*(["lines"] if b"\n" in sample else []), "lengths", "bytes", "values"]
    structure = _structure(data, suffix_of(file))
    if structure is None:
        return [*TEXT]
    kind = KINDS[structure]
    if suffix_of(file) in _BETTER_BY_SYNTAX and is_installed(file):
        structure = SYNTAX
    return [*kind.before, structure, *kind.then]


def _structure(data: bytes, suffix: str) -> str | None:
    """The kind of the units within units that a text has, by its suffix or by how it begins."""
    structure = BY_SUFFIX.get(suffix)
    start = data[:65536]
    if structure is None and start.lstrip()[:1] in (b"{", b"["):
        structure = "json"
    if structure is None and re.match(rb"\s*<(?:!|\?|[A-Za-z])", start):
        structure = "markup"
    if structure is not None and not KINDS[structure].valid(data):
        structure = "indent" if structure == PYTHON else None
    return structure


def _is_text(sample: bytes) -> bool:
    """Whether it is UTF-8, but for a character cut off at the end."""
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3 and error.reason == "unexpected end of data"
    return True


def automatic_passes(data: bytes, file: str) -> Generator[Pass, bytes, bytes]:
    """Yield the passes over what is in an archive under the name ``file``, as ``auto`` has them."""
    kinds = levels(AUTO, data, file)
    while kinds:
        kind = kinds.pop(0)
        data = yield from _passes_of(data, kind, file)
        if kind == PYTHON and not compiles(data):
            kinds = levels(AUTO, data, file)
    return data


def _passes_of(data: bytes, kind: str, file: str) -> Generator[Pass, bytes, bytes]:
    """The passes in units of one kind; those of Python, as long as the program compiles."""
    passes = KINDS[kind].passes
    if passes is None:
        units = cut(data, kind, file)
        return (yield Pass(kind, units)) if len(units) > 1 else data
    steps = passes(data)
    step = next(steps, None)
    while step is not None:
        data = yield step
        if kind == PYTHON and not compiles(data):
            break
        try:
            step = steps.send(data)
        except StopIteration:
            break
    return data

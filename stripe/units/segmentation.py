"""Which kinds of units an input is cut into, and the order in which they are tried.

Every cut is a proposal: it may misread the input, for only what was tested counts.  So the cutters
are small scanners that never refuse, save where the input must have a form (``json``).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from stripe.errors import UsageError
from stripe.units.formats import is_json
from stripe.units.grammars import is_installed, parser_for, suffix_of
from stripe.units.kinds import BY_SUFFIX, KINDS, MEMBERS, PYTHON, SYNTAX, TEXT

AUTO = "auto"

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

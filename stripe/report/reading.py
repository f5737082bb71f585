"""Results from files that anybody may have written."""

from __future__ import annotations

import sys
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.results.formats import SLICES

if TYPE_CHECKING:
    from stripe.inputs.result import InputResult
    from stripe.results.causes import CausesResult
    from stripe.results.changes import ChangesResult
    from stripe.results.suspects import SuspectsResult
    from stripe.results.why import Document

    type Answer = Result | ChangesResult | CausesResult | InputResult | SuspectsResult | Document

MOST_BYTES = 256 << 20
"""The largest result that is read; a million events take some tens of megabytes."""

CHUNK = 1 << 20

READERS = {
    "stripe-causes-result": "stripe.results.causes",
    "stripe-changes-result": "stripe.results.changes",
    "stripe-input-result": "stripe.inputs.reading",
    "stripe-suspects-result": "stripe.results.suspects",
    "stripe-why-result": "stripe.results.why",
}
"""The module whose ``from_json`` reads results of a kind; those of ``stripe trace`` are others."""


def read_any(source: str) -> Answer:
    """The result in a file that ``--json`` of a verb has written.

    Raises as :func:`read_result` does.
    """
    found: Answer = _read(source, READERS)
    return found


def read_verifiable(source: str) -> Result | Document:
    """The result of ``stripe trace`` or ``stripe why`` in a file; others are refused.

    Raises as :func:`read_result` does.
    """
    found: Result | Document = _read(source, ("stripe-why-result",))
    return found


def _read(source: str, kinds: Collection[str]) -> Any:
    """A result of these kinds, or of ``stripe trace``."""
    from stripe.reduce.reading import from_json, loaded  # lazy

    text, name = _text_of(source)
    data = loaded(text, name)
    kind = data.get("format") if isinstance(data, dict) else None
    if isinstance(kind, str) and kind in kinds:
        return import_module(READERS[kind]).from_json(data, name)
    return from_json(data, name, _folder(source))


def read_result(source: str) -> Result:
    """The result in a file that ``stripe trace --json`` has written (``-``: standard input).

    Nothing in it is believed: what does not have the form of a result is refused.

    Raises :class:`~stripe.errors.UsageError`: ``no-input``, ``not-a-result``, ``result-version``,
    ``result-too-large``, ``no-trace``.
    """
    from stripe.reduce.reading import parse  # lazy

    return parse(*_text_of(source), _folder(source))


def _folder(source: str) -> Path:
    """Where the file is to which a result points."""
    return Path() if source == "-" else Path(source).parent


def _text_of(source: str) -> tuple[str, str]:
    """What is in a file, and what errors call it."""
    name = "Standard input" if source == "-" else source
    try:
        if source == "-":
            data = _read_all(sys.stdin.buffer, name)
        else:
            with open(source, "rb") as stream:
                data = _read_all(stream, name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            "no-input", f"The result {source!r} cannot be read: {reason}.", SLICES.make_one
        ) from None
    try:
        return data.decode(), name
    except UnicodeDecodeError as error:
        SLICES.refuse(name, f"it is not UTF-8 (byte {error.start} cannot be read)")


def _read_all(stream: BinaryIO, name: str) -> bytes:
    """All of a stream, if it has an end soon enough."""
    parts: list[bytes] = []
    size = 0
    while part := stream.read(CHUNK):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise UsageError(
                "result-too-large",
                f"{name} has more than {MOST_BYTES >> 20} MiB, which no result is read beyond.",
                "Trace a shorter run, or with fewer checks at a time.",
            )
    return b"".join(parts)

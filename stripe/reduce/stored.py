"""Traces of long runs in files of their own, beside the results that point to them.

Such a file is JSON, too: the columns of the trace as a result would have them.  It belongs to its
result, which names it and has its digest, and stays as long as somebody keeps it.
"""

from __future__ import annotations

import json
from array import array
from hashlib import sha256
from pathlib import Path
from typing import Any

from stripe.documents.columns import CODED, LARGEST, column, portions
from stripe.documents.loading import load
from stripe.errors import UsageError
from stripe.trace import NONE, Trace
from stripe.trace.columns import Column

LONG = 5_000_000
"""Events of a run from which on a result points to its trace."""

STORED = "stored"
"""What a result has in place of a column that is in the file."""

NAMES = ("statement", "activation", "caller", "scope", "control")

MOST = 500_000_000
"""Numbers of a column that are read."""


def columns_of(trace: Trace, *, control: bool) -> dict[str, Any]:
    """The columns of a trace, as a document has them."""
    return {
        name: column(getattr(trace, name)) if control or name != "control" else None
        for name in NAMES
    }


def trace_file(trace: Trace, *, control: bool) -> bytes:
    """What the file holds."""
    data = {"format": "stripe-trace", **columns_of(trace, control=control)}
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def pointer(name: str, content: bytes) -> dict[str, Any]:
    """How a result points to a file beside it."""
    return {"name": name, "sha256": sha256(content).hexdigest()}


def followed(trace: dict[str, Any], folder: Path | None, result: str) -> dict[str, Any]:
    """The trace of a document with the columns of the file in ``folder`` that it points to.

    ``result`` is what errors call the document.

    Raises:
        UsageError: ``no-trace``.
        ValueError: its text says why it cannot be read.
    """
    where = trace.get(STORED)
    where = where if isinstance(where, dict) else {}
    name = where.get("name")
    if not isinstance(name, str) or not name or Path(name).name != name:
        raise ValueError("it points to its trace by what is no name of a file beside it")
    if folder is None:
        raise _missing(result, name, "it was not read from a file")
    try:
        content = (folder / name).read_bytes()
    except (OSError, ValueError) as error:
        raise _missing(result, name, getattr(error, "strerror", None) or str(error)) from None
    if sha256(content).hexdigest() != where.get("sha256"):
        raise _missing(result, name, "it is another one, or was changed")
    data = load(content.decode("utf-8", "replace"))
    if not isinstance(data, dict):
        raise ValueError("the file of its trace holds no columns")
    return {
        **trace,
        **{each: _read(data.get(each)) for each in NAMES if trace.get(each) == STORED},
    }


def _read(value: Any) -> Any:
    """A column, in memory only as far as it is looked at; what is none stays as it is."""
    if type(value) is not str or not value.startswith(CODED):
        return value
    found = Column(array("i"))
    for portion in portions(value, MOST):
        if portion and not NONE <= min(portion) <= max(portion) <= LARGEST:
            raise ValueError("a column has numbers that are none of an event")
        found.tail.extend(portion)
        found.spill()
    return found.done()


def _missing(result: str, name: str, why: str) -> UsageError:
    return UsageError(
        "no-trace",
        f"{result} points to the trace of its run in a file beside it, {name!r}: {why}.",
        "Where a result goes, its trace has to go along; or trace the program again.",
    )

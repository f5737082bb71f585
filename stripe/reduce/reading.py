"""Reading a result from its JSON form (:meth:`stripe.reduce.Result.to_json`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stripe.documents.loading import load
from stripe.reduce.result import Result
from stripe.reduce.stored import STORED, followed
from stripe.results.formats import SLICES


def parse(text: str, name: str, folder: Path | None = None) -> Result:
    """The result that ``text`` holds; ``name`` is what errors call it.

    ``folder`` is where it was read from: there is its trace, if it points to it.

    Raises :class:`~stripe.errors.UsageError` ``not-a-result``, ``result-version``, ``no-trace``.
    """
    return from_json(loaded(text, name), name, folder)


def loaded(text: str, name: str) -> Any:
    """The JSON that ``text`` holds; raises as :func:`parse`."""
    try:
        return load(text)
    except ValueError as error:
        SLICES.refuse(name, f"it is not JSON ({error})")


def from_json(data: Any, name: str = "the result", folder: Path | None = None) -> Result:
    """The result of which ``data`` is the JSON form; see :func:`parse`.

    All of ``data`` is checked first (:mod:`stripe.results.slices`): every report can show what this
    returns.
    """
    from stripe.reduce.form import result_of
    from stripe.results.slices import Document, check

    trace = data.get("trace") if isinstance(data, dict) else None
    if isinstance(trace, dict) and STORED in trace:
        try:
            data = {**data, "trace": followed(trace, folder, name)}
        except ValueError as error:
            SLICES.refuse(name, f"{error}")
    return result_of(SLICES.read(Document, data, name, check))

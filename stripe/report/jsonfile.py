"""Results as JSON documents: what is written, and read again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.reduce.reading import MAKE_ONE, parse


def read_result(source: str) -> Result:
    """The result in a file that ``stripe trace --json`` has written (``-``: standard input).

    Raises :class:`~stripe.errors.UsageError`: ``no-input``, ``not-a-result``, ``result-version``.
    """
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UsageError(
            "no-input", f"The result {source!r} cannot be read: {error.strerror}.", MAKE_ONE
        ) from None
    return parse(data.decode("utf-8", "replace"), "Standard input" if source == "-" else source)


def as_json(data: dict[str, Any]) -> bytes:
    """``data`` as a JSON document of one line."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.encode() + b"\n"

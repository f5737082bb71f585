"""JSON, read strictly and within bounds, whoever wrote it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

MOST_CONTAINERS = 20_000_000
"""Lists and objects of a document, brackets in texts included: each takes memory."""

MOST_DIGITS = 4300
"""Digits of an integer; converting more takes time that grows with their square."""


def load(text: str) -> Any:
    """The document that ``text`` holds.

    Raises :class:`ValueError`, whose text says why, for what is no JSON, and for JSON that
    says something twice, has numbers that are none, is nested too deep, or is too large.
    """
    if text.count("[") + text.count("{") > MOST_CONTAINERS:
        raise ValueError(f"it has more than {MOST_CONTAINERS:,} lists and objects")
    options: dict[str, Any] = {}
    if not 0 < sys.get_int_max_str_digits() <= MOST_DIGITS:  # somebody has lifted Python's limit
        options["parse_int"] = integer
    try:
        return json.loads(text, object_pairs_hook=_members, parse_constant=constant, **options)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, in which no name may come twice: readers would differ in what it says."""
    found = dict(pairs)
    if len(found) != len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the member {twice[:40]!a} comes twice in an object")
    return found


def constant(name: str) -> Any:
    """Refuse ``NaN`` and ``Infinity``, which JSON does not have."""
    raise ValueError(f"{name} is no number")


def integer(digits: str) -> int:
    """A number of no more digits than can be converted quickly."""
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"an integer has {len(digits)} digits")
    return int(digits)

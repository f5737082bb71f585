"""Answers of ``stripe why`` that no inquiry has made, for what shows them."""

from __future__ import annotations

from typing import Any

from stripe.results.formats import WHY
from stripe.results.why import Asked, Document, Experiment, Happened, Place, Reason


def place_of(line: int = 3, *reasons: Reason, **facts: Any) -> Place:
    """A place in ``shop.py``, with a reason if none is given."""
    known: dict[str, Any] = {
        "file": "shop.py", "line": line, "function": "total", "source": "if cost > free:",
        "why": reasons or (Reason("kept", "slice", "left out alone, the run no longer shows it"),),
    }  # fmt: skip
    return Place(**{**known, **facts})


def answer_of(says: str = "ValueError: bad", *places: Place, **facts: Any) -> Document:
    """An answer that says what happened, and names these places."""
    known: dict[str, Any] = {
        "format": "stripe-why-result", "version": WHY.version,
        "asked": Asked("shop.py", (), False, "/work", "", "", (), (), (), "exception", None),
        "happened": Happened("exception", says, "shop.py", 3), "places": places, "story": (),
        "aside": "", "certainty": "Nothing that was tried shows where to look.",
        "following": (("stripe trace shop.py", "all that it needs"),),
        "experiments": (
            Experiment("run", "found", says, 0.1, 1), Experiment("slice", "found", "so", 1.0, 9),
        ),
        "notes": (), "sandbox": "", "first": None, "seconds": 2.0,
    }  # fmt: skip
    return Document(**{**known, **facts})

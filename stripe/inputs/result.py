"""What a reduction of an input answers, as data; :data:`VERSION` counts incompatible changes."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from stripe.campaign.answer import Answer

VERSION = 1
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputResult(Answer):
    """The answer of :func:`stripe.inputs.reduction.reduce_input`; see :class:`Answer` for the rest.

    - ``failing``: the smallest input found that still fails; in mode ``max`` the original one
    - ``passing``: in the modes ``max`` and ``diff``, the input closest to it that passes
    - ``units``: the finest units, in which the answer is 1-minimal if ``certified``
    - ``untried``: why the tests show nothing, and the answer is not certified for that reason
    """

    file: str
    mode: str
    units: str
    original: int
    failing: bytes = field(repr=False)
    passing: bytes | None = field(repr=False)
    untried: str = ""

    @property
    def answer(self) -> bytes:
        """The input that was asked for."""
        return self.passing if self.mode == "max" and self.passing is not None else self.failing

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data, version :data:`VERSION`."""
        return {
            "format": "stripe-input-result",
            "version": VERSION,
            "file": self.file,
            "mode": self.mode,
            "units": self.units,
            "bytes": {
                "original": self.original,
                "failing": len(self.failing),
                "passing": None if self.passing is None else len(self.passing),
            },
            "failing": _text(self.failing),
            "passing": None if self.passing is None else _text(self.passing),
            "failure": {"original": self.failure, "answer": self.failure_now},
            "untried": self.untried,
            **self.account("units"),
        }


def _text(content: bytes) -> dict[str, str]:
    """Text as it is, anything else in base 64."""
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}

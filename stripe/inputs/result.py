"""What a reduction of an input answers, as data; its model is :mod:`stripe.results.inputs`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from stripe.campaign.answer import Answer


@dataclass(frozen=True, slots=True)
class Improvement:
    """A smaller failing input: after how many tests it was found, and its length in bytes."""

    tests: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InputResult(Answer):
    """The answer of :func:`stripe.inputs.reduction.reduce_input`; see :class:`Answer` for the rest.

    - ``failing``: the smallest input found that still fails; in mode ``max`` the original one
    - ``passing``: in the modes ``max`` and ``diff``, the input closest to it that passes
    - ``units``: the finest units, in which the answer is 1-minimal if ``certified``
    - ``improvements``: in mode ``min``, how the failing input became smaller
    - ``untried``: why the tests show nothing, and the answer is not certified for that reason
    """

    file: str
    mode: str
    units: str
    original: int
    failing: bytes = field(repr=False)
    passing: bytes | None = field(repr=False)
    untried: str = ""
    improvements: tuple[Improvement, ...] = ()

    @property
    def answer(self) -> bytes:
        """The input that was asked for."""
        return self.passing if self.mode == "max" and self.passing is not None else self.failing

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data."""
        from stripe.inputs.form import document_of  # lazy

        return document_of(self).to_json()

"""What instrumented code has at hand while it replays, and what it handles and enters instead."""

from __future__ import annotations

from .activation import NOTHING, Leave
from .loops import SKIP

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Nothing(BaseException):
    """Never raised: what an except clause handles that handles nothing."""


class NullContext:
    """What a dropped ``with`` header enters.

    Its body, dropped as well, ends in no exception.  What a further item raised when recorded, and
    this one kept back, is kept back.
    """

    def __enter__(self) -> Any:
        return SKIP

    def __exit__(self, kind: object, *error: object) -> bool:
        return kind is Leave

    async def __aenter__(self) -> Any:
        return SKIP

    async def __aexit__(self, kind: object, *error: object) -> bool:
        return kind is Leave


class Now:
    """The plan that is followed now, and the register (see ``dialects``)."""

    __slots__ = ("plan", "register")

    def __init__(self) -> None:
        self.plan: Iterator[Any] = NOTHING
        self.register: Any = None

"""What instrumented code has at hand while it replays, and what it handles and enters instead."""

from __future__ import annotations

from .activation import NOTHING, Leave
from .loops import SKIP

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
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
    """The plan that is followed now, and the register (see ``dialects``).

    ``fold`` is the sequence that is read within a fold; ``begin`` and ``end`` hear of functions
    that tell that they start and return, unless that is what it says. ``away``, ``take`` and
    ``back``: see ``suspensions``.
    """

    __slots__ = ("_held", "away", "back", "begin", "end", "fold", "plan", "register", "take")

    def __init__(self) -> None:
        self.begin: Callable[..., object] = callable
        self.end: Callable[..., object] = callable
        self.fold: Iterator[Any] = NOTHING
        self.plan: Iterator[Any] = NOTHING
        self.register: Any = None
        held: list[Any] = []
        self.take = held.pop
        self.away: Callable[[Any], Any] = held.append
        self.back: Callable[[Any, Any], Any] = {}.get
        self._held = held.append

    def alone(self) -> None:
        """Nobody hears of functions any more."""
        self.begin = self.end = callable  # in C, and does nothing
        self.away, self.back = self._held, {}.get

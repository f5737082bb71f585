"""What stands between the codes of a fold, where control goes other ways; see ``folds``.

In tables marks are negative numbers.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import ClassVar

    from ..replaying.folds import Folds
    from .linker import Function

RETURN, UNWIND, RAISES = -1, -2, -3
"""An activation returns, or is left by an exception; one is raised in it, or arrives there."""


def start(function: int) -> int:
    """The number of the mark of where a function starts."""
    return -4 - 2 * function


def landing(site: int) -> int:
    """The number of the mark of where an exception lands."""
    return -5 - 2 * site


class Mark:
    """Where an activation of ``function`` starts, or ends; or where an exception comes to it.

    ``reads``: it stands for a code of the activation.

    Who takes it for a code has come to a wrong place.
    """

    __slots__ = ("function", "reads")
    folds: ClassVar[Folds]

    def __init__(self, function: Function | None = None, *, reads: bool = False) -> None:
        self.function = function
        self.reads = reads

    def __bool__(self) -> bool:
        return bool(next(self.folds.met().answers, True))

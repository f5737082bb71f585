"""What stands between the codes of a fold, where a call starts or returns; see ``folding``."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import ClassVar

    from .folding import Folds
    from .linking import Function


class Mark:
    """Where an activation of ``function`` starts, or where any returns.

    Who takes it for a code has come to a wrong place.
    """

    __slots__ = ("function",)
    folds: ClassVar[Folds]

    def __init__(self, function: Function | None = None) -> None:
        self.function = function

    def __bool__(self) -> bool:
        return bool(next(self.folds.met().answers, True))

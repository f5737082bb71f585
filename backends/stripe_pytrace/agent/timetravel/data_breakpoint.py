"""Which line changes what an expression holds: looked at after each step of a user's frame.

Between two events of the interpreter (a line, the start or the end of a call) one user's frame
runs.  So a change that is seen at one of them was made by the line which that frame had come to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..values.content import Content, own_class
from .inspection import Expression

UNBOUND = "unbound"
"""What stands for a digest before a variable is set, or where an item is missing."""


class Watch:
    """Looks at an expression in one call of a user's function, or in a module.

    The call is the ``level``-th one from the outermost, from its event ``first`` on to ``last``.
    ``found``, for each change: the last event before it, and the level of the frame that made it
    (0: that was resumed since, and has come to no line).  ``frames``: the user's frames that there
    are, the innermost first.
    """

    def __init__(
        self,
        order: dict[str, Any],
        is_user_file: Callable[[str], bool],
        frames: Callable[[], list[Any]],
    ) -> None:
        self._expression = Expression(order["watch"])
        self._level, self._module = order["level"], order["module"]
        self._first, self._last = order["first"], order["last"]
        self._content = Content(own_class(is_user_file))
        self._frames = frames
        self._before: Any = None
        self._resumed = False
        self.found: list[tuple[int, int]] = []

    def see(self, now: int, level: int, *, resumes: bool = False) -> None:
        """Compare with what it held; the frame of ``level`` has run since, and ends to run now."""
        if self._first <= now <= self._last:
            digest = self._digest()
            if self._before is not None and digest != self._before:
                self.found.append((now, 0 if self._resumed else level))
            self._before = digest
        self._resumed = resumes

    def leave(self, now: int, level: int) -> None:
        """A call of this level ends."""
        self.see(now, level)
        if level == self._level and now >= self._first:
            self._last = 0  # and what it has is gone

    def arrive(self, now: int) -> None:
        """A line is about to be executed."""
        self._resumed = False
        if self._before is None and self._first <= now <= self._last:
            self._before = self._digest()

    def _digest(self) -> Any:
        try:
            if self._module:
                return self._content.digest(
                    eval(self._expression.code, vars(sys.modules[self._module]))
                )
            return self._content.digest(self._expression.value(self._frames()[-self._level]))
        except Exception:
            return UNBOUND

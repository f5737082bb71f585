"""Which lines of the user's files a test executes, and what its variables hold there."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

from .moments import current_frame
from .monitor import DISABLE, events, monitoring, take_tool_id

MOST_LOOKS = 200
"""Times the variables are looked at in one line."""

MOST_VALUES = 6
"""Values of a variable that are kept."""


class Spectrum:
    """``lines`` by file: what was executed since :meth:`begin`.

    With ``values``, also what local variables held, as source text, by function and name.
    """

    def __init__(self, wants: Callable[[str], bool], values: bool = False) -> None:
        self._wants = wants
        self._known: dict[str, bool] = {}
        self._tool = take_tool_id("stripe")
        self._looks: dict[tuple[str, str, int], int] = {}
        self._deep = values
        self.lines: dict[str, set[int]] = {}
        self.values: dict[tuple[str, str], dict[str, list[str]]] = {}

    def begin(self) -> None:
        """Look, from now on."""
        self.lines = {}
        monitoring.restart_events()
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.set_events(self._tool, events.LINE)

    def end(self) -> dict[str, list[int]]:
        """Look no more; the lines of each file."""
        monitoring.set_events(self._tool, 0)
        return {path: sorted(lines) for path, lines in self.lines.items()}

    def close(self) -> None:
        """Let others have what it takes to look."""
        monitoring.free_tool_id(self._tool)

    def _line(self, code: CodeType, line: int) -> Any:
        wanted = self._known.get(code.co_filename)
        if wanted is None:
            wanted = self._known[code.co_filename] = self._wants(code.co_filename)
        if not wanted:
            return DISABLE
        self.lines.setdefault(code.co_filename, set()).add(line)
        if not self._deep:
            return DISABLE
        place = code.co_filename, code.co_qualname, line
        looks = self._looks[place] = self._looks.get(place, 0) + 1
        self._look(code)
        return DISABLE if looks >= MOST_LOOKS else None

    def _look(self, code: CodeType) -> None:
        frame = current_frame(code)
        if code.co_name == "<module>":
            return
        known = self.values.setdefault((code.co_filename, code.co_qualname), {})
        for name, value in frame.f_locals.items():
            text = literal(value)
            if text is not None:
                texts = known.setdefault(name, [])
                if text not in texts and len(texts) < MOST_VALUES:
                    texts.append(text)


def literal(value: Any) -> str | None:
    """A small plain value as source text: ``True`` and ``1`` are two."""
    kind = type(value)
    if value is None or kind is bool:
        return repr(value)
    if kind is int:
        return repr(value) if -(10**9) < value < 10**9 else None
    if kind is float:
        text = repr(value)
        return text if text not in ("inf", "-inf", "nan") else None
    if kind in (str, bytes):
        return repr(value) if len(value) <= 20 else None
    if kind in (list, dict, tuple, set) and not value:
        return repr(value)
    return None

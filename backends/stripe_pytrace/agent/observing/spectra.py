"""Which lines of the user's files a test executes, and what its variables hold there."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import AsyncGeneratorType, CodeType, CoroutineType, FunctionType, GeneratorType
from typing import Any

from ..recording.monitor import DISABLE, events, monitoring, take_tool_id
from .line_events import current_frame

MOST_LOOKS = 200
"""Times the variables are looked at in one line."""

MOST_VALUES = 6
"""Values of a variable that are kept."""

MOST_ATTRIBUTES = 24
"""Attributes of an object that are kept."""

SEQUENCES = (list, tuple, str, bytes)


Place = tuple[str, tuple[str, int]]
"""A function: its file, its qualified name and first line."""

GENERATORS: tuple[tuple[type, str], ...] = (
    (GeneratorType, "gi_code"),
    (CoroutineType, "cr_code"),
    (AsyncGeneratorType, "ag_code"),
)


class Spectrum:
    """``lines`` by file: what was executed since :meth:`begin`.

    With ``values``, also what local variables held, as source text, by function and name: under
    ``name.`` the attributes that an object had in it, under ``name[]`` the type of a sequence.
    """

    def __init__(self, wants: Callable[[str], bool], values: bool = False) -> None:
        self._wants = wants
        self._known: dict[str, bool] = {}
        self._codes: dict[int, CodeType] = {}  # two that are equal are two
        self._tool = take_tool_id("stripe")
        self._looks: dict[tuple[str, str, int], int] = {}
        self._deep = values
        self.lines: dict[str, set[int]] = {}
        self.values: dict[tuple[str, str], dict[str, list[str]]] = {}

    def begin(self) -> None:
        """Look, from now on."""
        self.lines = {}
        monitoring.restart_events()
        for event in (events.PY_START, events.PY_RESUME):
            monitoring.register_callback(self._tool, event, self._begun)
        monitoring.register_callback(self._tool, events.PY_THROW, self._begun_by_throw)
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.set_events(self._tool, events.PY_START | events.PY_RESUME | events.PY_THROW)
        frame: Any = sys._getframe(1)
        while frame is not None:  # what goes on
            self._begun(frame.f_code)
            frame = frame.f_back

    def end(self) -> dict[str, list[int]]:
        """Look no more; the lines of each file."""
        monitoring.set_events(self._tool, 0)
        for code in self._codes.values():
            monitoring.set_local_events(self._tool, code, 0)
        self._codes.clear()
        return {path: sorted(lines) for path, lines in self.lines.items()}

    def close(self) -> None:
        """Let others have what it takes to look."""
        monitoring.free_tool_id(self._tool)

    def _begun(self, code: CodeType, *_: Any) -> Any:
        """A function is executed: to look for lines in those of libraries takes a good while."""
        wanted = self._known.get(code.co_filename)
        if wanted is None:
            wanted = self._known[code.co_filename] = self._wants(code.co_filename)
        if wanted and id(code) not in self._codes:
            self._codes[id(code)] = code
            monitoring.set_local_events(self._tool, code, events.LINE)
        return DISABLE

    def _begun_by_throw(self, code: CodeType, *_: Any) -> None:
        self._begun(code)

    def _line(self, code: CodeType, line: int) -> Any:
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
            if type(value) in SEQUENCES:
                known.setdefault(f"{name}[]", [type(value).__name__])
            elif text is None and f"{name}." not in known and (parts := attributes(value)):
                known[f"{name}."] = parts


class Started:
    """Which functions have been executed since this was made; ``functions``: those to look at."""

    def __init__(self, functions: Mapping[Place, Sequence[FunctionType]]) -> None:
        self._tool = take_tool_id("stripe")
        self._codes = {each.__code__ for found in functions.values() for each in found}
        self._found: dict[str, set[int]] = {}
        monitoring.register_callback(self._tool, events.PY_START, self._start)
        for code in self._codes:
            monitoring.set_local_events(self._tool, code, events.PY_START)

    def _start(self, code: CodeType, _offset: int) -> Any:
        self._found.setdefault(code.co_filename, set()).add(code.co_firstlineno)
        return DISABLE

    def end(self, new: Iterable[Place]) -> None:
        """Look no more.  ``new``: functions that came to be; who knows what made them."""
        for code in self._codes:
            monitoring.set_local_events(self._tool, code, 0)
        monitoring.free_tool_id(self._tool)
        for path, (_, line) in new:
            self._found.setdefault(path, set()).add(line)

    def generators(self) -> None:
        """Those that are there, begun or not, have their code.  What is frozen is not found."""
        for each in gc.get_objects():
            for kind, name in GENERATORS:
                if type(each) is kind:
                    self._start(getattr(each, name), 0)

    def within(self, path: str, first: int, last: int) -> bool:
        """Whether one of them is at these lines."""
        return any(first <= each <= last for each in self._found.get(path, ())) or last == 0


def attributes(value: Any) -> list[str]:
    """The data attributes that an object has, as far as nothing of its own runs to tell."""
    kinds = [each for each in type(value).__mro__ if each is not object]
    if isinstance(value, type) or not any("__dict__" in vars(each) or "__slots__" in vars(each)
                                          for each in kinds):  # fmt: skip
        return []
    try:
        found = dict.fromkeys(object.__getattribute__(value, "__dict__"))
    except AttributeError:
        found = {}
    for each in kinds:
        slots = vars(each).get("__slots__", ())
        found |= dict.fromkeys([slots] if isinstance(slots, str) else slots)
        found |= dict.fromkeys(
            name for name, part in vars(each).items() if isinstance(part, property)
        )
    plain = [each for each in found if isinstance(each, str) and not each.startswith("__")]
    return plain[:MOST_ATTRIBUTES]


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

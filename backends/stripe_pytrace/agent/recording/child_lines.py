"""Lines that run in processes which the program forks: nothing is recorded there.

Each child notes them in a file that all children append to; a line costs one callback in each.
"""

from __future__ import annotations

import os

from ..process.descriptors import moved
from .monitor import DISABLE, NoToolId, events, monitoring, take_tool_id

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType
    from typing import Any

    from ..compiling.code import UserFile


class ChildLines:
    """Has forked processes note the lines that they run.

    - ``path``: the file in which they do
    - ``wants``: whether a file is the user's
    - ``before``: what else a child does first
    """

    def __init__(
        self, path: str, wants: Callable[[str], bool], before: Callable[[], object]
    ) -> None:
        self._path, self._wants, self._before = path, wants, before
        self._descriptor = -1

    def begin(self) -> None:
        """In a child: note lines from here on."""
        self._before()
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            (self._descriptor,) = moved(os.open(self._path, flags, 0o600))
            tool = take_tool_id("stripe")
        except (OSError, NoToolId):
            return  # the lines are told as not executed
        monitoring.register_callback(tool, events.LINE, self._line)
        monitoring.set_events(tool, events.LINE)

    def _line(self, code: CodeType, line: int) -> Any:
        if self._wants(code.co_filename):
            try:
                os.write(
                    self._descriptor,
                    f"{line}\0{code.co_filename}\n".encode("utf-8", "surrogateescape"),
                )
            except OSError:
                pass  # the program has closed it, or the disk is full
        return DISABLE

    def take(self, files: Iterable[UserFile]) -> dict[str, set[int]]:
        """For each file, by path, the lines of statements that children ran."""
        try:
            with open(self._path, "rb") as stream:
                rows = set(stream.read().decode("utf-8", "surrogateescape").splitlines())
        except OSError:
            return {}
        known = {each.path: each for each in files}
        found: dict[str, set[int]] = {}
        for row in rows:
            line, _, path = row.partition("\0")
            if path in known and line.isdecimal():
                start = known[path].statement_line(int(line))
                if start is not None:
                    found.setdefault(path, set()).add(start)
        return found

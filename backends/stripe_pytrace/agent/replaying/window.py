"""Windowed replays: a part of the run was recorded, and all before and behind it takes effect.

Until as many activations have begun as had when the recorded part began, only those follow paths
that were open then.  The part is over where a path reads OVER, or where an activation begins
behind the last recorded event: from there on the program runs in full, and loops go on with the
iterators that they have (``OUTSIDE``).
"""

from __future__ import annotations

from ..compiling import sites
from .activation import OUTSIDE, named
from .modes import WINDOWED, Mode

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from ..compiling.linker import Function
    from .activation import Activation
    from .plan import Tables
    from .replay import Replayer


class Window(Mode):
    """Holds the tables back until the recorded part begins; gives them up when it is over."""

    name = WINDOWED

    def __init__(self, replayer: Replayer) -> None:
        self._replayer = replayer
        self._waiting: Tables | None = None

    def open(self, tables: Tables) -> Tables | None:
        """The tables that hold from the start; none if the recorded part is still to come."""
        self._waiting = tables if tables.before else None
        return None if tables.before else tables

    def begin(self, function: Function) -> Activation | None:
        replayer, tables = self._replayer, self._waiting
        if tables is None:
            return None
        if replayer.stack and replayer.stack[-1] is replayer.aside:
            return replayer.aside
        if function.code.co_name == "__del__":
            return replayer.free  # that comes when it comes
        if replayer.started < tables.before:
            number = tables.opened.get(replayer.started)
            replayer.started += 1
            if number is None:
                return replayer.free  # and had ended by then
            if tables.function(number) != function.number:
                replayer.diverge(f"calls {named(function.code)} where the recorded run did not")
            return replayer.paths.follow(function, number, tables)
        replayer.tables, self._waiting = tables, None
        return None

    def unrecorded(self) -> bool:
        """Whether the event that is happening is the last one that was recorded."""
        for caller in reversed(self._replayer.stack):
            if caller.number < 0 or caller.plan is None:
                return False
            if caller.happening() is not None:
                codes, index = caller.plan.codes, caller.ahead()
                if index < len(codes) and codes[index] == sites.OVER:
                    self.close()
                    return True
                return False
        return False

    def close(self) -> None:
        """The recorded part is over: the rest of the run takes effect as it comes."""
        replayer = self._replayer
        if replayer.tables is None and self._waiting is None:
            return
        OUTSIDE.add(0)
        if replayer.note is not None:
            replayer.note("the part that was recorded is over: all takes effect from here on")
        replayer.run_in_full()

    def over(self) -> None:
        self._waiting = None

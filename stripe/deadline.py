"""The deadline of a command, and its status messages."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from stripe.errors import NotReducible
from stripe.interrupts import Alarm, CutOff


class OutOfTime(NotReducible):
    """All the time there was (``--max-time``) is used up, and there is nothing to show yet."""


class Deadline:
    """When all that is done for one result must have ended.

    ``seconds``: from now on; ``None``: no limit.  ``tell`` hears what is done now, where that may
    take long and is no test: tests are told of by themselves.  ``least``: seconds that there are
    however few were asked for.  What is left for searches is a :class:`stripe.dd.Budget`.
    """

    def __init__(
        self,
        seconds: float | None = None,
        tell: Callable[[str], None] | None = None,
        *,
        least: float = 0.0,
    ) -> None:
        self.seconds = seconds
        self._began = time.monotonic()
        self._until = math.inf if seconds is None else self._began + max(seconds, least)
        self._tell = tell
        self._doing = ""

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    @property
    def left(self) -> float:
        """Seconds that are left; infinite without a limit."""
        return max(0.0, self._until - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether none are left."""
        return self.left <= 0

    @property
    def late(self) -> float:
        """Seconds for which it has been over; 0.0 as long as it is not."""
        return max(0.0, time.monotonic() - self._until)

    def limit(self, seconds: float) -> float:
        """As many seconds, or those that are left if these are fewer; never none: a moment."""
        return max(0.01, min(seconds, self.left))

    def share(self, share: float, least: float, most: float) -> float:
        """Seconds for a part that can be missed: a ``share`` of those left, within bounds."""
        return min(max(least, share * self.left), most)

    def start_phase(self, what: str) -> None:
        """Tell what is done now, such as ``running the program``; see :meth:`check`."""
        self.tell(what)
        self.check()

    def tell(self, what: str) -> None:
        """The same, where there is something to show already: without a check."""
        self._doing = what
        if self._tell is not None:
            self._tell(what)

    def check(self) -> None:
        """Raises :class:`OutOfTime` (``out-of-time``) if no time is left."""
        if self.over:
            raise self.missed()

    @contextmanager
    def cutting(self, grace: float = 0.0) -> Iterator[None]:
        """A context that is cut off once it is over, as by Ctrl-C, for what looks at no clock.

        ``grace``: seconds after it.  Raises :class:`OutOfTime`, in the main thread only.
        """
        try:
            with Alarm(self._until + grace - time.monotonic(), CutOff):
                yield
        except CutOff:
            raise self.missed() from None

    def missed(self) -> OutOfTime:
        """The error for having nothing to show by then."""
        return OutOfTime(
            "out-of-time",
            f"The {self.seconds:g} seconds of --max-time were over before there was anything "
            f"to show: they ended while {self._doing or 'getting ready'}.",
            "Give it more time (--max-time S) or less to do: a smaller input, or fewer source "
            "files that count as yours (--only, --exclude).",
        )

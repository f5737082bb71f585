"""A running activation and the path it walks: where it is, and how it ends."""

from __future__ import annotations

import sys
from itertools import chain, repeat, takewhile
from types import CodeType

from ..compiling import sites
from ..process.natives import bisect_left
from ..process.recursion_limit import ROOM, get_limit, set_limit
from .plan import Landing, Plan, Tables

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, ClassVar

NOTHING: Iterator[Any] = iter(())
IN_FORCE = {sites.END}
"""Emptied when plans no longer have a say."""
OUTSIDE: set[int] = set()
"""Holds 0 once the window is over."""
BEHIND: Iterator[int] = takewhile(IN_FORCE.__contains__, repeat(sites.END))
"""What is read behind the end of a path; for all of them, as it never ends."""
FREE = -1
"""What loops read when plans have no say any more: they go on as the program's own."""
AFTER: Iterator[int] = repeat(FREE)
BEYOND: Iterator[int] = chain(BEHIND, AFTER)
ODD = -(1 << 40)
"""The size of a plan whose codes are not those of the whole path."""


EXITS = {
    sites.OVER: "the end of the window",
    sites.LAND: "a landing",
    sites.LEAVE: "that an exception went on from here when recorded",
    sites.CAUGHT: "that untraced code caught what was raised here when recorded",
    sites.END: "the end of a path",
}
"""What codes that do not answer for themselves say, for people."""


class Leave(BaseException):
    """Control leaves for where the recorded run landed after an exception."""


def leaving_group(error: BaseException | None) -> bool:
    return isinstance(error, BaseExceptionGroup) and isinstance(error.exceptions[0], Leave)


class Activation:
    """A running activation: its plan, or none (``number`` is -1) if it runs in full.

    ``left`` is how the recorded one was left by an exception: LEAVE if that went on through
    its caller, CAUGHT if code that is not traced caught it, else 0.  One that evaluates annotations
    and returned has END: it is seen to, when it returns, that it comes to that.
    ``resumes``: of one that was suspended for good, how often its last event may be resumed.
    ``call`` is the row of the next call it is expected to make (see ``Tables.calls``).
    """

    __slots__ = (
        "_plan", "answers", "call", "codes", "entered", "held", "left", "number", "resumes",
        "size", "unread",
    )  # fmt: skip

    tables: ClassVar[Tables]

    def __init__(self) -> None:
        self.number = -1
        self.call = 0
        self.size = 0
        self.unread: Any = NOTHING
        self.answers: Iterator[Any] = NOTHING
        self.codes: Iterator[int] | None = None
        self.left = 0
        self.resumes = -1
        self.entered: dict[int, int] | None = None  # event: how many of its entries were used
        self.held: Any = None  # the codes of one that is kept as a whole
        self._plan: Plan | None = None

    def reading(self) -> Iterator[int]:
        """What reads on in the codes."""
        codes = self.codes
        if codes is None:
            codes = self.codes = chain(self.unread, BEHIND)
        return codes

    def looping(self) -> Iterator[int]:
        """The same for a loop."""
        return chain(self.unread, BEYOND)

    def used(self, event: int, count: int) -> None:
        """Note how many of an event's entries are used."""
        if self.entered is None:
            self.entered = {}
        self.entered[event] = count

    @property
    def plan(self) -> Plan | None:
        """The plan that is followed."""
        if self._plan is None and self.held is not None:
            self._plan = Plan.whole(self.tables.path(self.number), self.held)
        return self._plan

    def passed(self) -> int:
        """The index of the code read last."""
        size = self.size
        if size < 0:
            assert self._plan is not None
            size = len(self._plan.codes)
        return size - int(self.unread.__length_hint__()) - 1

    def position(self) -> int:
        """Where the code read last stands in the path, from which plans leave out what they can."""
        index = self.passed()
        return index if self._plan is None or index < 0 else self._plan.origin(index)

    def happening(self) -> int | None:
        """The number of the event that is happening; see ``Tables.event_at``."""
        position = self.position()
        return None if position < 0 else self.tables.event_at(self.number, position)

    def event(self) -> int | None:
        """The number of the recorded event that is happening."""
        event = self.happening()
        return None if event is None or event < 0 else event

    def within(self) -> bool:
        """Whether the code read last is a further one of the event that is happening."""
        plan, position = self.plan, self.position()
        assert plan is not None
        which = bisect_left(plan.path.positions, position)
        return which > 0 and list(plan.path.positions[which : which + 1]) != [position]

    def landing(self) -> Landing:
        """What is known of the landing that was read last."""
        return self.tables.landing(self.number, self.position())

    def ahead(self) -> int:
        """The index of the first code that comes after the event that is happening.

        If that is left by an exception, it has not come to read all of its own.
        """
        assert self.plan is not None
        codes, positions = self.plan.codes, self.plan.path.positions
        index = self.passed() + 1
        while index < len(codes) and codes[index] <= sites.LAST_BRANCH:
            position = self.plan.origin(index)
            which = bisect_left(positions, position)
            if which < len(positions) and positions[which] == position:
                break
            index += 1
        return index

    def at_last_event(self) -> bool:
        assert self.plan is not None
        positions = self.plan.path.positions
        index = self.passed()
        return not positions or (index >= 0 and self.plan.origin(index) >= positions[-1])


def following(number: int, call: int, plan: Plan, exits: Any) -> Activation:
    """One that follows a plan of its own."""
    unread = iter(plan.codes)
    codes = chain(unread, BEHIND)
    whole = len(plan.starts) == 1 and plan.origins == [0]
    activation = Activation()
    activation.number, activation.call = number, call
    activation.size = len(plan.codes) if whole else ODD
    activation.unread, activation.codes = unread, codes
    activation.answers = map(exits.__getitem__, codes)
    activation._plan = plan
    activation.resumes = plan.path.resumes
    if plan.codes and plan.codes[-1] in (sites.LEAVE, sites.CAUGHT):
        activation.left = plan.codes[-1]
    return activation


class Exits(dict[int, int]):
    """Codes that answer for themselves; the others end the activation or the replay."""

    def __init__(
        self,
        strict: bool,
        diverge: Callable[[str], Any],
        beyond: Callable[[], object],
        caught: Callable[[CodeType], object],
        note: Callable[[str], object] | None,
    ) -> None:
        """``beyond`` is called when control is beyond the end of a path; ``note``: see there.

        ``caught`` is called when an activation, of this code, would have to end by an exception
        that code that is not traced caught when recorded.
        """
        self.beyond = beyond
        self.caught = caught
        self.over: Callable[[], object] = lambda: None  # is called at the end of a window
        self.windowed = False  # loops may have to go on beyond it
        super().__init__((code, code) for code in range(sites.LAST_BRANCH + 1))
        self.strict = strict
        self.diverge = diverge
        self.ended: Callable[[Any], object] = id  # is told what a loop that ends fetches last
        self.leaving = False  # Leave was raised, and has not been seen on its way yet
        self.note = note

    def __missing__(self, code: int) -> int:
        limit = get_limit()
        set_limit(limit + ROOM)
        try:
            if self.note is not None:
                self.note(f"reads {EXITS.get(code, code)}")
            if code == sites.OVER:
                self.over()
                raise StopIteration
            if code == sites.LAND:
                self.diverge("control did not arrive where it was caught when recorded")
            if code == sites.CAUGHT:
                self.caught(sys._getframe(1).f_code)
            if code == sites.END:
                self.beyond()
            if code == sites.END and self.strict:
                self.diverge("an activation went on beyond its recorded end")
        finally:
            set_limit(limit)
        self.leaving = True
        raise Leave


def named(code: CodeType) -> str:
    """A function and where it is, for people."""
    name = code.co_qualname
    if not name.endswith(">"):
        name += "()"
    return f"{name} ({code.co_filename}:{code.co_firstlineno})"

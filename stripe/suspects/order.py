"""In which order changes are tried: small ones on suspicious lines first, and some of each line."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from stripe.interventions import Intervention, Line, Test
from stripe.suspects.ranks import SIZE

SLOW_PATTERN = 2.5
"""How many sizes a pattern is behind others whose trial takes a process of its own."""

SELDOM = frozenset({"variable", "attribute", "method", "string", "conversion", "copy"})
"""There are many of these kinds, and few of them repair anything..."""

LATER = 1.0
"""...so they are so many sizes behind others."""

OTHERS_FIRST = 0.25
"""So many sizes is a change behind each time that those before it at its line are twice as many.

What repairs something is as likely at the next line as in the hundredth change of this one."""

TRACEBACK = 2.0
"""So many sizes earlier comes the line where a traceback ends; half as many the one that called it,
and so on."""

LINES_AT_ONCE = 64
"""The changes of so many lines are listed together: to list 145,000 of click's took 49 seconds on a
busy machine, of which 1,500 are tried in a minute."""

SLACK = 1.0
"""So many sizes may the changes of a line come later than its suspicion says: else those of all
lines that are equally suspicious would be listed first."""


def of_traceback(failing: Sequence[Test]) -> dict[Line, float]:
    """How many sizes earlier lines come that are in the traceback of the quickest failing test.

    That of a test that fails by an assertion of its own has none but the test's.
    """
    quickest = min(failing, key=lambda each: each.seconds, default=None)
    found: dict[Line, float] = {}
    if quickest is not None and quickest.failure is not None:
        for frame in reversed(quickest.failure.frames):
            line = Line(frame.file, frame.line)
            if line in quickest.lines and line.file != quickest.own:
                found.setdefault(line, TRACEBACK / 2 ** len(found))
    return found


class Agenda:
    """All changes at some lines, those first that are to be tried first.

    ``scores``: of lines by the spectrum; ``traceback``: how many sizes earlier some come.
    ``listing``: tells the changes of lines; it is asked about the most suspicious ones first, and
    about others when it is their turn.  ``listed``: what it has told.  ``unlisted``: lines that it
    was not asked about yet.
    """

    def __init__(
        self,
        scores: Mapping[Line, float],
        traceback: Mapping[Line, float],
        listing: Callable[[Sequence[Line]], Sequence[Intervention]],
    ) -> None:
        self._listing = listing
        most = max(scores.values(), default=0.0) or 1.0
        self._behind = {
            line: (1.0 - score / most) / SIZE - traceback.get(line, 0.0)
            for line, score in scores.items()
        }
        self.unlisted = sorted(scores, key=lambda line: (self._behind[line], line))
        self.listed: list[Intervention] = []
        self._heap: list[tuple[tuple[bool, float, int], int]] = []

    def __iter__(self) -> Iterator[Intervention]:
        while True:
            while self.unlisted and not self._is_next():
                self._list()
            if not self._heap:
                return
            yield self.listed[heapq.heappop(self._heap)[1]]

    def _is_next(self) -> bool:
        """Whether the best that is listed is as good as what may come, but for the slack."""
        if not self._heap:
            return False
        slow, size, _ = self._heap[0][0]
        return not slow and size < 1.0 + self._behind[self.unlisted[0]] + SLACK

    def _list(self) -> None:
        """List the changes of the next lines; those of one line go on where they ended before."""
        first = len(self.listed)
        self.listed += self._listing(self.unlisted[:LINES_AT_ONCE])
        self.unlisted = self.unlisted[LINES_AT_ONCE:]
        numbers = range(first, len(self.listed))
        before: Counter[Line] = Counter()
        for (slow, size, line), number in sorted(
            (self._cost(self.listed[number]), number) for number in numbers
        ):
            at = self.listed[number].at
            before[at] += 1
            cost = slow, size + OTHERS_FIRST * math.log2(before[at]), line
            heapq.heappush(self._heap, (cost, number))

    def _cost(self, change: Intervention) -> tuple[bool, float, int]:
        first = Line(change.at.file, change.first)
        behind = self._behind.get(change.at, self._behind.get(first, 1.0 / SIZE))
        # Of what is slow, patterns are mistaken most often: before something is inserted.
        pattern = change.slow and change.kind == "pattern"
        size = change.size + SLOW_PATTERN * pattern + LATER * (change.kind in SELDOM)
        return change.slow and not pattern, size + behind, change.at.line

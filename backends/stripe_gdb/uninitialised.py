"""What memory holds that nothing has written, varied from replay to replay.

See ``inside/poison.py``.  A program may read such memory in its plain run, too: a bug, perhaps the
one that is looked for.  What it finds there is then left as it is, as far as that is needed for the
full replay to do what the run did, and a note says where.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence, Set

VARIABLE = "GLIBC_TUNABLES"
NOT_FILLED = "0x00"
FILLED = ("0x5a", "0xff", "0xa5")
"""What the C library is told for each filling: the complement of what new memory is filled with."""

USUAL, WITHOUT = 7, 0
"""How many freed pieces of a size are kept to be used again, which are never filled."""

NOTES = (
    "The program reads heap memory that nothing has written, or that it has freed: replays do not "
    "vary what it finds there.",
    "The program depends on where its heap is, or reads memory that it has freed: replays do not "
    "vary what it finds in memory that is used again.",
)

FILLINGS = len(FILLED)
ATTEMPTS = 12
"""Functions that are looked for one by one; if there are more, no function's frame is filled."""


def tunables(heap: str = NOT_FILLED, count: int = USUAL) -> str:
    """The value of :data:`VARIABLE`, always of the same length."""
    given = os.environ.get(VARIABLE, "")
    told = f"{given}:glibc.malloc.tcache_count={count}:glibc.malloc.perturb={heap}"
    return told.lstrip(":")


class Varying:
    """What is filled: the frames of all functions but ``spared`` (their entry blocks), and of the
    ``heap`` all (2), all but what is used again at once (1), or nothing (0).
    """

    def __init__(self, *, heap: bool) -> None:
        self.heap = 2 if heap else 0
        self.spared: Set[int] = frozenset()
        self.everything: Sequence[int] = ()

    def request(self, variant: int) -> dict[str, object]:
        """What a request for a replay says of it."""
        heap = FILLED[variant] if self.heap else NOT_FILLED
        count = WITHOUT if self.heap == 2 else USUAL
        return {
            "poison": variant,
            "spared": sorted(self.spared),
            "environment": {VARIABLE: tunables(heap, count)},
        }

    def find_spared(
        self, functions: Sequence[int], agrees: Callable[[int], bool], names: Mapping[int, str]
    ) -> list[str] | None:
        """Find out what has to be left as it is; notes on that.

        ``functions`` ran, in this order; ``agrees`` tells whether the full replay with a filling
        does what the recorded run did.  ``None`` if it does not, whatever is left as it is.
        """
        self.everything, notes, found = functions, [], list[int]()
        while (variant := self._unlike(agrees)) is not None:
            self.spared = frozenset(functions)
            if not agrees(variant):
                if not self.heap:
                    return None
                self.heap -= 1
                notes = [NOTES[self.heap]]
                self.spared = frozenset(found)
                continue
            if len(found) == ATTEMPTS:
                found = list(functions)
                break
            found.append(self._culprit(functions, found, variant, agrees))
            self.spared = frozenset(found)
        if found:
            where = ", ".join(names.get(each, "?") for each in found[:3])
            notes.append(
                f"The program reads local variables that nothing has written ({where}"
                f"{', ...' if found[3:] else ''}): replays do not vary what it finds there."
            )
        return notes

    def _unlike(self, agrees: Callable[[int], bool]) -> int | None:
        """A filling with which the full replay does something else."""
        if not self.heap and len(self.spared) == len(self.everything):
            return None
        return next((each for each in range(FILLINGS) if not agrees(each)), None)

    def _culprit(
        self, functions: Sequence[int], found: Sequence[int], variant: int,
        agrees: Callable[[int], bool],
    ) -> int:  # fmt: skip
        """The function whose frame, filled after those of all before it, makes the difference."""
        low, high = 0, len(functions)  # filling as many agrees; does not
        while high - low > 1:
            middle = (low + high) // 2
            self.spared = frozenset((*functions[middle:], *found))
            if agrees(variant):
                low = middle
            else:
                high = middle
        return functions[low]

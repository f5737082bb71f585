"""Calls in which everything is regular, as replays read them in one go (``agent/folding.py``)."""

from __future__ import annotations

from array import array
from collections.abc import Container, Sequence

from stripe.trace import NONE
from stripe_pytrace.activations import Finished
from stripe_pytrace.agent import sites

RETURN = -1


def fold(
    finished: Sequence[Finished],
    functions: Sequence[int],
    callers: Sequence[int],
    activation_of: Sequence[int],
    position_of: Sequence[int],
    whole: Sequence[int],
    unsuited: Container[int],
) -> tuple[array[int], array[int], array[int], array[int]]:
    """The codes of activations in the order in which they are read, and where whose are.

    Of activations that consist, with all that they call, of simple statements, branches and loops,
    and call something: kept codes, and between them -2 minus the function where one starts, and -1
    where it returns. ``callers``: by activation, the event that called it; ``whole``: which of
    them are found at once, see ``call_rows``; ``unsuited``: functions that read otherwise.

    Returns:
        these codes, and by activation where its own begin (0 if they are not there), where it
        returns, and the last activation in it.
    """
    count = len(finished)
    parents = [NONE if event == NONE else activation_of[event] for event in callers]
    pure, last, size = bytearray(count), array("i", range(count)), array("i", [1]) * count
    broken = bytearray(count)  # something in it is irregular
    for number in reversed(range(count)):
        parent = parents[number]
        regular = (
            not broken[number]
            and whole[number]
            and functions[number] not in unsuited
            and last[number] - number + 1 == size[number]
        )
        pure[number] = regular
        if parent != NONE:
            size[parent] += size[number]
            last[parent] = max(last[parent], last[number])
            if not regular:
                broken[parent] = 1
    stream = array("i", [0])
    at, end = array("i", [0]) * count, array("i", [0]) * count
    open_: list[int] = []
    read: list[int] = []

    def close() -> None:
        ended, done = open_.pop(), read.pop()
        stream.extend(finished[ended][1][done:])
        end[ended] = len(stream)
        stream.append(RETURN)

    for number in range(count):
        parent = parents[number]
        while open_ and open_[-1] != parent:
            close()
        if not open_ and (size[number] == 1 or not pure[number]):
            continue
        if open_:
            now = position_of[callers[number]] + 1
            stream.extend(finished[parent][1][read[-1] : now])
            read[-1] = max(read[-1], now)
        stream.append(RETURN - 1 - functions[number])
        at[number] = len(stream)
        open_.append(number)
        read.append(0)
    while open_:
        close()
    return stream, at, end, last


def found_at_once(calls: Sequence[int], row: Sequence[int], width: int) -> bytearray:
    """By activation, whether a call of it is, and whether all of it answers for itself."""
    return bytearray(
        which != 0 and calls[which * width + width - 1] == sites.WHOLE for which in row
    )

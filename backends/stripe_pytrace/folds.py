"""Calls in which all is regular, as ``agent/replaying/folds.py`` reads them in one go."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence

from stripe.trace import NONE
from stripe.trace.columns import LONG, Column, Numbers
from stripe_pytrace.activations import Finished
from stripe_pytrace.agent.compiling import sites
from stripe_pytrace.agent.compiling.marks import RAISES, RETURN, UNWIND, landing, start


def fold(
    finished: Sequence[Finished],
    functions: Sequence[int],
    callers: Sequence[int],
    activation_of: Sequence[int],
    position_of: Sequence[int],
    whole: Sequence[int],
    unsuited: Container[int],
    site_kind: Sequence[int],
    reraised: Container[int],
) -> tuple[Numbers, array[int], array[int], array[int]]:
    """The codes of activations in the order in which they are read, and where whose are.

    Of activations that consist, with all that they call, of simple statements, branches, loops, and
    exceptions that handlers catch, and call something: kept codes, and between them marks (see
    ``agent/compiling/marks.py``) where one starts, returns, or is left by an exception, and where
    an exception comes to one and where it lands. ``callers``: by activation, the event that called
    it; ``whole``: which of them are found at once, see ``call_rows``; ``unsuited``: functions that
    read otherwise; ``site_kind``: of the sites of landings; ``reraised``: activations in which an
    exception was raised again.

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
            and number not in reraised
            and (whole[number] == 1 or regularly(finished[number], position_of, site_kind))
            and last[number] - number + 1 == size[number]
        )
        pure[number] = regular
        if parent != NONE:
            size[parent] += size[number]
            last[parent] = max(last[parent], last[number])
            if not regular:
                broken[parent] = 1
    folded = Column(array("i", [0]))
    stream = folded.tail
    at, end = array("i", [0]) * count, array("i", [0]) * count
    open_: list[int] = []
    read: list[int] = []

    def close() -> None:
        ended, done = open_.pop(), read.pop()
        stream.extend(told(finished[ended], done, None))
        end[ended] = len(folded)
        codes = finished[ended][1]
        left = codes[-1:] in (bytes([sites.LEAVE]), bytes([sites.CAUGHT]))
        stream.append(UNWIND if left else RETURN)
        if len(stream) >= LONG:
            folded.spill()

    for number in range(count):
        parent = parents[number]
        while open_ and open_[-1] != parent:
            close()
        if not open_ and (size[number] == 1 or not pure[number]):
            continue
        if open_:
            now = position_of[callers[number]] + 1
            stream.extend(told(finished[parent], read[-1], now))
            read[-1] = max(read[-1], now)
        stream.append(start(functions[number]))
        at[number] = len(folded)
        open_.append(number)
        read.append(0)
    while open_:
        close()
    return folded.done(), at, end, last


def regularly(each: Finished, position_of: Sequence[int], site_kind: Sequence[int]) -> bool:
    """Whether all exceptions of an activation are raised by simple events, and handled or not."""
    _, codes, events, _, landings, _ = each
    before = 0
    for index, code in enumerate(codes):
        if code > sites.LAST_BRANCH:
            last = index + 1 == len(codes)
            if code in (sites.LEAVE, sites.CAUGHT):
                which = bisect_left(events, index - 1, key=position_of.__getitem__)
                raised = which < len(events) and position_of[events[which]] == index - 1
                if not raised or not (last or codes[index + 1] == sites.LAND):
                    return False
            elif code != sites.LAND:
                return False
            else:
                kind = sites.HANDLER if before == sites.LEAVE else sites.FINALLY
                if site_kind[landings[index][0]] != kind:
                    return False
        before = code
    return True


def told(each: Finished, first: int, end: int | None) -> Iterable[int]:
    """The codes of an activation from ``first`` to ``end``, with marks where they are special."""
    _, codes, _, _, landings, _ = each
    part = codes[first:end]
    if max(part, default=0) <= sites.LAST_BRANCH:
        return part
    return (
        code
        if code <= sites.LAST_BRANCH
        else landing(landings[index][0])
        if code == sites.LAND
        else RAISES
        for index, code in enumerate(part, first)
    )


def found_at_once(calls: Sequence[int], row: Sequence[int], width: int) -> bytearray:
    """By activation: 1 if a call of it is, and all of it answers for itself; 2 if not all does."""
    kinds = {sites.WHOLE: 1, sites.SPECIAL: 2}
    return bytearray(which and kinds.get(calls[which * width + width - 1], 0) for which in row)

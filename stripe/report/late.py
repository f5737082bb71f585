"""A long report is cut once the time of its command is over, and says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stripe.deadline import Deadline

FEWEST_LINES = 1000
"""Lines that are shown however late it is."""

CUT = (
    "The rest is left out here: the time of --max-time is over. --json FILE keeps the result, and "
    "stripe show FILE, which has no limit, shows all of it."
)


def cut_late(lines: Iterable[str], deadline: Deadline) -> Iterator[str]:
    """The lines; those after :data:`FEWEST_LINES` only as long as the ``deadline`` is not over."""
    for number, line in enumerate(lines):
        if number >= FEWEST_LINES and deadline.over:
            yield CUT
            return
        yield line

"""The decisions of a replay, a line each, so that a wrong one can be read (``STRIPE_LOG=replay``).

They are in memory that a run shares with the process that has forked it: what kills the run leaves
them there.
"""

from __future__ import annotations

from mmap import mmap

from ..process.natives import Struct

LENGTH = Struct("=I")
MOST_BYTES = 1 << 22
"""Of one replay; what comes after that is not noted."""


class Decisions:
    """The lines so far.  Events are named ``event 17``: the host puts in what people call them."""

    def __init__(self) -> None:
        self._memory = mmap(-1, LENGTH.size + MOST_BYTES)

    def note(self, line: str) -> None:
        """Add a line."""
        (length,) = LENGTH.unpack_from(self._memory, 0)
        data = line.encode("utf-8", "replace") + b"\n"
        end = length + len(data)
        if end <= MOST_BYTES:
            self._memory[LENGTH.size + length : LENGTH.size + end] = data
            LENGTH.pack_into(self._memory, 0, end)

    def take(self) -> str:
        """All lines; there are none from then on."""
        (length,) = LENGTH.unpack_from(self._memory, 0)
        LENGTH.pack_into(self._memory, 0, 0)
        return self._memory[LENGTH.size : LENGTH.size + length].decode("utf-8", "replace")

"""Deep replays: programs that recurse to the limit fail at the depth at which they fail plainly.

All code is heard of, as when recorded (``recording/depth.py``), to the end of the program: also
once the recorded part is over, for who recurses to the limit needs it where it is.
"""

from __future__ import annotations

from ..recording.depth import DEEP as EVENTS
from ..recording.depth import deepened
from .modes import DEEP, Mode

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from .modes import Callbacks


class Depth(Mode):
    """``room``: levels of recursion that callbacks may need."""

    name = DEEP
    levels = 1
    events = EVENTS

    def __init__(self, room: int) -> None:
        self._room = room

    def wrapped(self, callbacks: Callbacks) -> Callbacks:
        return deepened(callbacks, self._room)

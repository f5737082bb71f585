"""The modes of a replay: what a mode may decide, and the table of which go together.

Every replay follows recorded paths.  Other modes are needed, by the program or by who asks
(``NEEDED``), or are faster ways that are taken wherever the table has no word against them
(``EXCLUDED``).  Agent and host read it, and no other place decides that.  With
``STRIPE_LOG=replay`` each replay names its modes.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from ..compiling.linker import Function
    from .activation import Activation

type Callbacks = dict[int, Callable[..., Any]]

PATHS, FORKED = "path-following", "forked"
WINDOWED, THREADED, DEEP = "windowed", "threaded", "deep"
STRICT, LOOKING, CUT, SLOW = "strict", "looking", "cut", "slow"

FIRST = "first"
"""Forks begin where the program's first activation does; those of a test at one of its marks."""

NEEDED = {
    WINDOWED: "`--window`: only a part of the run was recorded",
    THREADED: "the program starts threads",
    DEEP: "the program recurses to the limit",
    STRICT: "`--control strict`: conditions must come out as recorded",
    LOOKING: "values are shown, or compared",
    CUT: "`--check hang`: the recorded run was cut off",
    SLOW: "the program does otherwise without the teardown of modules",
}
"""Modes that a replay has to have, and by what."""

FASTER = {
    FORKED: "tests of a module (`-m`) begin at the first event of the user's code",
}
"""Modes that only make replays faster, and when."""

EXCLUDED = {
    FORKED: {
        WINDOWED: "the recorded part begins later",
        THREADED: "a fork has one thread",
        DEEP: "a fork is made some levels above the program",
        LOOKING: "who looks is another process",
        CUT: "limits of time count from the start",
        SLOW: "a fork shares what is torn down",
    },
}
"""For each faster mode those that it does not go together with, and why."""


def goes_with(faster: str, modes: Iterable[str]) -> bool:
    """Whether a faster mode may be taken beside others."""
    return EXCLUDED[faster].keys().isdisjoint(modes)


class Mode:
    """A mode of a replay, asked by the ``Replayer`` in the order of these methods.

    All modes of a replay have the replayer's state in common (its stack of activations, what is
    kept, which activations have begun); what a mode keeps besides is in its own object.
    """

    name = ""
    levels = 0
    """Of recursion that its callbacks take, beside those of all."""
    events = 0
    """Of ``sys.monitoring``, which it hears of in all code."""

    def wrapped(self, callbacks: Callbacks) -> Callbacks:
        """Before the program runs: the callbacks as they are with this mode."""
        return callbacks

    def begin(self, function: Function) -> Activation | None:
        """A function starts, and its caller's row does not tell which activation that is.

        The first mode that knows decides.
        """

    def unrecorded(self) -> bool:
        """No mode knows of what starts: whether that may run in full all the same."""
        return False

    def over(self) -> None:
        """What starts from here on is no part of the recorded run."""

"""Levels of recursion: what STRIPE needs of them, the program must not notice.

Callbacks run above the innermost frame of the program. The limit has headroom for them, and the
callback for the start of a function uses all of it, so that a program fails at the depth at which
it fails plainly. So little is enough because what needs more raises the limit meanwhile::

    limit = get_limit()
    set_limit(limit + ROOM)
    try: ...
    finally: set_limit(limit)

which a frame next to the program's can do, not one further up: no limit can be set that is in use.
"""

from __future__ import annotations

import sys

HEADROOM = 3
"""Levels that a callback has, see ``program.with_headroom``."""
MORE = 7
"""Further ones where our functions are called by the program, and call others."""
ROOM = 60

# As they are before the program is given ones that hide us.
get_limit, set_limit = sys.getrecursionlimit, sys.setrecursionlimit


def level() -> None:
    """Fail with RecursionError unless there are two more levels of recursion."""
    last_level()


def last_level() -> None:
    """Fail with RecursionError unless there is one more level of recursion."""


def sound(levels: int) -> None:
    """Fail with RecursionError unless there are ``levels`` more levels of recursion."""
    if levels > 1:
        sound(levels - 1)

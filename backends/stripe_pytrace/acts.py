"""What a recorded program did to the world, for people."""

from __future__ import annotations

from collections.abc import Sequence

from stripe.sandbox.walls import Layer

UNREMARKABLE = ("start", "load", "import", "ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle")
"""Acts that are no news to the user."""

PROCESSES = (
    "The program starts processes by os.fork: what they run is not recorded, and lines that only "
    "they ran are marked ~. To have it recorded, call it in the program's own "
    "process (map() in place of Pool.map())."
)
"""A note."""


def describe_acts(done: Sequence[tuple[str, str]], layer: Layer, *, live: bool) -> list[str]:
    """What the program did outside of its scratch copy, as notes, and what of it lasts."""
    if live:
        fate = "for real, once (--live)"
    elif layer is Layer.NONE:
        fate = "for real, in replays, too"
    else:
        fate = "in the sandbox only"
    forked = [PROCESSES] if any(what == "os.fork" for what, _ in done) else []
    return forked + [
        f"The program does this outside its scratch copy, {fate}: {what} {which}".strip()
        for what, which in done
        if what not in UNREMARKABLE
    ]

"""Standing in: a fork of the agent runs to where it stays, and answers the host in its stead.

The agent waits meanwhile, and answers again when the fork has left.  If that ends in any other way,
the agent does so too: then the host knows that there is no answer.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import os
import time

from .server import WARDEN, load, stand_alone

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

FILES = (
    (0, "stdin", os.O_RDONLY),
    (1, "out", os.O_WRONLY | os.O_APPEND),
    (2, "err", os.O_WRONLY | os.O_APPEND),
)


class Stands:
    """What stands in for a server, one at a time; ``orphans``: see ``serve``."""

    def __init__(self, orphans: str) -> None:
        self._bury = load(orphans, os, signal, time)["bury"]

    def ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Fork, and wait for the end of that; in the fork, returns the request."""
        child = os.fork()
        if child == 0:
            stand_alone()
            os.chdir(request["directory"])
            for number, name, flags in FILES:
                opened = os.open(request[name], flags)
                os.dup2(opened, number)
                os.close(opened)
            return request
        _, status = os.waitpid(child, 0)
        self._bury(group=child)
        if WARDEN is not None:
            WARDEN.renew()
        if status:
            os._exit(1)
        return None

    def end_all(self) -> None:
        """Nothing stands in while requests come to the server."""

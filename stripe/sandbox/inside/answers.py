"""Which system calls behind Landlock wait for an answer, and who answers them."""

from __future__ import annotations

import errno
import os

from . import loopback, metadata, own_folders, seccomp
from .supervisor import Denials, Supervisor

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any, NoReturn

    from .supervisor import Caller, Handler

LOOKS = own_folders.LOOKS

_REFUSED = tuple(
    name
    for name in seccomp.BESIDE_LANDLOCK
    if name not in metadata.HANDLERS and name not in ("socket", *seccomp.KEYS)
)
"""What fails in any case, and is written down."""

SUPERVISED = (
    *own_folders.HANDLERS,
    *metadata.HANDLERS,
    *("socket", "bind", "listen", "connect", "getsockname", "getpeername"),
    *_REFUSED,
)


def supervisor(
    listener: int, plan: dict[str, Any], writable: Collection[str], denials: str
) -> Supervisor:
    """Who answers what ``listener`` asks, for a command of this plan that may write in folders.

    ``denials``: the file in which what our rules deny is written down.
    """
    handlers: dict[str, Handler] = {
        **own_folders.HANDLERS,
        **metadata.HANDLERS,
        **loopback.Sockets().handlers,
        **{name: _refused(name) for name in _REFUSED},
    }
    own = own_folders.OwnFolders(
        os.fsencode(os.path.realpath(plan["home"])),
        tuple(os.fsencode(os.path.realpath(each)) for each in (plan["root"], *writable)),
    )
    checked = own_folders.HANDLERS
    return Supervisor(listener, handlers, writable, own, Denials(denials), checked)


def _refused(name: str) -> Handler:
    def handle(caller: Caller) -> NoReturn:
        caller.denials.add("call", name.encode())
        raise PermissionError(errno.EPERM, "")

    return handle

"""The entry of a launcher: each of its runs is a fresh process, so it loads little of the agent.

Once asked to, it becomes the agent, behind the same walls: to put up others takes longer than
most runs.
"""

from __future__ import annotations

import os

from . import wire
from .server import WARDEN, WARDEN_TOLD, Server

TYPE_CHECKING = False  # it begins sooner without typing
if TYPE_CHECKING:
    from typing import Any, NoReturn


def main(source: int, sink: int) -> None:
    """Take the one job from ``source``, then start what is asked for until the host is gone."""
    job = wire.begin(source, sink)
    become(Server(source, sink, job["orphans"]).serve(), source, sink)


def become(request: dict[str, Any], source: int, sink: int) -> NoReturn:
    """Be another interpreter, which hears and answers the host as we did."""
    environment = dict(request["environment"])
    kept = [source, sink]
    if WARDEN_TOLD is not None:
        environment["STRIPE_WARDEN"] = WARDEN_TOLD
        kept += WARDEN.descriptors
    for descriptor in kept:
        os.set_inheritable(descriptor, True)
    os.chdir(request["directory"])
    for number, path, flags in (
        (0, request["stdin"], os.O_RDONLY),
        (1, request["out"], os.O_WRONLY | os.O_APPEND),
        (2, request["err"], os.O_WRONLY | os.O_APPEND),
    ):
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)
    python, *words = request["command"]
    words += [str(source), str(sink), request["entry"]]
    os.execve(python, [python, *words], environment)

"""What the guard answers to calls of programs behind Landlock."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import pytest

from stripe.sandbox.inside import seccomp, supervisor

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not seccomp.supported(), reason="there are no such filters"
)


@pytest.mark.parametrize(("name", "goes_on"), [("openat", True), ("fchmodat", False)])
def test_arguments_that_cannot_be_read(
    name: str, goes_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a process that is not dumpable: what Landlock decides about goes on, else it fails."""
    [number] = seccomp.numbers([name])
    answers: list[tuple[int, ...]] = []

    def ioctl(descriptor: int, request: int, data: Any) -> None:
        if request == supervisor._RECEIVE:
            data[:] = supervisor._NOTICE.pack(1, os.getpid(), 0, number, 0, 0, *range(6))
        elif request == supervisor._SEND:
            answers.append(supervisor._ANSWER.unpack(data))

    def closed(caller: supervisor.Caller) -> int:
        raise supervisor.Unreadable(errno.EPERM, "")

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    monkeypatch.setattr(os, "umask", lambda mode: 0)
    handlers: Any = {"openat": closed, "fchmodat": closed}
    nothing: Any = None
    guard = supervisor.Supervisor(0, handlers, (), nothing, nothing, ["openat"])
    guard.answer()
    [(_, _, error, flags)] = answers
    assert (error, flags) == ((0, 1) if goes_on else (-errno.EPERM, 0))

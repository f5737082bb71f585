"""The terminal at which the user starts STRIPE."""

from __future__ import annotations

import fcntl
import os
import struct
import termios

from tests.harm.looking import Look


class Terminal:
    """A pseudo-terminal; process 1 holds both ends."""

    def __init__(self) -> None:
        self._master = self._slave = -1
        self.path = ""
        self._written = b""

    def open(self) -> None:
        """Make it."""
        self._master, self._slave = os.openpty()
        self.path = os.ttyname(self._slave)
        self._written = b""
        os.set_blocking(self._master, False)

    def close(self) -> None:
        """Hang up."""
        if self._master >= 0:
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1

    def become_controlling(self) -> None:
        """Make it the terminal of this process, which leads a session of its own from now on."""
        os.setsid()
        fcntl.ioctl(self._slave, termios.TIOCSCTTY, 0)
        os.dup2(self._slave, 0)
        self.close()

    def look(self) -> Look:
        """Its settings and size, what was written on it, and what was typed for the user."""
        while True:
            try:
                self._written += os.read(self._master, 65536)
            except OSError:
                break
        typed = fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4))
        return {
            "terminal's settings": termios.tcgetattr(self._slave),
            "terminal's size": fcntl.ioctl(self._slave, termios.TIOCGWINSZ, bytes(8)),
            "terminal's output": self._written,
            "terminal's input": struct.unpack("i", typed),
        }

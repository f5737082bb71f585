"""Listening sockets of the user's: who connects to them, or sends, is noticed.

Process 1 owns them and looks only when asked: the kernel keeps what came.
"""

from __future__ import annotations

import socket
from pathlib import Path

from tests.harm.looking import Look

ABSTRACT = "victim-abstract"


class Servers:
    """TCP, UDP, and UNIX sockets with a path and without."""

    def __init__(self) -> None:
        self._listening: dict[str, socket.socket] = {}
        self._receiving: dict[str, socket.socket] = {}
        self._folder = Path()
        self._counts: dict[str, int] = {}

    def open(self, folder: Path) -> None:
        """Listen; paths are in ``folder``."""
        self._folder = folder
        self._counts.clear()
        places: dict[str, tuple[int, str | tuple[str, int]]] = {
            "tcp": (socket.AF_INET, ("127.0.0.1", 0)),
            "unix": (socket.AF_UNIX, str(folder / "stream")),
            "abstract": (socket.AF_UNIX, f"\0{ABSTRACT}"),
        }
        for name, (family, place) in places.items():
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.bind(place)
            listener.listen(100)
            self._listening[name] = listener
        places |= {
            "udp": (socket.AF_INET, ("127.0.0.1", 0)),
            "datagram": (socket.AF_UNIX, str(folder / "datagram")),
            "abstract datagram": (socket.AF_UNIX, f"\0{ABSTRACT}-datagram"),
        }
        for name in ("udp", "datagram", "abstract datagram"):
            family, place = places[name]
            receiver = socket.socket(family, socket.SOCK_DGRAM)
            receiver.bind(place)
            self._receiving[name] = receiver
        for each in (*self._listening.values(), *self._receiving.values()):
            each.setblocking(False)

    def close(self) -> None:
        """Stop listening."""
        for each in (*self._listening.values(), *self._receiving.values()):
            each.close()
        self._listening.clear()
        self._receiving.clear()

    def environment(self) -> dict[str, str]:
        """How programs find them."""
        return {
            "PORT": str(self._listening["tcp"].getsockname()[1]),
            "UDP_PORT": str(self._receiving["udp"].getsockname()[1]),
            "UNIX_SOCKET": str(self._folder / "stream"),
            "DATAGRAM_SOCKET": str(self._folder / "datagram"),
            "ABSTRACT": ABSTRACT,
        }

    def look(self) -> Look:
        """What has come so far, by socket."""
        for name, listener in self._listening.items():
            while True:
                try:
                    listener.accept()[0].close()
                except BlockingIOError:
                    break
                self._count(f"connections to {name}")
        for name, receiver in self._receiving.items():
            while True:
                try:
                    receiver.recv(65536)
                except BlockingIOError:
                    break
                self._count(f"messages to {name}")
        return dict(self._counts)

    def _count(self, what: str) -> None:
        self._counts[what] = self._counts.get(what, 0) + 1

"""Sockets that the guard makes for a run behind Landlock are connected to that run's own only."""

from __future__ import annotations

import os
import socket
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from stripe.sandbox.inside import loopback
from stripe.sandbox.inside.loopback import Sockets

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the guard is Linux's")


class Caller:
    """A process whose sockets are this one's: what `supervisor.Caller` offers of a call."""

    leader = os.getpid()

    def __init__(self, *arguments: int, address: bytes = b"") -> None:
        self.arguments = list(arguments)
        self.address = address
        self.kept: list[int] = []

    def number(self, place: int) -> int:
        return self.arguments[place]

    def read_bytes(self, address: int, size: int) -> bytes:
        return self.address

    def location(self, number: int) -> bytes:
        return os.readlink(f"/proc/self/fd/{number}").encode()

    def keep(self, descriptor: int) -> int:
        self.kept.append(descriptor)
        return descriptor


def call(sockets: Sockets, name: str, *arguments: int, address: bytes = b"") -> Any:
    caller = Caller(*arguments, address=address)
    try:
        return sockets.handlers[name](caller)  # type: ignore[arg-type]
    finally:
        for each in caller.kept:
            os.close(each)


def made(sockets: Sockets) -> int:
    opened = call(sockets, "socket", socket.AF_INET, socket.SOCK_STREAM, 0)
    return int(opened.descriptor)


def at(port: int) -> bytes:
    family = struct.pack("=H", socket.AF_INET)
    return family + port.to_bytes(2, "big") + socket.inet_aton("127.0.0.1") + bytes(8)


@pytest.fixture
def sockets() -> Sockets:
    return Sockets()


def serving(sockets: Sockets) -> tuple[int, tuple[str, int]]:
    """A server of the run; where it is for others."""
    server = made(sockets)
    call(sockets, "bind", server, 0, 16, address=at(0))
    call(sockets, "listen", server, 1)
    with socket.socket(fileno=os.dup(server)) as same:
        return server, same.getsockname()


def connect(sockets: Sockets, port: int) -> int:
    client = made(sockets)
    try:
        call(sockets, "connect", client, 0, 16, address=at(port))
    except BaseException:
        os.close(client)
        raise
    return client


@pytest.mark.parametrize("forbidden", [False, True])
def test_a_server_of_the_run_is_found(
    sockets: Sockets, forbidden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if forbidden:
        monkeypatch.setattr(loopback, "_PIDFD_GETFD", -1)
    server, (_, port) = serving(sockets)
    client = connect(sockets, port)
    with socket.socket(fileno=server) as own, socket.socket(fileno=client) as other:
        accepted, _ = own.accept()
        with accepted:
            other.sendall(b"hello")
            assert accepted.recv(5) == b"hello"


def test_nobody_else_is_found_in_its_place(sockets: Sockets) -> None:
    server, place = serving(sockets)
    os.close(server)
    with socket.create_server(place) as stranger:
        with pytest.raises(ConnectionRefusedError):
            connect(sockets, place[1])
        stranger.setblocking(False)
        with pytest.raises(BlockingIOError):
            stranger.accept()


def test_nobody_else_takes_its_place_while_it_is_found(
    sockets: Sockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A listener that is closed between the look and the connection is held open until then."""
    server, place = serving(sockets)
    look = loopback._listener

    def closes(host: str, port: int) -> int | None:
        found = look(host, port)
        monkeypatch.setattr(loopback, "_listener", look)
        return found

    monkeypatch.setattr(loopback, "_listener", closes)
    take = sockets._take_listener

    def taken(caller: Any, inode: int) -> bool:
        done = take(caller, inode)
        os.close(server)
        with pytest.raises(OSError, match="in use"):
            socket.create_server(place)
        return done

    monkeypatch.setattr(sockets, "_take_listener", taken)
    os.close(connect(sockets, place[1]))


def test_what_cannot_be_held_is_looked_at_again(
    sockets: Sockets, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the system does not let us hold it: the connection ends before anything is sent."""
    server, place = serving(sockets)
    strangers: list[socket.socket] = []

    def closes(caller: Any, inode: int) -> bool:
        os.close(server)
        strangers.append(socket.create_server(place))
        return False

    monkeypatch.setattr(sockets, "_take_listener", closes)
    with pytest.raises(ConnectionRefusedError):
        connect(sockets, place[1])
    with strangers[0] as stranger, stranger.accept()[0] as accepted:
        assert accepted.recv(1) == b""

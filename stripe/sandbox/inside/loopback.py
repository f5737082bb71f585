"""Sockets of a run behind Landlock: servers and clients of its own, on loopback and by path.

Landlock knows ports, not addresses, and no path of a socket.  So the guard makes sockets, binds and
connects them (``supervisor.py``), and hands them over.  Each guard has a loopback address of its
own: what a run says of 127.0.0.1 is meant there, so runs do not meet, and meet nobody else.

Invariant: a socket is connected only to one that the run has had listen, at that address or in a
folder of its own.  Datagrams are not among them: who has such a socket may send to anybody.
"""

from __future__ import annotations

import _socket
import errno
import os
import struct

from .supervisor import AT_FDCWD, Opened
from .system import syscall

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from .supervisor import Caller, Handler

_KINDS = _socket.SOCK_NONBLOCK | _socket.SOCK_CLOEXEC
_ADDRESS_BYTES = 128
_CONNECT_SECONDS = 2
"""A queue of connections that is full for so long is that of a program that does not accept."""
_KEPT = 64
_LISTENS = b"0A"
_PIDFD_GETFD = 438


class _Held:
    """What is known of a socket: itself until it is connected or listens, and what it was told."""

    def __init__(self, socket: _socket.socket) -> None:
        self.socket: _socket.socket | None = socket
        self.name = self.peer = b""


class Sockets:
    """Those of all processes behind one guard."""

    def __init__(self) -> None:
        process = os.getpid()
        self._address = f"127.{process >> 16 & 127 | 128}.{process >> 8 & 255}.{process & 255}"
        self._held: dict[int, _Held] = {}
        self._listening: dict[int, tuple[int, int]] = {}  # by whom, and its descriptor there
        self.handlers: dict[str, Handler] = {
            "socket": self._make,
            "bind": self._bind,
            "listen": self._listen,
            "connect": self._connect,
            "getsockname": self._name,
            "getpeername": self._peer,
        }

    def _make(self, caller: Caller) -> Opened:
        family, kind, protocol = (caller.number(place) for place in range(3))
        if family == _socket.AF_INET6:
            caller.denials.add("socket", b"IPv6")
            raise OSError(errno.EAFNOSUPPORT, "")
        plain = kind & ~_KINDS
        tcp = family == _socket.AF_INET and plain == _socket.SOCK_STREAM
        local = family == _socket.AF_UNIX and plain in (_socket.SOCK_STREAM, _socket.SOCK_SEQPACKET)
        if not ((tcp and protocol in (0, _socket.IPPROTO_TCP)) or (local and not protocol)):
            caller.denials.add("socket", b"%d %d" % (family, plain))
            raise PermissionError(errno.EPERM, "")
        socket = _socket.socket(family, plain, protocol)
        os.set_blocking(socket.fileno(), not kind & _socket.SOCK_NONBLOCK)
        if len(self._held) >= _KEPT:
            self._held.pop(next(iter(self._held)))
        self._held[os.fstat(socket.fileno()).st_ino] = _Held(socket)
        return Opened(os.dup(socket.fileno()), os.O_CLOEXEC if kind & _socket.SOCK_CLOEXEC else 0)

    # -- bound

    def _bind(self, caller: Caller) -> int:
        held, socket = self._fresh(caller)
        address = _address(caller)
        if socket.family == _socket.AF_UNIX:
            folder, name = _path_in(caller, _path_of(address))
            before = os.umask(caller.umask())
            try:
                socket.bind(b"/proc/self/fd/%d/" % folder + name)
            finally:
                os.umask(before)
            held.name = address
            return 0
        host, port = _internet(address)
        if not host.startswith("127.") and host != "0.0.0.0":
            raise OSError(errno.EADDRNOTAVAIL, "")
        self._take_port(held, host, port)
        return 0

    def _take_port(self, held: _Held, host: str, port: int) -> None:
        assert held.socket is not None
        # What the last run has closed a moment ago may still have it.
        held.socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
        held.socket.bind((self._address, port))
        held.name = _packed(host, held.socket.getsockname()[1])

    def _listen(self, caller: Caller) -> int:
        held, socket = self._fresh(caller, listens=True)
        if socket.family == _socket.AF_INET and not held.name:
            self._take_port(held, "0.0.0.0", 0)
        socket.listen(max(caller.number(1), 0))
        while len(self._listening) >= _KEPT:
            self._listening.pop(next(iter(self._listening)))
        inode = os.fstat(socket.fileno()).st_ino
        self._listening[inode] = caller.leader, caller.number(0)
        held.socket = None  # else it would stay open when the program closes it
        return 0

    # -- connected

    def _connect(self, caller: Caller) -> int:
        held, socket = self._fresh(caller)
        address = _address(caller)
        to: bytes | tuple[str, int]
        taken: bool | None = None
        if socket.family == _socket.AF_UNIX:
            path = _path_of(address)
            place = caller.own_folders.find(caller.joined(path))
            found = None if place is None else place.above(caller, follow=True)
            if found is None:
                found = caller.follow(path)
            if not caller.is_own(os.readlink(b"/proc/self/fd/%d" % found)):
                raise ConnectionRefusedError(errno.ECONNREFUSED, "")  # as if nobody listened
            to = b"/proc/self/fd/%d" % found
        else:
            host, port = _internet(address)
            if not host.startswith("127.") and host != "0.0.0.0":
                raise OSError(errno.ENETUNREACH, "")
            to = (self._address, port)
            listener = _listener(*to)
            if listener not in self._listening:
                raise ConnectionRefusedError(errno.ECONNREFUSED, "")
            taken = self._take_listener(caller, listener)
        wait = struct.pack("@ll", _CONNECT_SECONDS, 0)
        socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_SNDTIMEO, wait)
        try:
            socket.connect(to)
        finally:
            socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_SNDTIMEO, bytes(len(wait)))
            held.socket = None
        if taken is False and _listener(self._address, port) != listener:
            # It was closed meanwhile, and another one may have answered.
            socket.shutdown(_socket.SHUT_RDWR)
            raise ConnectionRefusedError(errno.ECONNREFUSED, "")
        held.peer = address
        return 0

    def _take_listener(self, caller: Caller, inode: int) -> bool:
        """Have a socket that listens open here, too, until the call has been answered: so nobody
        else can listen in its place.  Whether that can be done: some filters forbid it."""
        process, number = self._listening[inode]
        try:
            found = os.pidfd_open(process)
            try:
                taken = syscall(_PIDFD_GETFD, found, number, 0)
            finally:
                os.close(found)
        except OSError:
            return False  # also if a child has it now
        return os.fstat(caller.keep(taken)).st_ino == inode

    # -- named

    def _name(self, caller: Caller) -> int | None:
        inode = _inode(caller)
        held = self._held.get(inode)
        if held is not None and held.name:
            return _tell(caller, held.name)
        # One that was accepted has the address of the guard.
        found = next((row for row in _table() if row[9] == b"%d" % inode), None)
        if found is None:
            return None
        host, port = _numbers(found[1])
        return _tell(caller, _packed("127.0.0.1", port)) if host == self._address else None

    def _peer(self, caller: Caller) -> int | None:
        held = self._held.get(_inode(caller))
        return _tell(caller, held.peer) if held is not None and held.peer else None

    def _fresh(self, caller: Caller, *, listens: bool = False) -> tuple[_Held, _socket.socket]:
        """A socket of ours that neither is connected nor listens."""
        held = self._held.get(_inode(caller))
        if held is None or held.socket is None:
            raise OSError(errno.EINVAL if listens or held is None else errno.EISCONN, "")
        return held, held.socket


def _inode(caller: Caller) -> int:
    kind, _, rest = caller.location(caller.number(0)).partition(b":[")
    if kind != b"socket":
        raise OSError(errno.ENOTSOCK, "")
    return int(rest[:-1])


def _address(caller: Caller) -> bytes:
    """What the arguments 1 and 2 tell, with the family first."""
    size = caller.number(2)
    if not 2 <= size <= _ADDRESS_BYTES:
        raise OSError(errno.EINVAL, "")
    return caller.read_bytes(caller.arguments[1], size)


def _internet(address: bytes) -> tuple[str, int]:
    if len(address) < 8 or int.from_bytes(address[:2], "little") != _socket.AF_INET:
        raise OSError(errno.EAFNOSUPPORT, "")
    return _socket.inet_ntoa(address[4:8]), int.from_bytes(address[2:4], "big")


def _packed(host: str, port: int) -> bytes:
    family = _socket.AF_INET.to_bytes(2, "little")
    return family + port.to_bytes(2, "big") + _socket.inet_aton(host) + bytes(8)


def _path_of(address: bytes) -> bytes:
    path = address[2:].partition(b"\0")[0]
    if int.from_bytes(address[:2], "little") != _socket.AF_UNIX:
        raise OSError(errno.EINVAL, "")
    if not path:  # names that no file has are of the whole machine
        raise PermissionError(errno.EPERM, "")
    return path


def _path_in(caller: Caller, path: bytes) -> tuple[int, bytes]:
    """The folder in which a socket is to be made, and its name there."""
    place = caller.own_folders.find(caller.joined(path))
    if place is not None:
        return place.folder(caller), place.name
    folder, name = os.path.split(path)
    found = caller.follow(folder or b".", AT_FDCWD)
    if not caller.is_own(os.readlink(b"/proc/self/fd/%d" % found)):
        caller.denials.add("socket", path)
        raise PermissionError(errno.EACCES, "")
    return found, name


def _tell(caller: Caller, address: bytes) -> int:
    """Write an address where the arguments 1 and 2 say."""
    place, size = caller.arguments[1], caller.arguments[2]
    (room,) = caller.read(size, "=i")
    caller.write(place, address[: max(room, 0)])
    caller.write(size, struct.pack("=i", len(address)))
    return 0


def _table() -> list[list[bytes]]:
    with open("/proc/net/tcp", "rb") as lines:
        return [line.split() for line in lines][1:]


def _numbers(text: bytes) -> tuple[str, int]:
    """An address as the kernel's table has it."""
    host, _, port = text.partition(b":")
    return _socket.inet_ntoa(int(host, 16).to_bytes(4, "little")), int(port, 16)


def _listener(host: str, port: int) -> int | None:
    """The inode of what listens at exactly this address."""
    for row in _table():
        if row[3] == _LISTENS and _numbers(row[1]) == (host, port):
            return int(row[9])
    return None

"""The first layer: namespaces of users, mounts, processes, network, IPC and host name.

Two processes make it.  The *warden* owns the file tree (``tree.py``) and sees the real one, but is
seen by nobody inside.  Its child, number 1 of the process namespace, goes into the tree, gives up
all privileges and becomes the command.  When it ends, the kernel ends all that runs inside.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports more than all else here
import _socket  # so does socket
import fcntl
import os
import resource
import select
import struct

from . import clean_up, seccomp, system
from .tree import FileTree, TreePlan

TYPE_CHECKING = False  # importing more takes longer than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_NEW = (
    system.CLONE_NEWUSER
    | system.CLONE_NEWNS
    | system.CLONE_NEWIPC
    | system.CLONE_NEWUTS
    | system.CLONE_NEWPID
)
_PROCESSES = 4096
"""As many processes and threads may run inside at the same time."""

_MESSAGE = 8
"""Bytes of a request to renew, and of its answer."""


class Unavailable(Exception):
    """The system does not allow this layer; the text says what it refused."""


def enter(plan: TreePlan, *, network: bool, become: Callable[[], NoReturn]) -> NoReturn:
    """In a new process: become the warden, and start ``become`` inside.

    Ends as its child does.
    """
    tree, (ours, theirs) = _prepare(plan, network)
    mark = tree.mark()
    here = os.path.dirname(os.path.abspath(__file__))
    os.environ["STRIPE_WARDEN"] = f"{theirs.fileno()},{mark},{here}/warden.py"
    child = os.fork()
    if child == 0:
        ours.close()
        for descriptor in tree.needed():
            os.close(descriptor)  # from there a way leads out
        _go_inside(tree.top, network)
        if select.select([theirs], [], [], 0)[0]:
            os._exit(1)  # the warden was killed before we were to end with it
        for descriptor in (theirs.fileno(), mark):
            os.set_inheritable(descriptor, True)
        become()
    theirs.close()
    status = _watch(tree, ours, child)
    raise SystemExit(status)


def _prepare(
    plan: TreePlan, network: bool
) -> tuple[FileTree, tuple[_socket.socket, _socket.socket]]:
    try:
        _unshare(network)
        system.mount(None, "/", None, system.MS_REC | system.MS_PRIVATE, None)
        return FileTree(plan), _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    except OSError as error:
        raise Unavailable(f"{error.filename or 'namespaces'}: {error.strerror}") from None


def _unshare(network: bool) -> None:
    """New namespaces, in which users have the numbers they have outside."""
    users, groups = (_numbers(f"/proc/self/{name}_map") for name in ("uid", "gid"))
    uid, gid = os.geteuid(), os.getegid()
    wake, asleep = os.pipe()
    answer, answered = os.pipe()
    me = os.getpid()
    helper = os.fork()
    if helper == 0:
        # From outside more than one number can be mapped, if we have the privilege.
        os.close(asleep)
        os.read(wake, 1)
        done = _map(me, "gid", groups) and _map(me, "uid", users)
        os.write(answered, b"y" if done else b"n")
        os._exit(0)
    try:
        system.unshare(_NEW | (0 if network else system.CLONE_NEWNET))
    finally:
        os.close(asleep)  # wakes the helper
    os.close(answered)
    mapped = os.read(answer, 1) == b"y"
    os.close(answer)
    os.close(wake)
    os.waitpid(helper, 0)
    if not mapped:
        with open("/proc/self/setgroups", "w", encoding="ascii") as stream:
            stream.write("deny")
        for name, number in (("uid", uid), ("gid", gid)):
            with open(f"/proc/self/{name}_map", "w", encoding="ascii") as stream:
                stream.write(f"{number} {number} 1")


def _numbers(path: str) -> str:
    """A map that leaves every number what it is."""
    with open(path, encoding="ascii") as lines:
        rows = [line.split() for line in lines]
    return "".join(f"{inside} {inside} {count}\n" for inside, _, count in rows)


def _map(process: int, name: str, numbers: str) -> bool:
    try:
        with open(f"/proc/{process}/{name}_map", "w", encoding="ascii") as stream:
            stream.write(numbers)
    except OSError:
        return False
    return True


# -- inside


def _go_inside(top: str, network: bool) -> None:
    """Leave the real tree for good."""
    system.die_with_parent(signal.SIGKILL)
    system.unshare(system.CLONE_NEWNS)
    # What the warden mounts in its tree comes through; nothing goes back.
    system.mount(None, "/", None, system.MS_REC | system.MS_SLAVE, None)
    flags = system.MS_NOSUID | system.MS_NODEV | system.MS_NOEXEC
    system.mount("proc", f"{top}/proc", "proc", flags, None)
    if not network:
        _raise_loopback()
        _forget_connections(f"{top}/proc")
    _protect(f"{top}/proc")
    system.pivot_root(top)
    _limit_processes()
    system.drop_privileges()
    # Giving up privileges, like any change of them, also takes this back.
    system.die_with_parent(signal.SIGKILL)
    if seccomp.supported():
        seccomp.forbid(seccomp.BESIDE_NAMESPACES, {}, families=seccomp.FAMILIES)


def _limit_processes() -> None:
    """Let no fork bomb take all of the machine's; the kernel counts those of this namespace only,
    and none of root's."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = min((each for each in (soft, hard) if each >= 0), default=_PROCESSES)
    most = min(most, _PROCESSES)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _raise_loopback() -> None:
    control = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    try:
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))
    finally:
        control.close()


def _forget_connections(proc: str) -> None:
    """Let a port be free as soon as its connection has ended: the next run may want it."""
    try:
        with open(f"{proc}/sys/net/ipv4/tcp_max_tw_buckets", "w", encoding="ascii") as stream:
            stream.write("0")
    except OSError:
        pass  # it only saves some programs from a port that is taken


def _protect(proc: str) -> None:
    """What in ``/proc`` is no process: if the user is root, it could be written."""
    for entry in os.scandir(proc):
        if entry.name.isdigit() or entry.is_symlink():
            continue
        if entry.is_dir() or entry.stat().st_mode & 0o222:
            try:
                system.mount(entry.path, entry.path, None, system.MS_BIND | system.MS_REC, None)
                system.read_only(entry.path)
            except OSError:
                if entry.name in ("sys", "sysrq-trigger"):
                    raise


# -- the warden


def _watch(tree: FileTree, channel: _socket.socket, child: int) -> int:
    """Renew the tree when asked, until the child ends; its status, as a shell tells it."""
    keep = {channel.fileno(), 2, *tree.needed()}
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in keep:
            try:
                os.close(int(name))
            except OSError:
                pass  # the listing's own
    remains = clean_up.Leftovers()
    # The child is gone when all processes inside are: so who waits for us waits for them.
    signal.signal(signal.SIGTERM, lambda number, frame: os.kill(child, signal.SIGKILL))
    exited = os.pidfd_open(child)
    poll = select.poll()
    poll.register(exited, select.POLLIN)
    poll.register(channel, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == exited:
                status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                tree.end()
                return status if status >= 0 else 128 - status
            try:
                request = channel.recv(_MESSAGE)
            except OSError:
                request = b""
            if not request:  # nobody inside will ask any more
                poll.unregister(channel)
            elif len(request) == _MESSAGE:  # and not something a program wrote
                remains.remove()
                tree.renew()
                try:
                    channel.send(request)
                except OSError:
                    pass  # it ended meanwhile

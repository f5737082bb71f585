"""The suite's own jail: a command in it can change nothing outside, whatever it does.

    python tests/harm/jail.py COMMAND...

All file systems are read-only, but for memory that goes with the jail (``/tmp``, ``/var/tmp``,
``/dev/shm``, ``/dev/pts``, ``/dev/mqueue``).  Process numbers, network (its own loopback only),
IPC objects, host name and session keyring are its own; the command is process 1.  Works as root,
and for everybody where user namespaces may be made; the command can make user namespaces of its
own.  It does not start the command, and says why, if anything else could be written.
"""

from __future__ import annotations

import ctypes
import fcntl
import functools
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REFUSED = 97
"""Exit status where there can be no jail."""

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = -100, 0x8000, 1
SYS_MOUNT_SETATTR, SYS_KEYCTL = 442, {"x86_64": 250, "aarch64": 219}
KEYCTL_JOIN_SESSION_KEYRING = 1
PR_SET_PDEATHSIG, PR_CAPBSET_DROP = 1, 24
# dac_read_search, sys_module, sys_rawio, sys_boot, sys_time, mknod, mac_admin, syslog
DROPPED = (2, 16, 17, 22, 25, 27, 33, 34)
NODES = ("null", "zero", "full", "random", "urandom", "tty")
MEMORY = ("/tmp", "/var/tmp")
OWN = ("/proc", "/dev/pts", "/dev/shm", "/dev/mqueue", *MEMORY)
HIDDEN = ("/sys", "/run")
PROBED = ("/", "/etc", "/usr", "/home", "/root", "/var", "/run", "/dev", "/sys")

libc = ctypes.CDLL(None, use_errno=True)


def call(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    words = [text.encode() or None for text in (source, target, kind)]
    data = options.encode() or None
    call(libc.mount(*words, ctypes.c_ulong(flags), data), f"mount {kind or source} on {target}")


def read_only(path: str, *, below: bool = False) -> None:
    """Make a mount read-only; ``below``: and all mounts in it."""
    attributes = struct.pack("QQQQ", MOUNT_ATTR_RDONLY, 0, 0, 0)
    flags = AT_RECURSIVE if below else 0
    call(
        libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path.encode(), flags, attributes, 32),
        f"make {path} read-only",
    )


def separate() -> None:
    """Leave all namespaces that can be left; without root, by a user namespace of our own."""
    user, group = os.geteuid(), os.getegid()
    flags = os.CLONE_NEWNS | os.CLONE_NEWNET | os.CLONE_NEWIPC | os.CLONE_NEWPID | os.CLONE_NEWUTS
    if user:
        flags |= os.CLONE_NEWUSER
    os.unshare(flags)
    if user:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def furnish(needed: Sequence[str]) -> None:
    """Mount everything; folders in ``needed`` stay readable even where memory covers them."""
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    read_only("/", below=True)
    kept = {
        path: os.open(path, os.O_PATH)
        for path in sorted({os.path.realpath(each) for each in needed})
        if path.startswith(tuple(f"{place}/" for place in (*MEMORY, *HIDDEN)))
    }
    nodes = {name: os.open(f"/dev/{name}", os.O_PATH) for name in NODES}
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    for place in (*MEMORY, *HIDDEN, "/dev"):
        mount("tmpfs", place, "tmpfs", MS_NOSUID, "mode=1777,size=256m")
    for name, opened in nodes.items():
        Path("/dev", name).touch()
        mount(f"/proc/self/fd/{opened}", f"/dev/{name}", flags=MS_BIND)
    for name in ("pts", "shm", "mqueue"):
        Path("/dev", name).mkdir()
    mount("devpts", "/dev/pts", "devpts", 0, "newinstance,ptmxmode=0666")
    mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=64m")
    mount("mqueue", "/dev/mqueue", "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    os.symlink("pts/ptmx", "/dev/ptmx")
    os.symlink("/proc/self/fd", "/dev/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")
    for path, opened in kept.items():
        Path(path).mkdir(parents=True, exist_ok=True)
        mount(f"/proc/self/fd/{opened}", path, flags=MS_BIND | MS_REC)
        read_only(path, below=True)
    for opened in (*kept.values(), *nodes.values()):
        os.close(opened)
    for place in (*HIDDEN, "/dev"):
        read_only(place)


def limit() -> None:
    """A network of its own, a keyring of its own, and none of what could reach the machine."""
    with socket.socket() as any_socket:
        up = struct.pack("16sh14x", b"lo", 1)  # IFF_UP
        fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS
    number = SYS_KEYCTL.get(os.uname().machine)
    if number is not None:
        libc.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)
    if os.geteuid() == 0:
        for capability in DROPPED:
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    inherited = [
        line for line in Path("/proc/self/status").read_text().splitlines() if "CapInh" in line
    ]
    if int(inherited[0].split()[1], 16):
        raise PermissionError("there are capabilities that it could not take away")


def require_closed() -> None:
    """Raise PermissionError if anything but our own memory can be written."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mounted, _, system = line.partition(" - ")
        place, options = mounted.split()[4:6]
        writable = "ro" not in options.split(",") and "ro" not in system.split()[2].split(",")
        if writable and place not in OWN and not place.startswith("/proc/"):
            raise PermissionError(f"{place} could be written")
    for place in PROBED:
        probe = os.path.join(place, f".jail-{os.getpid()}")
        try:
            os.close(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError:
            continue
        os.unlink(probe)
        raise PermissionError(f"{place} could be written")
    if os.getpid() != 1:
        raise PermissionError("process numbers are not its own")


def run(command: Sequence[str]) -> int:
    """Run a command in a jail; its exit status, or ``REFUSED``."""
    # Importing from memory that is about to be covered would fail.
    needed = [str(Path(__file__).parents[2]), sys.prefix, sys.base_prefix, os.getcwd()]
    needed += [os.environ[name] for name in ("STRIPE_TEST_CACHE",) if name in os.environ]
    here = os.getcwd()
    try:
        separate()
    except OSError as error:
        print(f"jail: no namespaces of its own: {error}", file=sys.stderr)
        return REFUSED
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code
    try:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        furnish(needed)
        limit()
        require_closed()
        os.chdir(here)
        # Process 1 ignores, from inside, what it does not handle.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(command[0], list(command))
    except BaseException as error:
        print(f"jail: {error}", file=sys.stderr, flush=True)
        os._exit(REFUSED)


@functools.cache
def unavailable() -> str:
    """Why there can be no jail here; empty if there can.

    Asked once: who is refused one later is told so by the jail itself, which starts nothing then.
    """
    command = [sys.executable, __file__, "true"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

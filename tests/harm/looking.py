"""How things are, as a flat mapping from names to values that can be compared."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import stat
from collections.abc import Collection, Mapping
from pathlib import Path

type Look = dict[str, object]

SHOWN = 12
"""Differences told of one comparison."""

KEYCTL = {"x86_64": 250, "aarch64": 219}.get(platform.machine())
KEYCTL_CLEAR, KEYCTL_READ, SESSION_KEYRING = 7, 11, -3
LISTENING, BOUND = "0A", "07"
libc = ctypes.CDLL(None, use_errno=True)


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    """What differs, by name."""
    found = []
    for name in sorted({*before, *after}):
        if name not in after:
            found.append(f"gone: {name}")
        elif name not in before:
            found.append(f"new: {name}")
        elif before[name] != after[name]:
            found.append(f"changed: {name}: {_which(before[name], after[name])}")
    return found[:SHOWN] + ([f"... and {len(found) - SHOWN} more"] if len(found) > SHOWN else [])


def _which(old: object, new: object) -> str:
    if isinstance(old, dict) and isinstance(new, dict):
        return ", ".join(each for each in sorted({*old, *new}) if old.get(each) != new.get(each))
    return f"{old!r} is now {new!r}"[:200]


def files(folder: Path, but: Path | None = None) -> Look:
    """Every entry below a folder: content, links, mode, owner, inode, times, attributes.

    What is mounted there cannot be written, and may be much: this project, in ``/tmp``.
    """
    found: Look = {}
    waiting = [str(folder)]
    hidden = str(but)
    device = 0  # of the folder
    while waiting:
        path = waiting.pop()
        if path == hidden:
            continue
        try:
            found[f"file {path}"] = _file(path)
            status = os.lstat(path)
            device = device or status.st_dev
            if stat.S_ISDIR(status.st_mode) and status.st_dev == device:
                waiting += [os.path.join(path, name) for name in os.listdir(path)]
        except (FileNotFoundError, PermissionError):
            continue
    return found


def _file(path: str) -> dict[str, object]:
    status = os.lstat(path)
    entry: dict[str, object] = {
        "mode": status.st_mode,
        "owner": (status.st_uid, status.st_gid),
        "inode": (status.st_dev, status.st_ino),
        "time of change": status.st_mtime_ns,
    }
    if not stat.S_ISDIR(status.st_mode):
        entry["names"] = status.st_nlink
        entry["time of status"] = status.st_ctime_ns
    if stat.S_ISREG(status.st_mode):
        entry["size"] = status.st_size
        try:
            with open(path, "rb") as stream:
                entry["content"] = hashlib.file_digest(stream, "sha1").digest()
        except PermissionError:
            entry["content"] = "cannot be read"
    elif stat.S_ISLNK(status.st_mode):
        entry["target"] = os.readlink(path)
    try:
        names = os.listxattr(path, follow_symlinks=False)
        entry["attributes"] = {
            name: os.getxattr(path, name, follow_symlinks=False) for name in sorted(names)
        }
    except OSError:
        pass
    return entry


def processes(known: Collection[int]) -> Look:
    """The processes of the jail that nobody is known to have started, and the death of others."""
    found: Look = {}
    there = {int(name) for name in os.listdir("/proc") if name.isdecimal()}
    for pid in there - set(known):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        found[f"process {pid} {command.strip()}"] = True
    for pid in set(known) - there:
        found[f"death of process {pid}"] = True
    return found


def kernel_tables() -> Look:
    """Who listens, and on what."""
    found: Look = {}
    for name, states in (("tcp", LISTENING), ("tcp6", LISTENING), ("udp", BOUND), ("udp6", BOUND)):
        try:
            lines = Path(f"/proc/net/{name}").read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            words = line.split()
            if words[3] == states:
                found[f"{name} socket {words[1]}"] = True
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        words = line.split(maxsplit=7)
        if len(words) == 8:
            found[f"unix socket {words[7]}"] = True
    return found


def mounts() -> Look:
    """What is mounted where."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return {f"mount {line.split()[4]}": line.split()[5:] for line in lines}


def keyring() -> Look:
    """The keys of the session."""
    if KEYCTL is None:
        return {}
    keys = ctypes.create_string_buffer(4096)
    size = libc.syscall(KEYCTL, KEYCTL_READ, SESSION_KEYRING, keys, 4096)
    return {"session keyring": keys.raw[:size] if 0 <= size <= 4096 else size}


def clear_keyring() -> None:
    """Remove the keys of the session: the jail has one of its own."""
    if KEYCTL is not None:
        libc.syscall(KEYCTL, KEYCTL_CLEAR, SESSION_KEYRING)

"""Where the other threads of this process come from, for people: functions, or native libraries."""

from __future__ import annotations

import os
import struct
import sys
from collections import Counter
from types import FrameType
from typing import Any

STACK_BYTES = 16384
"""What is read of a thread's stack: the innermost frames, which its library called."""

RUNTIME = ("libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "libpython", "python")
"""What any thread is in, so that it tells nothing of who started it."""

_FACTORIES = ("threading.py", "thread.py")
"""Files of the standard library between a thread and what it was started for."""


def origins() -> list[str]:
    """A phrase for each kind of thread but the main one, with how many there are of it."""
    threading: Any = sys.modules.get("threading")
    found: Counter[str] = Counter()
    known = {os.getpid()}
    frames = sys._current_frames()
    for thread in threading.enumerate() if threading else ():
        if thread is not threading.main_thread():
            known.add(thread.native_id)
            found[_function(frames.get(thread.ident))] += 1
    maps = _executable_maps()
    for name in os.listdir("/proc/self/task"):
        if int(name) not in known:
            found[_library(name, maps)] += 1
    return [what if count == 1 else f"{what} ({count} threads)" for what, count in found.items()]


def _function(frame: FrameType | None) -> str:
    """The function that a thread was started for."""
    told = "a thread of Python"
    while frame is not None:  # from the innermost frame outwards
        path = frame.f_code.co_filename
        if os.path.basename(path) not in _FACTORIES:
            told = f"{frame.f_code.co_qualname} ({path}:{frame.f_code.co_firstlineno})"
        frame = frame.f_back
    return told


def _executable_maps() -> list[tuple[int, int, str]]:
    """The parts of memory that hold code of files, with the files."""
    found = []
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as stream:
            for line in stream:
                span, mode, _, _, _, *path = line.split(maxsplit=5)
                if "x" in mode and path and path[0].startswith("/"):
                    low, high = (int(each, 16) for each in span.split("-"))
                    found.append((low, high, path[0].strip()))
    except (OSError, ValueError):
        pass
    return found


def _library(thread: str, maps: list[tuple[int, int, str]]) -> str:
    """The native library whose code a waiting thread will return to, as its stack tells."""
    try:
        with open(f"/proc/self/task/{thread}/syscall", encoding="ascii") as stream:
            stack = int(stream.read().split()[-2], 16)
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            memory.seek(stack)
            words = memory.read(STACK_BYTES)
    except (OSError, ValueError, IndexError):
        return "a native library"
    for (word,) in struct.iter_unpack("<Q", words[: len(words) // 8 * 8]):
        for low, high, path in maps:
            name = os.path.basename(path)
            if low <= word < high and not name.startswith(RUNTIME):
                return name
    return "a native library"

"""Messages between host and agent: a length, then marshalled plain data."""

from __future__ import annotations

import marshal
import os

TYPE_CHECKING = False  # a launcher begins sooner without typing
if TYPE_CHECKING:
    from typing import Any

_LENGTH = 8
_SHORT = 1 << 12


def send(descriptor: int, message: Any) -> None:
    data = marshal.dumps(message)
    head = len(data).to_bytes(_LENGTH, "little")
    # Each part wakes who listens.
    for part in (head + data,) if len(data) < _SHORT else (head, data):
        view = memoryview(part)
        while view:
            view = view[os.write(descriptor, view) :]


def receive(descriptor: int) -> Any:
    """The next message; ``None`` when the other side is gone."""
    length = _read(descriptor, _LENGTH)
    if length is None:
        return None
    data = _read(descriptor, int.from_bytes(length, "little"))
    return None if data is None else marshal.loads(data)


def begin(source: int, sink: int) -> Any:
    """The job, which comes first; processes that the program starts do not inherit the pipes."""
    job = receive(source)
    if job is None:
        raise SystemExit(0)
    os.set_inheritable(source, False)
    os.set_inheritable(sink, False)
    return job


def parse(data: bytes) -> Any:
    """The message that ``data`` holds, if it holds a whole one: programs can write there, too."""
    length = int.from_bytes(data[:_LENGTH], "little")
    if len(data) < _LENGTH + length or not data:
        return None
    try:
        return marshal.loads(data[_LENGTH : _LENGTH + length])
    except (ValueError, EOFError, TypeError):
        return None


def whole(data: bytearray, tail: int) -> bool:
    """Whether ``data`` holds a message, and as many bytes behind it."""
    return len(data) >= _LENGTH + int.from_bytes(data[:_LENGTH], "little") + tail


def _read(descriptor: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)

"""Messages between the host and a launcher, over a pair of sockets: plain data, marshalled.

Standard library only: loaded inside, too, by the same Python.
"""

from __future__ import annotations

import marshal
import os

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

_HEAD = 4
_ROOM = 1 << 16


def send(descriptor: int, message: Any) -> None:
    """Send a message; nobody else may be sending.

    Raises:
        OSError: when nobody is there any more.
    """
    data = marshal.dumps(message)
    rest = memoryview(len(data).to_bytes(_HEAD, "little") + data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class Receiver:
    """Takes messages from a descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._data = b""

    def receive(self) -> Any:
        """The next message; ``None`` when the other side is gone.

        Raises:
            OSError: as when the time is over that the descriptor allows.
        """
        while True:
            message = self.next_message()
            if message is not None:
                return message
            if not self.read():
                return None

    def read(self) -> bool:
        """Read what is there, at least something; whether there will be more."""
        try:
            part = os.read(self._descriptor, _ROOM)
        except ConnectionResetError:
            return False
        self._data += part
        return bool(part)

    def next_message(self) -> Any:
        """The next message, if all of it was read; or ``None``."""
        data = self._data
        end = _HEAD + int.from_bytes(data[:_HEAD], "little")
        if len(data) < _HEAD or len(data) < end:
            return None
        self._data = data[end:]
        return marshal.loads(data[_HEAD:end])

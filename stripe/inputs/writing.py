"""Answers on disk, from the first improvement on."""

from __future__ import annotations

import queue
import threading
from pathlib import Path

from stripe.errors import UsageError
from stripe.files import replace_file


class Writer:
    """Writes improvements while the search goes on: the disk must not hold up the tests."""

    def __init__(self, outputs: list[Path], mode: str) -> None:
        self._of = {True: outputs[0], False: outputs[-1]}
        self._wanted = {"min": (True,), "max": (False,), "diff": (True, False)}[mode]
        self._queue: queue.SimpleQueue[tuple[bytes, bool] | None] = queue.SimpleQueue()
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._write, daemon=True)

    def __enter__(self) -> Writer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._queue.put(None)
        self._thread.join()
        self._complain()

    def improved(self, content: bytes, fails: bool) -> None:
        """Have an answer written, in place of the one before."""
        self._complain()
        if fails in self._wanted:
            self._queue.put((content, fails))

    def _write(self) -> None:
        more = True
        while more:
            newest: dict[bool, bytes] = {}
            item = self._queue.get()
            while item is not None:
                newest[item[1]] = item[0]
                if self._queue.empty():
                    break
                item = self._queue.get()
            more = item is not None
            try:
                for fails, content in newest.items():
                    replace_file(self._of[fails], content)
            except OSError as error:
                self._error = error

    def _complain(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise UsageError(
                "cannot-write",
                f"The answer cannot be written: {error.strerror or error}.",
                "Name another file with --output.",
            )

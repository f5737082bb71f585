"""Answers on disk, from the first improvement on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from subprocess import SubprocessError

from stripe.errors import StripeError
from stripe.interrupts import start_without_signals
from stripe.outputs import Output

RETRY = 1.0
"""Seconds after which what could not be written is tried again, as when the disk was full."""


type Content = bytes | Callable[[], bytes]
"""What is written, or what makes it: called when it is to be written, so maybe never."""


def made(content: Content) -> bytes:
    """The content itself."""
    return content() if callable(content) else content


class Writer:
    """Writes improvements while the search goes on: the disk must not hold up the tests.

    What takes time to be made is made in its thread, too, and not at all if something better comes
    before that.

    What cannot be written is kept in memory, and written as soon as that works.  When all is over,
    ``left`` holds the answers that are still to be written: those, and what goes to no file.

    Args:
        outputs: where answers go: what fails first, then what passes.
        mode: that of the plan, which says what an answer is.
        say: told in a sentence what the user must know, in the thread of :meth:`improved`.
    """

    def __init__(
        self, outputs: list[Output], mode: str, say: Callable[[str], None] = lambda text: None
    ) -> None:
        self._of = {True: outputs[0], False: outputs[-1]}
        self._wanted = {"min": (True,), "max": (False,), "diff": (True, False)}[mode]
        self._queue: queue.SimpleQueue[tuple[Content, bool] | None] = queue.SimpleQueue()
        self._say = say
        self._notes: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._told = False
        self.left: list[tuple[Output, Content]] = []
        self._thread = threading.Thread(target=self._write, daemon=True)

    def __enter__(self) -> Writer:
        start_without_signals(self._thread)
        return self

    def __exit__(self, *error: object) -> None:
        self._queue.put(None)
        self._thread.join()
        self._tell()

    def improved(self, content: Content, fails: bool) -> None:
        """Have an answer written, in place of the one before."""
        self._tell()
        if fails in self._wanted:
            self._queue.put((content, fails))

    def _write(self) -> None:
        waiting: dict[bool, Content] = {}
        more = True
        while more:
            try:
                item = self._queue.get(timeout=RETRY if waiting else None)
                while item is not None:
                    waiting[item[1]] = item[0]
                    item = self._queue.get_nowait()
                more = False
            except queue.Empty:
                pass
            waiting = {
                fails: content
                for fails, content in waiting.items()
                if not self._written(self._of[fails], content)
            }
        self.left = [(self._of[fails], content) for fails, content in waiting.items()]

    def _written(self, output: Output, content: Content) -> bool:
        """Write an answer, if it goes to a file; whether that was done."""
        if not output.is_file:
            return False
        try:
            note = output.write(made(content))
        except (OSError, StripeError, SubprocessError) as error:
            if not self._told:
                self._told = True
                why = getattr(error, "strerror", None) or error
                self._notes.put(
                    f"{output.target!r} cannot be written now: {why}. The "
                    "answer so far is kept in memory, and written as soon as that works."
                )
            return False
        if note:
            self._notes.put(note)
        return True

    def _tell(self) -> None:
        while not self._notes.empty():
            self._say(self._notes.get())

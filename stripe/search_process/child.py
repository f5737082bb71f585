"""The process that a search runs in.

It reads a request, one line, from standard input, and writes lines of JSON to standard output:
``{"progress": ...}``, ``{"doing": ...}`` and ``{"better": ...}``, the result so far, as it goes,
and at the end one of ``{"result": ...}``, ``{"error": ...}``, ``{"interrupted": true}``.  A line
``stop`` ends the search with the best answer so far.  The end of standard input means that the
parent is gone: everything is cleaned up then, at once.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from stripe.campaign.progress import Progress
from stripe.errors import BackendError, StripeError
from stripe.interrupts import OrderlyEnd, Terminated

INTERVAL = 0.1
"""Seconds between two messages on progress."""


class Speaker:
    """Writes lines of JSON; a parent that went away is no error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last = 0.0
        self._stage = ""

    def say(self, **message: Any) -> None:
        try:
            self._stream.write(json.dumps(message) + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            pass

    def __call__(self, progress: Progress) -> None:
        """Pass on how far the search is, now and then."""
        now = time.monotonic()
        if now - self._last < INTERVAL and progress.stage == self._stage:
            return
        self._last, self._stage = now, progress.stage
        self.say(progress=asdict(progress))

    def better(self, result: Any) -> None:
        """Pass on the result so far, as plain JSON data."""
        self.say(better=result)

    def doing(self, what: str) -> None:
        """Pass on what is done that is no test."""
        self.say(doing=what)


def _lines_in() -> Iterator[str]:
    """The lines of standard input.

    Not by way of ``sys.stdin``, which a thread must not hold when Python exits.
    """
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.decode() for line in whole)


def listen(lines: Iterator[str], main: int) -> None:
    """Turn what the parent says into signals, for the thread that works."""
    for line in lines:
        if line == "stop":
            signal.pthread_kill(main, signal.SIGINT)
    signal.pthread_kill(main, signal.SIGTERM)


def work(search: Callable[[str, Speaker], Any]) -> int:
    """Do what the request asks for (see the module's docstring); the exit status.

    Args:
        search: makes the result, as plain JSON data, from the request.
    """
    # Whoever started the parent may have told it to ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    speaker = Speaker(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)  # nothing else gets there
    try:
        with OrderlyEnd(at_once=True):
            lines = _lines_in()
            request = next(lines)
            main_thread = threading.get_ident()
            threading.Thread(target=listen, args=(lines, main_thread), daemon=True).start()
            speaker.say(result=search(request, speaker))
    except StripeError as error:
        speaker.say(error=as_json(error))
    except KeyboardInterrupt:
        speaker.say(interrupted=True)
    except Terminated as signalled:
        return 128 + signalled.number
    except Exception as error:
        traceback.print_exc()
        speaker.say(error=as_json(internal(traceback.format_exception_only(error)[-1].strip())))
    return 0


def internal(reason: str) -> StripeError:
    """The error that a bug of ours is."""
    return BackendError(
        "internal-error",
        f"Internal error: {reason}",
        "This is a bug of stripe, not of your program. Please report it; the log of the server "
        "says more.",
    )


def as_json(error: StripeError) -> dict[str, Any]:
    """An error as plain JSON data; :func:`stripe.search_process.parent.error_of` reads it."""
    return {
        "slug": error.slug,
        "message": error.message,
        "hint": error.hint,
        "status": int(error.exit_status),
    }

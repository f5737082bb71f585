"""The process a search runs in: ``python -m stripe.lsp.worker``.

It reads a job, one line of JSON, from standard input, and writes lines of JSON to standard output:
``{"progress": ...}`` as it goes, and at the end one of ``{"result": ...}``, ``{"error": ...}``,
``{"interrupted": true}``.  A line ``stop`` ends the search with the best slice so far.  The end
of standard input means that the server is gone: everything is cleaned up then, at once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, TextIO

from stripe.api import trace
from stripe.campaign.journals import default_folder
from stripe.campaign.progress import Progress
from stripe.errors import BackendError, StripeError
from stripe.interrupts import OrderlyEnd, Terminated
from stripe.lsp.failing_tests import suspects_of, trace_test
from stripe.lsp.job import Job
from stripe.lsp.why import why_of
from stripe.reduce import Result
from stripe.results.why import Document
from stripe.suspects import SuspectsResult

INTERVAL = 0.1
"""Seconds between two messages on progress."""


class Speaker:
    """Writes lines of JSON; a server that went away is no error."""

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


def _lines_in() -> Iterator[str]:
    """The lines of standard input.

    Not by way of ``sys.stdin``, which a thread must not hold when Python exits.
    """
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.decode() for line in whole)


def listen(lines: Iterator[str], main: int) -> None:
    """Turn what the server says into signals, for the thread that works."""
    for line in lines:
        if line == "stop":
            signal.pthread_kill(main, signal.SIGINT)
    signal.pthread_kill(main, signal.SIGTERM)


def run(job: Job, speaker: Speaker) -> Result | SuspectsResult | Document:
    """Do what the job asks for."""
    if job.why:
        return why_of(job, speaker)
    options: dict[str, Any] = {
        "directory": job.directory,
        "python": job.python,
        "timeout": job.timeout,
        "max_tests": job.max_tests,
        "max_time": job.max_time,
        "jobs": job.jobs,
        "progress": speaker,
    }
    if job.suspects:
        return suspects_of(job, {**options, "stdin": job.stdin.encode("utf-8", "surrogateescape")})
    options |= {
        "check": job.check,
        "control": job.control,
        "values": job.values,
        "stdin": job.stdin,
        # What was ended early goes on when it is asked for again.
        "journals": default_folder(),
        "resume": True,
    }
    if job.test is not None:
        return trace_test(job, options)
    return trace(job.program, *job.arguments, module=job.module, **options)


def main() -> int:
    """See the module's docstring; the exit status."""
    # Whoever started the server may have told it to ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    speaker = Speaker(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)  # nothing else gets there
    try:
        with OrderlyEnd(at_once=True):
            lines = _lines_in()
            job = Job.from_json(next(lines))
            os.chdir(job.directory)
            main_thread = threading.get_ident()
            threading.Thread(target=listen, args=(lines, main_thread), daemon=True).start()
            speaker.say(result=run(job, speaker).to_json())
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
        "This is a bug of stripe, not of your program. Please report it; the log of the language "
        "server says more.",
    )


def as_json(error: StripeError) -> dict[str, Any]:
    """An error as plain JSON data; :func:`stripe.lsp.search.told` reads it."""
    return {
        "slug": error.slug,
        "message": error.message,
        "hint": error.hint,
        "status": int(error.exit_status),
    }


if __name__ == "__main__":
    sys.exit(main())

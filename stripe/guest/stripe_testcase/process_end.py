"""How the process ends that runs a single test: with what it failed with, and nothing later."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from types import FrameType, TracebackType
from typing import NoReturn

RUNNER = ("__main__", "_pytest", "pluggy", "unittest")
"""Packages whose frames call the test."""


def end(error: BaseException | None, status: int) -> NoReturn:
    """End as an uncaught exception would, or else with a status; no exit functions are run."""
    text = ""
    if error is not None:
        error = readable(error)
        sys.audit("stripe_testcase.fails", error)
        text = shown(error)
    for stream, last in ((sys.stdout, ""), (sys.stderr, text)):
        with contextlib.suppress(Exception):  # there may be none, or nobody who reads it
            stream.write(last)
            stream.flush()
    os._exit(1 if text else status)


def readable(error: BaseException) -> BaseException:
    """What a test failed with, as the exception that ends the process."""
    trace = of_the_test(error.__traceback__)
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        return RuntimeError(f"{type(error).__name__}: {error}").with_traceback(trace)
    if isinstance(error, AssertionError) and error.args:
        # What was compared may be shown with addresses, which differ from run to run.
        error.args = (re.sub(r"\b0x[0-9a-f]{6,}\b", "0x...", str(error.args[0])), *error.args[1:])
    return error.with_traceback(trace)


def of_the_test(trace: TracebackType | None) -> TracebackType | None:
    """A traceback from where the test begins; all of it, if none of it is the test's.

    What leads there is the same for every failure, and to print it took up to a fifth of a replay.
    """
    own = trace
    while own is not None and (package_of(own.tb_frame) in RUNNER or _is_hook(own.tb_frame)):
        own = own.tb_next
    return own or trace


def _is_hook(frame: FrameType) -> bool:
    """Whether a plugin of pytest is called in it: one that wraps the test's call."""
    return frame.f_code.co_name.startswith("pytest_")


def package_of(frame: FrameType) -> str:
    """The topmost package of what runs in a frame."""
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def shown(error: BaseException) -> str:
    """An exception as it is printed: without lines of source, for which files would be read."""
    lines = ["Traceback (most recent call last):"]
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        lines.append(f'  File "{code.co_filename}", line {trace.tb_lineno}, in {code.co_name}')
        trace = trace.tb_next
    try:
        message = str(error)
    except Exception:
        message = "<exception str() failed>"
    lines.append(f"{type(error).__qualname__}: {message}".removesuffix(": "))
    return "\n".join(lines) + "\n"

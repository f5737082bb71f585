"""Runs one test, and ends with the exception it failed with: what STRIPE traces.

    python -m stripe_testcase DIRECTORY TEST [ARGUMENTS OF PYTEST...]

``DIRECTORY`` is where pytest is called.  Nothing of pytest's own output is shown, for it tells how
long things took.

The process ends with the teardown of the test.  What pytest does after that (the summary, the ends
of the session and of its plugins, exit functions) cannot change what the test failed with, and took
two fifths of a replay.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import sys
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, TextIO

import pytest


class Nowhere(io.RawIOBase):
    """Takes what is written, and holds no file: runs can be forked only where none is open."""

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def write(self, data: Any, /) -> int:
        """Take all of it."""
        return len(memoryview(data))


def nowhere() -> io.TextIOWrapper:
    """A stream as `sys.stdout` is one."""
    return io.TextIOWrapper(io.BufferedWriter(Nowhere()), "utf-8", "replace", write_through=True)


def untold(*error: object, **style: object) -> str:
    return "failed"


class Outcome:
    """Remembers what the test failed with, and ends the process when the test is over.

    ``streams`` are those of the process: standard output and standard error.
    """

    error: BaseException | None = None

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Iterator[None]:
        if isinstance(item, pytest.Function):  # nobody sees how a failure is described
            item.repr_failure = item._repr_failure_py = untold  # type: ignore[method-assign, assignment]
        # The recording begins: with hooks of the project that wrap a test, and fixtures.
        sys.audit("stripe_testcase.begins")
        ended: Any = yield
        if ended.excinfo is None and (nextitem is None or self.error is not None):
            self._end(item.session)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        sys.audit("stripe_testcase.calls")
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_exception_interact(self, call: pytest.CallInfo[Any], report: object) -> None:
        # Not of the collection, nor of a teardown after another failure.
        if self.error is None and isinstance(report, pytest.TestReport) and call.excinfo:
            self.error = call.excinfo.value

    def _end(self, session: pytest.Session) -> None:
        """End the process as an uncaught exception would, or with pytest's status."""
        text = ""
        if self.error is not None:
            error = readable(self.error)
            sys.audit("stripe_testcase.fails", error)
            text = shown(error)
        for stream, last in zip(self._streams, ("", text), strict=True):
            with contextlib.suppress(Exception):  # there may be none, or nobody who reads it
                stream.write(last)
                stream.flush()
        os._exit(1 if text or session.testsfailed else 0)


ALWAYS = (
    # What pytest has rewritten cannot be traced; what an assert compared, STRIPE sees itself.
    "--assert=plain",
    # Nobody sees what pytest shows of a failure, and it parses whole files for it.
    "--tb=no",
    # A cache would differ from run to run.
    *("-p", "no:cacheprovider"),
    "--capture=no",
)
"""Options of every run."""

IN_ONE_PROCESS = (
    ("xdist", ("-n0",)),
    ("pytest_cov", ("--no-cov",)),
    ("pytest_randomly", ("-p", "no:randomly")),
)
"""Plugins, as modules, and what keeps them from running the test elsewhere or otherwise."""


def quieted(arguments: list[str]) -> list[str]:
    """Options for those of `IN_ONE_PROCESS` that are there, whatever the project asks them for."""
    given = [*arguments, *os.environ.get("PYTEST_PLUGINS", "").split(",")]
    by_themselves = not os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    return [
        word
        for name, words in IN_ONE_PROCESS
        if (by_themselves and importlib.util.find_spec(name))
        or any(each.split(".")[0] == name for each in given)
        for word in words
    ]


RUNNER = ("_pytest", "pluggy")
"""Packages whose frames call the test."""


def package_of(frame: FrameType) -> str:
    """The topmost package of what runs in a frame."""
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def of_the_test(trace: TracebackType | None) -> TracebackType | None:
    """A traceback from where the test begins; all of it, if none of it is the test's.

    What leads there is the same for every failure, and to print it took up to a fifth of a replay.
    """
    own = trace
    while own is not None and package_of(own.tb_frame) in RUNNER:
        own = own.tb_next
    return own or trace


def readable(error: BaseException) -> BaseException:
    """What a test failed with, as the exception that ends the process."""
    trace = of_the_test(error.__traceback__)
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        return RuntimeError(f"{type(error).__name__}: {error}").with_traceback(trace)
    if isinstance(error, AssertionError) and error.args:
        # What was compared may be shown with addresses, which differ from run to run.
        error.args = (re.sub(r"\b0x[0-9a-f]{6,}\b", "0x...", str(error.args[0])), *error.args[1:])
    return error.with_traceback(trace)


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
    lines.append(f"{type(error).__qualname__}: {message}")
    return "\n".join(lines) + "\n"


def main() -> None:
    directory, test, *arguments = sys.argv[1:]
    os.chdir(directory)
    outcome = Outcome(sys.stdout, sys.stderr)
    with contextlib.redirect_stdout(nowhere()), contextlib.redirect_stderr(nowhere()):
        words = [*arguments, *quieted(arguments), *ALWAYS, test]
        status = pytest.main(words, plugins=[outcome])
    # No test came to its end: none was collected, or one has ended the session.
    if outcome.error is not None:
        raise readable(outcome.error)
    raise SystemExit(int(status))


if __name__ == "__main__":
    main()

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
import sys
from collections.abc import Iterator
from typing import Any, TextIO

import pytest

from .process_end import end


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
            sys.stdout, sys.stderr = self._streams
            end(self.error, 1 if item.session.testsfailed else 0)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        sys.audit("stripe_testcase.calls")
        yield

    @pytest.hookimpl(tryfirst=True)
    def pytest_exception_interact(self, call: pytest.CallInfo[Any], report: object) -> None:
        # Not of the collection, nor of a teardown after another failure.
        if self.error is None and isinstance(report, pytest.TestReport) and call.excinfo:
            self.error = call.excinfo.value


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


def main() -> None:
    directory, test, *arguments = sys.argv[1:]
    os.chdir(directory)
    outcome = Outcome(sys.stdout, sys.stderr)
    with contextlib.redirect_stdout(nowhere()), contextlib.redirect_stderr(nowhere()):
        words = [*arguments, *quieted(arguments), *ALWAYS, test]
        status = pytest.main(words, plugins=[outcome])
    # No test came to its end: none was collected, or one has ended the session.
    end(outcome.error, int(status))


if __name__ == "__main__":
    main()

"""A pytest plugin: writes how each test ended, as JSON into the file named by WHY_REPORT.

With WHY_CODE, a folder: also which lines of files below it each test executes, and the frames in
which a failure was raised.

As a program it runs pytest once for each line of its input (arguments as JSON), in a fork of a
process that has pytest imported, and prints a line when that has ended.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

CODE = os.environ.get("WHY_CODE", "")
MONITORING = sys.monitoring
TOOL = 4

ended: dict[str, tuple[str, str]] = {}
executed: dict[str, dict[str, list[int]]] = {}
frames: dict[str, list[tuple[str, int, str]]] = {}
now: dict[str, set[int]] = {}


def line(code: Any, number: int) -> object:
    """Called by the interpreter once for each line of a test."""
    if code.co_filename.startswith(CODE + os.sep):
        now.setdefault(os.path.relpath(code.co_filename, CODE), set()).add(number)
    return MONITORING.DISABLE


def pytest_configure() -> None:
    """Begin to watch, if that is wanted."""
    if CODE:
        MONITORING.use_tool_id(TOOL, "why")
        MONITORING.register_callback(TOOL, MONITORING.events.LINE, line)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Iterator[None]:
    """Watch the lines of one test."""
    if not CODE:
        return (yield)
    now.clear()
    MONITORING.restart_events()
    MONITORING.set_events(TOOL, MONITORING.events.LINE)
    try:
        return (yield)
    finally:
        MONITORING.set_events(TOOL, 0)
        executed[item.nodeid] = {file: sorted(lines) for file, lines in now.items()}


def pytest_runtest_makereport(item: Any, call: Any) -> None:
    """Keep the frames of a failure."""
    if CODE and call.excinfo is not None:
        frames[item.nodeid] = [
            (str(each.path), each.lineno + 1, each.name) for each in call.excinfo.traceback
        ]


def pytest_runtest_logreport(report: Any) -> None:
    """Keep how a test ended, and the first line of what it says."""
    known = ended.get(report.nodeid, ("", ""))[0]
    if (report.when == "call" or report.outcome != "passed") and known in ("", "passed"):
        said = getattr(getattr(report.longrepr, "reprcrash", None), "message", "")
        kind = "xfailed" if hasattr(report, "wasxfail") else report.outcome
        ended[report.nodeid] = kind, said.partition("\n")[0]


def pytest_collectreport(report: Any) -> None:
    """Keep why a file could not be collected."""
    if report.failed:
        ended[report.nodeid] = "error", str(report.longrepr).strip().rpartition("\n")[2]


def pytest_unconfigure() -> None:
    """Write all."""
    with open(os.environ["WHY_REPORT"], "w") as file:
        json.dump({"ended": ended, "executed": executed, "frames": frames}, file)


def run(arguments: list[str], seconds: float) -> None:
    """Run pytest in a fork, which is killed after so many seconds."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        try:
            pytest.main(["-p", "outcomes", *arguments])
        finally:
            os._exit(0)
    ends = time.monotonic() + seconds
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.01)


if __name__ == "__main__":
    for request in sys.stdin:
        run(json.loads(request), float(sys.argv[1]))
        print("ended", flush=True)

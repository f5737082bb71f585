"""Runs in the jail: the tests of a subject, with one text after the other in a file's place.

Standard input has the work as JSON, standard output gets a line of JSON for each text: how tests
end and what they execute.  Each text is tried in a child of this process, where pytest is imported
already.  Imports pytest and the standard library only.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

TOOL = 4
MONITORING = sys.monitoring
MEMORY = 2 << 30


class Observer:
    """How each test ends, and which lines of which files it executes."""

    def __init__(self, top: Path, tests: Sequence[str], cover: bool) -> None:
        self.top = f"{top.resolve()}{os.sep}"
        self.tests = tests
        self.cover = cover
        self.failed: dict[str, bool] = {}
        self.lines: dict[str, dict[str, list[int]]] = {}
        self.now: dict[str, set[int]] = {}
        self.imported: dict[str, list[int]] = {}

    def line(self, code: CodeType, number: int) -> object:
        path = code.co_filename
        if path.startswith(self.top):
            name = path.removeprefix(self.top)
            if name not in self.tests and "tests/" not in name:
                self.now.setdefault(name, set()).add(number)
        return MONITORING.DISABLE

    def pytest_collection_finish(self) -> None:
        self.imported = {name: sorted(lines) for name, lines in self.now.items()}

    def pytest_runtest_logstart(self) -> None:
        if self.cover:
            self.now = {}
            MONITORING.restart_events()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if not report.skipped:
            self.failed[report.nodeid] = self.failed.get(report.nodeid, False) or report.failed

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.lines[nodeid] = {name: sorted(lines) for name, lines in self.now.items()}

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed[report.nodeid] = True

    def run(self) -> dict[str, Any]:
        if self.cover:
            MONITORING.use_tool_id(TOOL, "suspects")
            MONITORING.register_callback(TOOL, MONITORING.events.LINE, self.line)
            MONITORING.set_events(TOOL, MONITORING.events.LINE)
        options = ["-q", "-c/dev/null", "--rootdir=.", "-pno:cacheprovider"]
        pytest.main([*options, *self.tests], plugins=[self])
        return {"failed": self.failed, "imported": self.imported, "lines": self.lines}


def try_out(top: Path, tests: Sequence[str], cover: bool, limit: float) -> str:
    """A line of JSON; ``null`` if it was not done within ``limit`` seconds."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        os.setpgid(0, 0)
        os.chdir(top)
        sys.path.insert(0, str(top))
        try:
            answer = json.dumps(Observer(top, tests, cover).run())
            with open(writer, "w") as answers:
                answers.write(answer)
        finally:
            os._exit(0)
    os.close(writer)
    text = b""
    while select.select([reader], [], [], limit)[0] and (more := os.read(reader, 1 << 16)):
        text += more
    os.close(reader)
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return text.decode() or "null"


def main(work: Mapping[str, Any]) -> None:
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as scratch:
        top = Path(scratch)
        for name, source in work["places"].items():
            if os.path.isdir(source):
                shutil.copytree(source, top / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, top / name)
        for file, text in work["texts"]:
            path = top / file
            right = path.read_text("utf-8")
            path.write_text(text, "utf-8")
            print(try_out(top, work["tests"], work["cover"], work["limit"]), flush=True)
            path.write_text(right, "utf-8")


if __name__ == "__main__":
    main(json.load(sys.stdin))

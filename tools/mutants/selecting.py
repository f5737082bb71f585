"""What runs inside pytest: which tests run, in which order, and which lines each executes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tools.mutants import entering


class Watcher:
    """A plugin of pytest that tells, line by line, how tests go.

    Args:
        told: The file descriptor to write to.
        tests: The tests to run, in this order; files and folders: all there are in them, and each
            is told with the lines that it executes.
        folder: Where those lines have to be.
    """

    def __init__(self, told: int, tests: Sequence[str], folder: str) -> None:
        self.folder = f"{folder}{os.sep}"
        self.told = told
        self.wanted = (
            {test: place for place, test in enumerate(tests)} if "::" in tests[0] else None
        )
        self.process = os.getpid()
        self.failed = self.passed = False

    def tell(self, news: dict[str, Any]) -> None:
        """Write a line; a process that a test has forked has nothing to say."""
        if os.getpid() == self.process:
            os.write(self.told, json.dumps(news).encode() + b"\n")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the wanted ones, in their order."""
        if self.wanted is not None:
            order = self.wanted
            items[:] = sorted(
                (item for item in items if item.nodeid in order),
                key=lambda item: order[item.nodeid],
            )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Tell when a test begins, and how it went."""
        self.tell({"begins": item.nodeid})
        self.failed = self.passed = False
        started = time.monotonic()
        if self.wanted is None:
            entering.NOTES.mkdir(exist_ok=True)  # else it were news, to tests of what is left
            entering.entered.clear()
            entering.listen()
        try:
            return (yield)
        finally:
            news: dict[str, Any] = {"test": item.nodeid, "failed": self.failed}
            if self.wanted is None:
                entering.stop()
                news["seconds"] = round(time.monotonic() - started, 3)
                news["passed"] = self.passed and not self.failed
                news["lines"] = sorted(
                    each
                    for each in entering.entered | entering.noted()
                    if each[0].startswith(self.folder)
                )
            self.tell(news)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how it went; a test that is skipped has neither passed nor failed."""
        self.failed = self.failed or report.failed
        self.passed = self.passed or (report.passed and report.when == "call")

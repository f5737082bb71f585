"""Sections of reports: what STRIPE says of each failing test, within the time of the session."""

from __future__ import annotations

import itertools
import re
import shlex
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stripe_pytest.command import NoCommand, find_command
from stripe_pytest.plugin import SHORT
from stripe_pytest.slices import trace
from stripe_pytest.suspects import suspects
from stripe_pytest.why import why

LEAST_SECONDS = 5.0
"""With less of the session left, no other failure is begun."""

MOST_SHORT = 3
"""Failures that get a short answer: the mistake behind the others is often the same."""

MAX_SECONDS = {True: 30.0, False: 60.0}
"""Seconds for one failure, if nobody says otherwise: for a short answer, or a slice."""

type Explain = Callable[[list[str]], tuple[int, str, bool]]
"""Runs a command with more options; as :func:`~stripe_pytest.invocation.explain`."""


def add_sections(
    config: pytest.Config, title: str, failures: list[pytest.TestReport]
) -> list[tuple[str, str]]:
    """Add a section to each report; returns the names of the tests and the sections' texts."""
    command, absent = [], ""
    try:
        command = find_command(config.getoption("stripe_command"))
    except NoCommand as error:
        absent = str(error)
    found = []
    names = page_names([report.nodeid for report in failures])
    session = Session(config, len(failures))
    for report in failures:
        if absent:
            text = absent
        elif session.begin(report.nodeid):
            text = explained(config, command, report.nodeid, names[report.nodeid], session)
        else:
            text = session.left_out(report.nodeid)
        report.sections.append((title, text))
        found.append((report.nodeid, text))
    session.end()
    return found


def explained(
    config: pytest.Config, command: list[str], nodeid: str, name: str, session: Session
) -> str:
    """What is told of one failing test; ``name`` is that of its page, without suffix."""
    if session.short:
        seconds = session.limited(session.each)
        return with_page(config, name, lambda more: why(config, command, nodeid, seconds, more))
    seconds = session.limited(config.getoption("stripe_suspects"))
    where = f"{suspects(config, command, nodeid, seconds)}\n" * (seconds > 0)
    seconds = session.limited(session.each)
    text = with_page(config, name, lambda more: trace(config, command, nodeid, seconds, more))
    return f"{where}{text}"  # what may be wrong stands first: a slice is long


def with_page(config: pytest.Config, name: str, explain: Explain) -> str:
    """An explanation as text, with its page if one is wanted; a page of the user's is kept."""
    page = config.getoption("stripe_html")
    if not page:
        return explain([])[1]
    folder = Path(config.invocation_params.dir, page)
    folder.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(1):
        target = folder / (f"{name}.html" if number == 1 else f"{name}-{number}.html")
        status, text, kept = explain(["--html", str(target)])
        if not kept:
            break
    return text + ("" if status else f"\npage: {target}")


class Session:
    """The time that all failures share, and what is told of it while it passes.

    ``short``: a short answer is wanted; ``each``: seconds for each failure.
    """

    def __init__(self, config: pytest.Config, failures: int) -> None:
        self._config = config
        self._failures = failures
        self.short = config.getoption("stripe_report") == SHORT
        given = config.getoption("stripe_max_time")
        self.each: float = MAX_SECONDS[self.short] if given is None else given
        self._begun = self._omitted = 0
        self._why = ""
        self._told = False
        self._seconds: float = config.getoption("stripe_session_time")
        self._until = time.monotonic() + self._seconds

    def limited(self, seconds: float) -> float:
        """So many seconds, or those that are left if they are fewer; rounded as they are told."""
        left = max(LEAST_SECONDS, self._until - time.monotonic())
        return seconds if seconds <= left else round(left, 1)

    def begin(self, test: str) -> bool:
        """Whether there is time for one more test; on standard output a line says which."""
        over = time.monotonic() + LEAST_SECONDS > self._until
        if self._omitted or over or (self.short and self._begun == MOST_SHORT):
            self._omitted += 1
            self._why = self._why or (
                f"after {self._seconds:g} s (--stripe-session-time)"
                if over
                else f"after the first {MOST_SHORT} (--stripe-report full: all, by their slices)"
            )
            return False
        self._begun += 1
        most = self.each + (0 if self.short else self._config.getoption("stripe_suspects"))
        self._tell(
            f"stripe: failure {self._begun} of {self._failures}, at most "
            f"{self.limited(most):.0f} s: {test}"
        )
        return True

    def left_out(self, test: str) -> str:
        """Why a test is not explained, and how to have it."""
        verb = "why" if self.short else "trace"
        return f"left out {self._why}\nstripe {verb} -m pytest {shlex.quote(test)}"

    def end(self) -> None:
        """Tell what was left out."""
        if self._omitted:
            self._tell(
                f"stripe: {self._begun} of {self._failures} failures explained; {self._omitted} "
                f"left out {self._why}"
            )

    def _tell(self, line: str) -> None:
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(line if self._told else f"\n{line}")  # below the dots
            self._told = True


def page_names(tests: list[str]) -> dict[str, str]:
    """For each test a name that can be a file's, without suffix, and is no other test's."""
    names: dict[str, str] = {}
    for test in tests:
        name = plain = re.sub(r"[^\w.-]+", "_", test).strip("_")[:150]
        number = 1
        while any(name == other for each, other in names.items() if each != test):
            number += 1
            name = f"{plain}_{number}"
        names[test] = name
    return names

"""Slices of failing tests: runs ``stripe trace -m stripe_testcase`` for each."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import sys
import time
from pathlib import Path

import pytest

from stripe_pytest.command import NoCommand, find_command
from stripe_pytest.invocation import ask, options, project
from stripe_pytest.suspects import suspects

HERE = Path(__file__).parent

HELPER = "stripe_testcase"
"""What the command traces a single test by: ``HELPER DIRECTORY TEST [ARGUMENTS OF PYTEST]``."""

LEAST_SECONDS = 5.0
"""With less of the session left, no other failure is begun."""

TITLE = "critical slice"


def add_slices(config: pytest.Config, failures: list[pytest.TestReport]) -> list[tuple[str, str]]:
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
        page = names[report.nodeid]
        if absent:
            text = absent
        elif session.begin(report.nodeid):
            seconds = session.limited(config.getoption("stripe_suspects"))
            where = f"{suspects(config, command, report.nodeid, seconds)}\n" * (seconds > 0)
            # What may be wrong stands first: a slice is long.
            text = f"{where}{run(config, command, report.nodeid, page, session)}"
        else:
            text = session.left_out(report.nodeid)
        report.sections.append((TITLE, text))
        found.append((report.nodeid, text))
    session.end()
    return found


class Session:
    """The time that all failures share, and what is told of it while it passes."""

    def __init__(self, config: pytest.Config, failures: int) -> None:
        self._config = config
        self._failures = failures
        self._begun = self._omitted = 0
        self._told = False
        self._seconds: float = config.getoption("stripe_session_time")
        self._until = time.monotonic() + self._seconds

    def limited(self, seconds: float) -> float:
        """So many seconds, or those that are left if they are fewer; rounded as they are told."""
        left = max(LEAST_SECONDS, self._until - time.monotonic())
        return seconds if seconds <= left else round(left, 1)

    def begin(self, test: str) -> bool:
        """Whether there is time for one more test; on standard output a line says which."""
        if self._omitted or time.monotonic() + LEAST_SECONDS > self._until:
            self._omitted += 1
            return False
        self._begun += 1
        most = self._config.getoption("stripe_suspects") + self._config.getoption("stripe_max_time")
        self._tell(
            f"stripe: failure {self._begun} of {self._failures}, at most "
            f"{self.limited(most):.0f} s: {test}"
        )
        return True

    def left_out(self, test: str) -> str:
        """Why there is no slice of a test, and how to have it."""
        return (
            f"left out: the {self._seconds:g} s for all failures are over (--stripe-session-time)."
            f"\nFor this one alone: stripe trace -m pytest {shlex.quote(test)}"
        )

    def end(self) -> None:
        """Tell what was left out."""
        if self._omitted:
            self._tell(
                f"stripe: {self._begun} of {self._failures} failures explained; {self._omitted} "
                f"left out after {self._seconds:g} s (--stripe-session-time)"
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


def run(config: pytest.Config, command: list[str], nodeid: str, name: str, session: Session) -> str:
    """The slice of one failing test as text, or why there is none.

    ``name`` is that of its page, without suffix; a page of the user's is kept.
    """
    page = config.getoption("stripe_html")
    if not page:
        return trace(config, command, nodeid, session, [])[1]
    folder = Path(config.invocation_params.dir, page)
    folder.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(1):
        target = folder / (f"{name}.html" if number == 1 else f"{name}-{number}.html")
        status, text, kept = trace(config, command, nodeid, session, ["--html", str(target)])
        if not kept:
            break
    return text + ("" if status else f"\npage: {target}")


def trace(
    config: pytest.Config, command: list[str], nodeid: str, session: Session, options: list[str]
) -> tuple[int, str, bool]:
    """Trace one test; exit status, what to show, and whether a file was in the way."""
    seconds = session.limited(config.getoption("stripe_max_time"))
    words = [
        *command, "trace", "--check", "exception", "--show", "source,summary", "--input", "",
        "--python", sys.executable, "--max-time", str(seconds), "-q",
        "--exclude", str(HERE / "*"), *options,
    ]  # fmt: skip
    words += ["-m", HELPER, "--", *arguments(config, nodeid)]
    try:
        done = ask(config, words)
    except OSError as error:
        return 1, f"{shlex.join(command)}: {error}", False
    if done.returncode:
        kept = "[output-exists]" in done.stderr
        return done.returncode, done.stdout + done.stderr.strip(), kept
    return 0, done.stdout.strip(), False


def arguments(config: pytest.Config, nodeid: str) -> list[str]:
    """The directory pytest was called in, the test, and what else it was called with."""
    path, separator, rest = nodeid.partition("::")
    test = f"{config.rootpath / path}{separator}{rest}"
    directory = os.path.relpath(config.invocation_params.dir, project(config))
    return [directory, test, *options(config), "--rootdir", str(config.rootpath)]

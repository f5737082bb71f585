"""Slices of failing tests: runs ``stripe trace -m stripe_pytest`` for each."""

from __future__ import annotations

import importlib.metadata
import itertools
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from stripe_pytest import policy
from stripe_pytest.calling import HERE, ask, options, project
from stripe_pytest.suspecting import suspects

TITLE = "critical slice"
ABSENT = (
    "pytest --stripe needs the command stripe: install stripe-trace, or name it with "
    "--stripe-command."
)


def add_slices(config: pytest.Config, failures: list[pytest.TestReport]) -> list[tuple[str, str]]:
    """Add a section to each report; returns the names of the tests and the sections' texts."""
    command = find_command(config)
    found = []
    names = page_names([report.nodeid for report in failures])
    for report in failures:
        page = names[report.nodeid]
        if command is None:
            text = ABSENT
        else:
            text = run(config, command, report.nodeid, page)
            text = f"{text}\n{suspects(config, command, report.nodeid)}"
        report.sections.append((TITLE, text))
        found.append((report.nodeid, text))
    return found


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


def find_command(config: pytest.Config) -> list[str] | None:
    """How to run STRIPE, without importing it here."""
    given = config.getoption("stripe_command")
    if given:
        return shlex.split(given)
    try:
        importlib.metadata.version("stripe-trace")
    except importlib.metadata.PackageNotFoundError:
        path = shutil.which("stripe")
        return [path] if path else None
    return [sys.executable, "-P", "-m", "stripe.cli.main"]


def run(config: pytest.Config, command: list[str], nodeid: str, name: str) -> str:
    """The slice of one failing test as text, or why there is none.

    ``name`` is that of its page, without suffix; a page of the user's is kept.
    """
    page = config.getoption("stripe_html")
    if not page:
        return trace(config, command, nodeid, [])[1]
    folder = Path(config.invocation_params.dir, page)
    folder.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(1):
        target = folder / (f"{name}.html" if number == 1 else f"{name}-{number}.html")
        status, text, kept = trace(config, command, nodeid, ["--html", str(target)])
        if not kept:
            break
    return text + ("" if status else f"\npage: {target}")


def trace(
    config: pytest.Config, command: list[str], nodeid: str, options: list[str]
) -> tuple[int, str, bool]:
    """Trace one test; exit status, what to show, and whether a file was in the way."""
    words = [
        *command, "trace", "--check", "exception", "--show", "source,summary", "--input", "",
        "--python", sys.executable, "--max-time", str(config.getoption("stripe_max_time")), "-q",
        "--exclude", str(HERE / "*"), *options,
    ]  # fmt: skip
    words += ["-m", policy.MODULE, "--", *arguments(config, nodeid)]
    try:
        done = ask(config, words)
    except OSError as error:
        return 1, f"{ABSENT} ({error})", False
    if done.returncode:
        kept = "[output-exists]" in done.stderr
        return done.returncode, done.stdout + done.stderr.strip(), kept
    return 0, done.stdout.strip(), False


def arguments(config: pytest.Config, nodeid: str) -> list[str]:
    """The directory pytest was called in, the test, and what else it was called with."""
    path, separator, rest = nodeid.partition("::")
    test = f"{config.rootpath / path}{separator}{rest}"
    directory = os.path.relpath(config.invocation_params.dir, project(config))
    return policy.words(directory, test, str(config.rootpath), options(config))

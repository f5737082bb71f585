"""What pytest imports: the options, and the list of failures.

The work is done in ``sections`` and ``reduction``.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

FLAGS = {
    "--stripe": "show why each test fails: where to look, and how it came about",
    "--stripe-reduce": "show smaller arguments with which a failing parametrised test fails at the "
    "same line",
}
SHORT, FULL = "short", "full"
TITLES = {SHORT: "why", FULL: "critical slice"}
SECONDS = {
    "--stripe-max-time": (None, "seconds for one failure (default: 30, in full 60)"),
    "--stripe-suspects": (
        10.0,
        "with --stripe-report full, seconds to look for small changes with "
        "which it passes; 0: none",
    ),
    "--stripe-session-time": (300.0, "seconds for all failures; later ones are left out, and told"),
    "--stripe-reduce-max-time": (60.0, "seconds that reducing the arguments of one test may take"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("stripe", "failing tests explained")
    for name, words in FLAGS.items():
        group.addoption(name, action="store_true", help=words)
    for name, (default, words) in SECONDS.items():
        text = words if default is None else f"{words} (default: {default:g})"
        group.addoption(name, metavar="S", type=float, default=default, help=text)
    group.addoption(
        "--stripe-report", choices=(SHORT, FULL), default=SHORT,
        help="short: an answer on one screen for each of the first three failures (the default); "
        "full: the critical slice of each, the few executed statements that it needs",
    )  # fmt: skip
    group.addoption(
        "--stripe-html", metavar="DIR", help="write a page for each failure to DIR (with --stripe)"
    )
    group.addoption(
        "--stripe-command",
        metavar="COMMAND",
        help="how to run stripe (default: $STRIPE_COMMAND, or where uv, pipx and PATH have it)",
    )


def pytest_configure(config: pytest.Config) -> None:
    # The workers of pytest-xdist only run tests; what failed is known where they report to.
    if config.getoption("stripe") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Explanations(config), "stripe-explanations")
    if config.getoption("stripe_reduce"):
        from stripe_pytest.reduction import Reductions

        reductions = Reductions(config.getoption("stripe_reduce_max_time"))
        config.pluginmanager.register(reductions, "stripe-reductions")


class Explanations:
    """Collects failures, and explains them when all tests have run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.title = TITLES[config.getoption("stripe_report")]
        self.failures: list[pytest.TestReport] = []
        self.texts: list[tuple[str, str]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.when in ("setup", "call"):
            self.failures.append(report)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, Any, Any]:
        if self.failures:
            from stripe_pytest.sections import add_sections

            self.texts = add_sections(self.config, self.title, self.failures)
        return (yield)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        # Where failures are shown, they are explained below already.
        options = self.config.option
        if options.tbstyle != "no" and options.showcapture == "all":
            return
        for name, text in self.texts:
            terminalreporter.section(f"{self.title}: {name}", sep="-")
            terminalreporter.write_line(text)

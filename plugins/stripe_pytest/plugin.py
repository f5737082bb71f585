"""What pytest imports: the options, and the list of failures.

The work is done in ``slicing`` and ``reducing``.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

FLAGS = {
    "--stripe": "show the critical slice of each failure: the few executed statements it needs",
    "--stripe-reduce": "show smaller arguments with which a failing parametrised test fails at the "
    "same line",
}
SECONDS = {
    "--stripe-max-time": (60.0, "seconds for the slice of one failure"),
    "--stripe-suspects": (10.0, "seconds to look for small changes with which it passes; 0: none"),
    "--stripe-session-time": (300.0, "seconds for all failures; later ones are left out, and told"),
    "--stripe-reduce-max-time": (60.0, "seconds that reducing the arguments of one test may take"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("stripe", "failing tests explained")
    for name, words in FLAGS.items():
        group.addoption(name, action="store_true", help=words)
    for name, (default, words) in SECONDS.items():
        text = f"{words} (default: {default:g})"
        group.addoption(name, metavar="S", type=float, default=default, help=text)
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
        config.pluginmanager.register(Slices(config), "stripe-slices")
    if config.getoption("stripe_reduce"):
        from stripe_pytest.reduction import Reductions

        reductions = Reductions(config.getoption("stripe_reduce_max_time"))
        config.pluginmanager.register(reductions, "stripe-reductions")


class Slices:
    """Collects failures, and adds their slices when all tests have run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.failures: list[pytest.TestReport] = []
        self.texts: list[tuple[str, str]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.when in ("setup", "call"):
            self.failures.append(report)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, Any, Any]:
        if self.failures:
            from stripe_pytest.slices import add_slices

            self.texts = add_slices(self.config, self.failures)
        return (yield)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        # Where failures are shown, their slices are below them already.
        options = self.config.option
        if options.tbstyle != "no" and options.showcapture == "all":
            return
        for name, text in self.texts:
            terminalreporter.section(f"critical slice of {name}", sep="-")
            terminalreporter.write_line(text)

"""Tests in other processes and on other machines.

Runs cannot travel, nor can what stays at a moment of them. What travels are the targets, a
moment, and differences by number: a worker runs and looks at both for itself first, and answers
only if they do there what they did where the search is.
"""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial

from stripe.backend import Target, backends
from stripe.campaign.campaign import Campaign
from stripe.campaign.workers import STORE
from stripe.checks import parse_check
from stripe.dd import Configuration, Outcome
from stripe.errors import NotReducible, UsageError
from stripe.snapshots import Stateful
from stripe.states.goals import Aim
from stripe.states.isolation import Isolation
from stripe.states.search import Search


@dataclass(frozen=True, slots=True)
class Package:
    """What a worker has to know; ``mark`` is the search's own :attr:`Search.mark`."""

    backend: str
    failing: Target
    passing: Target
    check: str
    mark: str

    def test(self, index: int, aim: Aim | None, base: Configuration[int]) -> RemoteTest:
        """The test at a moment, to be sent."""
        return RemoteTest(self, index, aim, base)

    def prepare(self) -> None:
        """Run both here, before the first test."""
        with STORE.use(self, partial(_Guest, self)):
            pass


@dataclass(frozen=True, slots=True)
class RemoteTest:
    """A test function that can be sent to a worker.

    Raises, there and then here, what running the program raises, and
    :class:`~stripe.errors.NotReducible` ``worker-differs``.
    """

    package: Package
    index: int
    aim: Aim | None
    base: Configuration[int]

    def __call__(self, configuration: Configuration[int]) -> Outcome:
        with STORE.use(self.package, partial(_Guest, self.package)) as guest:
            return guest.isolation(self).test(configuration)


class _Guest:
    """Both runs, on a worker."""

    def __init__(self, package: Package) -> None:
        name = os.uname().nodename
        chosen: object = next((each for each in backends() if each.name == package.backend), None)
        if not isinstance(chosen, Stateful):
            raise UsageError(
                "no-backend",
                f"The worker {name} has no backend {package.backend!r}.",
                "Install the same version of STRIPE there.",
            )
        self._lock = threading.Lock()
        self._known: dict[RemoteTest, Isolation] = {}
        with ExitStack() as stack:
            runs = [
                stack.enter_context(closing(chosen.run(replace(each, jobs=os.cpu_count() or 1))))
                for each in (package.failing, package.passing)
            ]
            check = parse_check(package.check, unsafe=package.failing.unsafe)
            self._search = Search(runs[0], runs[1], check, Campaign("causes"))
            if self._search.mark != package.mark:
                raise NotReducible(
                    "worker-differs",
                    f"On the worker {name} {package.failing.program!r} does something else than "
                    "on this machine.",
                    "Workers need the same interpreter, the same working directory under the "
                    "same path, and the same files in it.",
                )
            self._stack = stack.pop_all()

    def close(self) -> None:
        """End both runs."""
        self._stack.close()

    def isolation(self, test: RemoteTest) -> Isolation:
        """What tests at the moment."""
        with self._lock:
            if test not in self._known:
                self._known[test] = self._search.asked(test.index, test.aim, test.base)
            return self._known[test]

"""The searches by name: the seam behind ``--algorithm NAME``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

from stripe.dd.outcomes import TestFunction
from stripe.dd.result import Result
from stripe.dd.search import minimise
from stripe.dd.searches.dd import dd_strategy
from stripe.dd.searches.dd_plus import dd_plus
from stripe.dd.searches.ddmin import ddmin
from stripe.dd.searches.splitting import splitting
from stripe.dd.searches.sweep import sweep
from stripe.dd.tester import Tester


class Algorithm(Protocol):
    """A search for a small failing configuration, called with its default options."""

    def __call__[D: Hashable](
        self, deltas: Iterable[D], test: Tester[D] | TestFunction[D], /, *, check: bool = True
    ) -> Result[D]:
        """The best configuration found; it fails, and is 1-minimal if so certified.

        Args:
            deltas: the universe, in order, each delta once.
            test: a tester, or a test function.
            check: test the full and the empty configuration first: see ``minimise``.

        Raises:
            AxiomViolated: when the full configuration does not fail.
        """
        ...


def _sweep_forwards[D: Hashable](
    deltas: Iterable[D], test: Tester[D] | TestFunction[D], /, *, check: bool = True
) -> Result[D]:
    return sweep(deltas, test, forwards=True, check=check)


def _dd_minus[D: Hashable](
    deltas: Iterable[D], test: Tester[D] | TestFunction[D], /, *, check: bool = True
) -> Result[D]:
    return minimise(deltas, test, dd_strategy, check=check)


ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {
        "splitting": splitting,
        "sweep": sweep,
        "sweep-forwards": _sweep_forwards,
        "ddmin": ddmin,
        "dd": _dd_minus,
        "dd+": dd_plus,
    }
)
"""Every search for a 1-minimal failing configuration that needs nothing but deltas and a test."""

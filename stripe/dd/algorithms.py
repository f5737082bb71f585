"""The searches by name: the seam behind `--algorithm NAME`."""

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

from .cdd import cdd
from .dd import dd_strategy
from .ddmin import ddmin
from .outcomes import TestFunction
from .probdd import probdd
from .result import Result
from .search import minimise
from .splitting import splitting
from .sweep import sweep
from .tester import Tester
from .yesterday import dd1999, dd_plus

__all__ = ["ALGORITHMS", "Algorithm"]


class Algorithm(Protocol):
    """A search for a small failing configuration, called with its default options."""

    def __call__[D: Hashable](
        self, deltas: Iterable[D], test: Tester[D] | TestFunction[D], /
    ) -> Result[D]:
        """Return the best configuration found; it fails, and is 1-minimal if so certified."""
        ...


def _ddmin_textbook[D: Hashable](
    deltas: Iterable[D], test: Tester[D] | TestFunction[D], /
) -> Result[D]:
    return ddmin(deltas, test, after_complement="restart")


def _ddmin_complements[D: Hashable](
    deltas: Iterable[D], test: Tester[D] | TestFunction[D], /
) -> Result[D]:
    return ddmin(deltas, test, after_complement="restart", subsets=False)


def _sweep_forwards[D: Hashable](
    deltas: Iterable[D], test: Tester[D] | TestFunction[D], /
) -> Result[D]:
    return sweep(deltas, test, forwards=True)


def _dd_minus[D: Hashable](deltas: Iterable[D], test: Tester[D] | TestFunction[D], /) -> Result[D]:
    return minimise(deltas, test, dd_strategy)


ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {
        "ddmin": ddmin,
        "ddmin-textbook": _ddmin_textbook,
        "ddmin-complements": _ddmin_complements,
        "dd": _dd_minus,
        "dd1999": dd1999,
        "dd+": dd_plus,
        "sweep": sweep,
        "sweep-forwards": _sweep_forwards,
        "splitting": splitting,
        "probdd": probdd,
        "cdd": cdd,
    }
)
"""Every search for a 1-minimal failing configuration that needs nothing but deltas and a test."""

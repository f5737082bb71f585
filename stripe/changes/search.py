"""The search for the changes that fail: it learns from builds that fail what belongs together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from stripe import dd
from stripe.dd import Configuration, Search


class Resolving(Search[int]):
    """A search that does not give a candidate up as long as failed tests say what it lacks.

    ``learn`` is told of a candidate that did not fail, and answers whether it is closed with more
    than before: then it is tried again (failure resolution, section 5.2).
    """

    def __init__(self, search: Search[int], learn: Callable[[Configuration[int]], bool]) -> None:
        super().__init__(search.tester, search.current)
        self._learn = learn

    def fails(
        self, candidate: Configuration[int], ahead: Iterable[Configuration[int]] = ()
    ) -> bool:
        """See :meth:`stripe.dd.Search.fails`."""
        while not super().fails(candidate, ahead):
            if not self._learn(candidate):
                return False
        return True


def resolving_strategy(search: Search[int], learn: Callable[[Configuration[int]], bool]) -> None:
    """Reduce the current configuration of ``search``."""
    resolving = Resolving(search, learn)
    try:
        dd.splitting_strategy(resolving, together=False)
    finally:
        search.current = resolving.current

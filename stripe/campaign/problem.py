"""What a search is told of what it reduces."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from stripe.dd import Configuration, Outcome, TestFunction

type Key = tuple[Hashable, ...]
"""What is tested: equal keys, equal outcomes, in every search of a campaign."""


def _itself[D: Hashable](configuration: Configuration[D]) -> Key:
    """The key where configurations mean the same in all searches."""
    return configuration


@dataclass(frozen=True, slots=True)
class Problem[D: Hashable]:
    """Deltas, and what comes of some of them.

    - ``deltas``: what can be left out, in order; ``noun``: what they are called
    - ``test`` runs a configuration; with several jobs in several threads at once
    - ``remote``: the same as a function that can be sent to other processes; ``prepare``:
      another one, after which it takes no longer there than here
    - ``key``: what a configuration amounts to
    - ``predict``: the outcome of what need not be run
    - ``close``: the configuration that is really run, see :class:`stripe.dd.Tester`
    - ``cancel`` ends the running test of a configuration; ``cancel_remote`` the same, where it
      is sent to
    - ``improved`` hears of every failing configuration that is smaller than all before in its
      search, and of every passing one that is larger
    - ``growing``: what passes is made larger, and tells how far the search is
    """

    deltas: Sequence[D]
    test: TestFunction[D]
    noun: str = "deltas"
    remote: TestFunction[D] | None = None
    prepare: Callable[[], object] | None = None
    key: Callable[[Configuration[D]], Key] = _itself
    predict: Callable[[Configuration[D]], Outcome | None] | None = None
    close: Callable[[Configuration[D]], Configuration[D]] | None = None
    cancel: Callable[[Configuration[D]], None] | None = None
    cancel_remote: Callable[[Configuration[D]], None] | None = None
    improved: Callable[[Configuration[D], Outcome], None] | None = None
    growing: bool = False

"""Best-first search in a tree: what weighs most is tried first (cf. Perses, ICSE 2018)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

from stripe.dd.outcomes import Configuration
from stripe.dd.search import Search
from stripe.index_set import like

type Weight[D: Hashable] = Callable[[D], int]
"""What a delta weighs alone, without those below it."""

NEARLY_ALL = 0.75
"""A run of more than this share of all that is left hardly ever goes: it is cut without a test."""

LITTLE = 0.1
"""A round that takes away a smaller share than this is the last."""


def heaviest_strategy[D: Hashable](
    search: Search[D], parent: Callable[[D], D | None], weight: Weight[D]
) -> None:
    """Leave out subtrees, the heaviest first, wherever in the tree they are.

    A run of siblings is tried as a whole. One that has to stay is cut in two of about equal weight;
    one of a single node is followed by the run of what is below it. So each run is tried, but no
    part of the tree is searched to its leaves while there is something heavier elsewhere: a place
    that no longer pays is left, and come back to. Of two halves one of which went, the other is
    known to be needed, as the whole was, and is cut without a test.

    Rounds follow as long as they take away a share worth it, because what went last may have been
    what needed the rest.

    Args:
        search: what is reduced.
        parent: the tree; see ``hdd``.
        weight: what each delta weighs alone.

    Raises:
        BudgetExhausted: when no further test may be run.
    """
    while True:
        round_ = _Round(search, parent, weight)
        before = round_.total
        round_.go()
        if not search.current or round_.total > before * (1 - LITTLE):
            return


@dataclass(slots=True, eq=False)
class _Run[D: Hashable]:
    """Siblings in a row."""

    nodes: list[D]
    twin: _Run[D] | None = None
    """The other half of what had to stay."""
    needed: bool = False
    """Whether it is known that not all of it can go."""


class _Round[D: Hashable]:
    """Once through the tree of what is left."""

    def __init__(
        self, search: Search[D], parent: Callable[[D], D | None], weight: Weight[D]
    ) -> None:
        self._search = search
        there = set(search.current)
        self._parents: dict[D, D | None] = {}
        self._children: dict[D | None, list[D]] = {}
        for delta in search.current:
            around = parent(delta)
            around = around if around in there else None
            self._parents[delta] = around
            self._children.setdefault(around, []).append(delta)
        self._weights = {delta: weight(delta) for delta in search.current}
        for delta in reversed(list(self._below(self._children.get(None, [])))):
            around = self._parents[delta]
            if around is not None:
                self._weights[around] += self._weights[delta]
        self._heap: list[tuple[int, int, _Run[D]]] = []
        self._numbers = count()

    @property
    def total(self) -> int:
        """What all that is left weighs."""
        return sum(map(self._weight, self._children.get(None, [])))

    def go(self) -> None:
        """Try every run."""
        self._push(_Run(self._children.get(None, []), needed=True))
        while self._heap:
            run = self._pop()
            if run is None:
                continue
            tried = not run.needed and self._sum(run) <= self.total * NEARLY_ALL
            if tried and self._search.fails(self._without(run), self._ahead(run)):
                self._goes(run)
            else:
                self._stays(run)

    # --- what is left

    def _below(self, nodes: Sequence[D]) -> Iterator[D]:
        """Nodes and all below them, each before what is below it."""
        to_do = list(reversed(nodes))
        while to_do:
            node = to_do.pop()
            yield node
            to_do += reversed(self._children.get(node, ()))

    def _weight(self, node: D) -> int:
        return self._weights.get(node, 0)

    def _sum(self, run: _Run[D]) -> int:
        return sum(map(self._weight, run.nodes))

    def _without(self, *runs: _Run[D]) -> Configuration[D]:
        left_out = set(chain.from_iterable(self._below(run.nodes) for run in runs))
        current = self._search.current
        return like(current, (delta for delta in current if delta not in left_out))

    # --- the runs

    def _push(self, run: _Run[D]) -> None:
        if run.nodes:
            heapq.heappush(self._heap, (-self._sum(run), next(self._numbers), run))

    def _pop(self) -> _Run[D] | None:
        """The heaviest run; None if it has become lighter than others."""
        weight, _, run = heapq.heappop(self._heap)
        run.nodes = [node for node in run.nodes if node in self._weights]
        now = self._sum(run)
        if now < -weight and self._heap and now < -self._heap[0][0]:
            self._push(run)
            return None
        return run if run.nodes else None

    def _goes(self, run: _Run[D]) -> None:
        """Forget what went; in one go, as siblings may be many."""
        if run.twin is not None:
            run.twin.needed = True
        left_out, gone = set(run.nodes), self._sum(run)
        for node in list(self._below(run.nodes)):
            self._weights.pop(node, None)
        around = self._parents[run.nodes[0]]
        self._children[around] = [n for n in self._children[around] if n not in left_out]
        while around is not None:
            self._weights[around] -= gone
            around = self._parents[around]

    def _stays(self, run: _Run[D]) -> None:
        """Look into what has to stay."""
        for part in self._parts(run):
            self._push(part)

    def _parts(self, run: _Run[D]) -> list[_Run[D]]:
        """What is tried of a run that stays: halves, or what is below a single node."""
        if len(run.nodes) == 1:
            return [_Run(list(self._children.get(run.nodes[0], ())))]
        middle = self._middle(run)
        first, second = _Run(run.nodes[:middle]), _Run(run.nodes[middle:])
        first.twin, second.twin = second, first
        return [first, second]

    def _middle(self, run: _Run[D]) -> int:
        """Where to cut, so that both parts weigh about the same."""
        whole, seen = self._sum(run), 0
        for number, node in enumerate(run.nodes[:-1]):
            before, seen = seen, seen + self._weight(node)
            if 2 * seen >= whole:
                return number if number and whole - 2 * before < 2 * seen - whole else number + 1
        return len(run.nodes) - 1

    def _ahead(self, run: _Run[D]) -> Iterator[Configuration[D]]:
        """What is tried next if the run stays, and if it goes; a single job never asks."""
        others = [each for _, _, each in heapq.nsmallest(3, self._heap)]
        others = [each for each in others if not each.needed]
        parts = sorted([*self._parts(run), *others], key=self._sum, reverse=True)
        stays = (self._without(each) for each in parts[:3] if each.nodes)
        goes = (self._without(run, each) for each in others[:3])
        for pair in zip(stays, goes, strict=False):
            yield from pair
        yield from stays
        yield from goes

"""Hierarchical delta debugging (Misherghi & Su, ICSE 2006)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import chain

from stripe.dd.outcomes import Configuration, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import Search, minimise
from stripe.dd.searches.ddmin import ddmin_strategy
from stripe.dd.searches.heaviest import Weight, heaviest_strategy
from stripe.dd.tester import Tester
from stripe.index_set import like

type Parent[D: Hashable] = Callable[[D], D | None]
"""The parent of a delta, or None (or what is no delta) for a root."""


def hdd[D: Hashable](
    deltas: Iterable[D],
    test: Tester[D] | TestFunction[D],
    parent: Parent[D],
    *,
    level: Callable[[Search[D]], None] = ddmin_strategy,
    check: bool = True,
    certify: bool = True,
    lift: bool = False,
    weight: Weight[D] | None = None,
) -> Result[D]:
    """Reduce a tree level by level: a node that goes takes its subtree with it.

    Runs a search, ddmin by default, over the nodes of each level, from the roots down (section 3).
    Then the certificate leaves out every single node with its subtree, and takes what still fails,
    so that the answer is 1-tree-minimal (section 4).

    Args:
        deltas: the universe, in order, each delta once. All of them together fail.
        test: a tester, or a test function.
        parent: the tree. Parents need not come before their children.
        level: the search within a level, each of whose nodes stands for its subtree.
        check: test the full and the empty configuration first: see ``minimise``.
        certify: test every single removal in the end.
        lift: have nodes stand for those around them, too: see ``_lift_strategy``.
        weight: what each delta weighs; then the heaviest subtrees are tried first, wherever they
            are, instead of level by level: see ``heaviest_strategy``.

    Raises:
        AxiomViolated: when the full configuration does not fail.
        ValueError: when the parents go round in a circle.
    """

    def without_subtree(configuration: Configuration[D], position: int) -> Configuration[D]:
        node = configuration[position]
        owner = _owners(configuration, (node,), parent)
        return like(configuration, (each for each in configuration if owner[each] != node))

    def strategy(search: Search[D]) -> None:
        if weight is None:
            hdd_strategy(search, parent, level)
        else:
            heaviest_strategy(search, parent, weight)
        if lift:
            _lift_strategy(search, parent)

    return minimise(
        deltas,
        test,
        strategy,
        check=check,
        certify=certify,
        drop=without_subtree,
    )


def hdd_strategy[D: Hashable](
    search: Search[D],
    parent: Parent[D],
    level: Callable[[Search[D]], None] = ddmin_strategy,
) -> None:
    """Reduce the current configuration of ``search`` level by level, with the options of ``hdd``.

    Raises:
        BudgetExhausted: when no further test may be run.
        ValueError: when the parents go round in a circle.
    """
    depth = _depths(search.current, parent)
    for number in range(max(depth.values(), default=-1) + 1):
        level_of = (delta for delta in search.current if depth[delta] == number)
        nodes = like(search.current, level_of)
        if not nodes:
            continue
        below = _Level(search, nodes, parent)
        level(below)
        if len(below.current) == 1:
            below.fails(())  # a search takes for granted that its last delta is needed


def _lift_strategy[D: Hashable](search: Search[D], parent: Parent[D]) -> None:
    """Have the largest child of each node stand for it: all others are left out at once.

    Where a node is nothing by itself, the child takes its place, as in the hoisting of Perses (Sun
    et al., ICSE 2018, section 4).  With two children that is what leaving out one of them does, so
    only nodes with more are tried, from the roots down: a test for each.

    Raises:
        BudgetExhausted: when no further test may be run.
        ValueError: when the parents go round in a circle.
    """
    depth = _depths(search.current, parent)
    children = _children(search.current, parent)
    for node in sorted(search.current, key=depth.__getitem__):
        below = children.get(node, ())
        if len(below) < 3:
            continue
        owner = _owners(search.current, below, parent)
        size = Counter(owner.values())
        largest = max(below, key=size.__getitem__)
        left = (delta for delta in search.current if owner[delta] in (None, largest))
        if search.fails(like(search.current, left)):
            children = _children(search.current, parent)


def _children[D: Hashable](deltas: Configuration[D], parent: Parent[D]) -> dict[D | None, list[D]]:
    """The deltas right below each."""
    children: dict[D | None, list[D]] = {}
    for delta in deltas:
        children.setdefault(parent(delta), []).append(delta)
    return children


class _Level[D: Hashable](Search[D]):
    """A search over the nodes of one level; each stands for its subtree."""

    def __init__(self, whole: Search[D], nodes: Configuration[D], parent: Parent[D]) -> None:
        super().__init__(whole.tester, nodes)
        self._whole = whole
        self._universe = whole.current
        owner = _owners(whole.current, nodes, parent)
        self._subtree: dict[D, list[D]] = {node: [] for node in nodes}
        self._above: list[D] = []
        for delta in whole.current:
            node = owner[delta]
            if node is None:
                self._above.append(delta)
            else:
                self._subtree[node].append(delta)

    def fails(self, candidate: Configuration[D], ahead: Iterable[Configuration[D]] = ()) -> bool:
        if not self._whole.fails(self._expand(candidate), map(self._expand, ahead)):
            return False
        left = set(self._whole.current)
        self.current = like(candidate, filter(left.__contains__, candidate))
        return True

    def _expand(self, nodes: Configuration[D]) -> Configuration[D]:
        """The configuration of all that is above the level and the subtrees of ``nodes``."""
        kept = set(self._above)
        kept.update(chain.from_iterable(map(self._subtree.__getitem__, nodes)))
        return like(self._universe, filter(kept.__contains__, self._universe))


def _depths[D: Hashable](deltas: Configuration[D], parent: Parent[D]) -> dict[D, int]:
    """How many ancestors each delta has among ``deltas``."""
    there = set(deltas)
    depths: dict[D, int] = {}
    for delta in deltas:
        path = []
        node: D | None = delta
        while node is not None and node in there and node not in depths:
            path.append(node)
            node = parent(node)
            if len(path) > len(deltas):
                raise ValueError(f"the parents of {delta!r} go round in a circle")
        depth = -1 if node is None else depths.get(node, -1)
        for step, below in enumerate(reversed(path), start=1):
            depths[below] = depth + step
    return depths


def _owners[D: Hashable](
    deltas: Configuration[D], nodes: Iterable[D], parent: Parent[D]
) -> dict[D, D | None]:
    """For each delta the one of ``nodes`` that it is, or lies below; None if neither."""
    there = set(deltas)
    owners: dict[D, D | None] = {node: node for node in nodes}
    for delta in deltas:
        path = []
        node: D | None = delta
        while node is not None and node in there and node not in owners:
            path.append(node)
            node = parent(node)
        owner = None if node is None else owners.get(node)
        owners.update(dict.fromkeys(path, owner))
    return owners

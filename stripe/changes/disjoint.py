"""Disjoint sets, joined step by step (union-find with path halving)."""

from __future__ import annotations

from collections.abc import Hashable


class DisjointSets:
    """Sets of anything; each has one member that stands for it."""

    def __init__(self) -> None:
        self._parent: dict[Hashable, Hashable] = {}

    def root(self, member: Hashable) -> Hashable:
        """The member that stands for the set: equal for all members of one."""
        parent = self._parent
        while parent.setdefault(member, member) != member:
            parent[member] = parent[parent[member]]
            member = parent[member]
        return member

    def join(self, one: Hashable, other: Hashable) -> None:
        """Make the sets of two members one."""
        self._parent[self.root(one)] = self.root(other)

"""What needs what, by numbers: what has all that it needs, and what needs each other.

All of it takes time in proportion to how many needs there are: each node of a list that is in one
state only needs the one before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence


class Needs:
    """``needs``: what each number needs; it is enough to say so of what it needs directly."""

    def __init__(self, needs: Sequence[Collection[int]]) -> None:
        self._needs = needs
        self._needed_by: list[list[int]] = [[] for _ in needs]
        for number, others in enumerate(needs):
            for other in others:
                self._needed_by[other].append(number)

    def lost(self, gone: Iterable[int]) -> set[int]:
        """What some numbers take with them: these, and all that cannot be without them."""
        found = set(gone)
        pending = list(found)
        while pending:
            for other in self._needed_by[pending.pop()]:
                if other not in found:
                    found.add(other)
                    pending.append(other)
        return found

    def closed(self, numbers: Iterable[int]) -> set[int]:
        """Those of some numbers that have all that they need among them."""
        there = set(numbers)
        return there - self.lost(
            each for each in there if not all(other in there for other in self._needs[each])
        )

    def together(self) -> Iterator[list[int]]:
        """Those that need each other, also by way of others: strongly connected components.

        Each in order; a number that needs none that needs it is alone.
        """
        behind: list[int] = []  # in the order in which all that they need has been seen
        seen: set[int] = set()
        for number in range(len(self._needs)):
            path = [] if number in seen else [(number, iter(self._needs[number]))]
            seen.add(number)
            while path:
                this, others = path[-1]
                other = next((each for each in others if each not in seen), None)
                if other is None:
                    behind.append(this)
                    path.pop()
                else:
                    seen.add(other)
                    path.append((other, iter(self._needs[other])))
        given: set[int] = set()
        for number in reversed(behind):  # Kosaraju: the other way round, along what needs it
            if number in given:
                continue
            given.add(number)
            component, pending = [], [number]
            while pending:
                component.append(this := pending.pop())
                for other in self._needed_by[this]:
                    if other not in given:
                        given.add(other)
                        pending.append(other)
            yield sorted(component)

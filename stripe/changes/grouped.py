"""Groups of edits as deltas, and what failed tests say about who needs whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from stripe.campaign.campaign import Campaign
from stripe.campaign.problem import Key, Problem
from stripe.changes.granularity import Group
from stripe.changes.messages import Complaint, complaints_in
from stripe.changes.occurrences import Occurrences
from stripe.changes.requirements import Needs, closure, words_of
from stripe.changes.trial import Verdict
from stripe.changes.universe import Universe
from stripe.dd import Configuration, Outcome

COMMON = 0.5
"""A name that such a part of all changes mentions says nothing about which one is needed..."""

FEW = 8
"""...if they are more than so many."""


class Contested(dict[Complaint, None]):
    """What failed tests have complained of, in the order of the complaints."""


class Tests(Protocol):
    """What tests edits."""

    universe: Universe
    occurrences: Mapping[int, Occurrences]
    campaign: Campaign
    current: Group
    found: Callable[[Group], None]
    cancel: Callable[[object], None] | None

    def key(self, edits: Sequence[int]) -> Key:
        """What edits amount to."""
        ...

    def test(self, edits: Group, key: object) -> Verdict:
        """What comes of edits."""
        ...

    def record_outcome(self, edits: Group, outcome: Outcome, *, ran: bool) -> None:
        """Take in what came of edits; ``ran``: by a test."""
        ...

    def predict(self, edits: Group) -> Outcome | None:
        """The outcome of what need not be tested."""
        ...


class Grouped:
    """Groups of edits as the deltas of a search.

    Args:
        tests: what tests edits.
        groups: the edits by what they have in common.
        needs: what edits probably need; without, they are closed with what they must have only.
        contested: what has been learned, and is learned.
    """

    def __init__(
        self,
        tests: Tests,
        groups: list[Group],
        needs: Needs | None = None,
        contested: Contested | None = None,
    ) -> None:
        self.groups = groups
        self._tests = tests
        self._contested = contested
        self._said: dict[Configuration[int], bytes] = {}
        of = {edit: number for number, group in enumerate(groups) for edit in group}
        requires = tests.universe.requires
        self._needs = {
            number: {
                of[other]
                for edit in group
                for which in (requires, needs or {})
                for other in which.get(edit, ())
                if other in of
            }
            for number, group in enumerate(groups)
        }
        self._words: list[set[bytes]] | None = None
        self._touched: dict[bytes, list[tuple[int, int]]] | None = None
        self._together: dict[int, set[int]] = {}
        for complaint in contested or ():
            self._keep_together(complaint)

    def edits(self, configuration: Configuration[int]) -> Group:
        """The edits of some groups, in the order of the universe."""
        chosen = {edit for group in configuration for edit in self.groups[group]}
        return tuple(filter(chosen.__contains__, self._tests.current))

    def close(self, configuration: Configuration[int]) -> Configuration[int]:
        """The groups, and all they need."""
        return tuple(sorted(closure(configuration, self._needs, self._together)))

    def test(self, configuration: Configuration[int]) -> Outcome:
        """What comes of some groups."""
        verdict = self._tests.test(self.edits(configuration), hash(configuration))
        if verdict.outcome is Outcome.UNRESOLVED:
            self._tests.campaign.unresolved.record(configuration, verdict.why)
            self._said[configuration] = verdict.said
        return verdict.outcome

    def learn(self, candidate: Configuration[int]) -> bool:
        """Have those belong together that mention a name which a failed test complains of."""
        closed = self.close(candidate)
        there = set(closed)
        for complaint in complaints_in(self._said.pop(closed, b"")):
            for mention in self._concerned(complaint):
                if mention & there and mention - there:
                    if self._contested is not None:
                        self._contested[complaint] = None
                    self._join(mention)
                    break
        return self.close(candidate) != closed

    def _keep_together(self, complaint: Complaint) -> None:
        """Have those belong together that a complaint most closely concerns."""
        for mention in self._concerned(complaint):
            if len(mention) > 1:
                self._join(mention)
                return

    def _join(self, mention: set[int]) -> None:
        """Close each of some groups with all of them, if they are not too many."""
        if 1 < len(mention) <= max(FEW, COMMON * len(self.groups)):
            for each in mention:
                self._together.setdefault(each, set()).update(mention)

    def _concerned(self, complaint: Complaint) -> Iterator[set[int]]:
        """The groups that a complaint may be about, the likeliest first.

        These are those that touch the name in the function which it is about, then anywhere, and
        then those that only mention it.
        """
        universe, (name, function) = self._tests.universe, complaint
        if self._touched is None:
            self._touched = {}
            for number, group in enumerate(self.groups):
                for edit in group:
                    known = self._tests.occurrences.get(edit)
                    for word in () if known is None else known.touched:
                        self._touched.setdefault(word, []).append((number, edit))
        touching = self._touched.get(name, [])
        if function:
            yield {
                number
                for number, edit in touching
                if universe.function_of(edit).rpartition(".")[2] == function
            }
        yield {number for number, _ in touching}
        yield self._mentioning(name)

    def _mentioning(self, name: bytes) -> set[int]:
        if self._words is None:
            universe = self._tests.universe
            self._words = [
                words_of(text for edit in group for text in universe.mentioned(edit))
                for group in self.groups
            ]
        return {number for number, words in enumerate(self._words) if name in words}

    def problem(self) -> Problem[int]:
        """What a search is told."""
        tests = self._tests
        cancel = tests.cancel
        whole = tests.current

        def edits(configuration: Configuration[int]) -> Group:
            return whole if len(configuration) == len(self.groups) else self.edits(configuration)

        return Problem(
            deltas=tuple(range(len(self.groups))),
            test=self.test,
            noun="changes",
            key=lambda configuration: tests.key(edits(configuration)),
            predict=lambda configuration: tests.predict(edits(configuration)),
            close=self.close,
            cancel=None if cancel is None else lambda each: cancel(hash(each)),
            improved=lambda configuration, outcome: tests.found(edits(configuration)),
        )

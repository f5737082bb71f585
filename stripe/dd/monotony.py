"""Outcomes that follow from others, as long as the test function proves monotone."""

from collections.abc import Hashable

from .outcomes import Configuration, Outcome

__all__ = ["Monotony"]


class Monotony[D: Hashable]:
    """Monotony: what contains a failing configuration fails (Zeller, ESEC/FSE 1999, section 4).

    So nothing inside a passing configuration fails, and need not be tested. This is checked, not
    assumed: every real outcome is compared, and the first one that contradicts another ends all
    predictions. That something fails is never predicted: what a search goes on from was tested.

    Args:
        keep: how many of the latest maximal passing and minimal failing configurations to compare
            with; a comparison is a subset test.
    """

    def __init__(self, keep: int = 32) -> None:
        self.holds = True
        """False from the first contradiction on."""
        self._keep = keep
        self._passing: list[frozenset[D]] = []
        self._failing: list[frozenset[D]] = []

    def passes(self, configuration: Configuration[D]) -> bool:
        """Whether monotony demands that `configuration` does not fail."""
        if not self.holds:
            return False
        deltas = frozenset(configuration)
        return any(deltas <= other for other in self._passing)

    def learn(self, configuration: Configuration[D], outcome: Outcome) -> None:
        """Take in a real outcome, and check it against what was known."""
        if not self.holds or outcome is Outcome.UNRESOLVED:
            return
        deltas = frozenset(configuration)
        if outcome is Outcome.FAIL:
            self.holds = not any(deltas <= other for other in self._passing)
            stay = [other for other in self._failing if not other >= deltas]
            self._failing = [*stay, deltas][-self._keep :]
        else:
            self.holds = not any(other <= deltas for other in self._failing)
            stay = [other for other in self._passing if not other <= deltas]
            self._passing = [*stay, deltas][-self._keep :]

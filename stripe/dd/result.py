"""What a search returns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from stripe.dd.budget import Reason
from stripe.dd.events import Statistics
from stripe.dd.outcomes import Configuration, Outcome
from stripe.index_set import like


@dataclass(frozen=True, slots=True)
class Result[D: Hashable]:
    """The answer of a search and what is known about it."""

    configuration: Configuration[D]
    """The smallest failing configuration found, closed."""
    certificate: Mapping[D, Outcome] = field(default_factory=dict)
    """Delta -> outcome of the configuration without it. Empty unless the search looked."""
    certified: bool = False
    """Whether the answer is 1-minimal: every single delta was left out (and the rest closed), and
    none of these configurations fails."""
    checked: bool = False
    """Whether the search has seen to what it starts from: that the full configuration fails, and
    the empty one does not. Otherwise that was taken for granted, and the rest holds only if so."""
    required: Configuration[D] = ()
    """Deltas that cannot be left out alone because closing puts them back: others need them."""
    tried: Configuration[D] = ()
    """Deltas that were left out alone (and the rest closed), or that closing puts back: none of
    these configurations fails. All of them if it is certified."""
    statistics: Statistics = field(default_factory=Statistics)
    reason: Reason = Reason.FINISHED
    """Why the search ended."""
    passing: Configuration[D] = ()
    """The largest passing configuration found inside ``configuration``, by a search that grows one;
    else empty."""
    additions: Mapping[D, Outcome] = field(default_factory=dict)
    """Delta of the difference -> outcome of ``passing`` with it, by a search that grows that."""

    @property
    def difference(self) -> Configuration[D]:
        """The deltas of ``configuration`` that are not in ``passing``: what makes it fail."""
        passing = set(self.passing)
        rest = (delta for delta in self.configuration if delta not in passing)
        return like(self.configuration, rest)

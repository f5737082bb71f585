"""How to search for critical slices."""

from __future__ import annotations

from dataclasses import dataclass, field

from stripe import dd
from stripe.backend import Deadline
from stripe.errors import UsageError
from stripe.reduce.journals import Journals
from stripe.reduce.value_check import VALUES
from stripe.trace.levels import LEVELS

AUTO = "auto"

ALGORITHMS = (AUTO, *dd.ALGORITHMS)
"""The searches by name: guided by dependences, and those that know nothing of traces."""

MAX_IDLE = 300
"""Single events in a row that stayed, after which a search ends that left out hardly anything."""

CERTIFICATE_SECONDS = 20.0
"""...unless, at the pace of its tests, the rest of them would take no longer than this."""

CONTROLS = ("trace", "program")
"""Control modes: the trace dictates, or kept predicates must evaluate as recorded."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search.  ``max_tests`` and ``deadline`` bound all criteria together.

    ``control`` and ``values``: what of the recorded run must hold in a slice (:data:`CONTROLS`,
    :data:`VALUES`).
    ``journals``: where to write down outcomes, and to look for those of a search before.
    ``max_idle``: where hardly anything can be left out, the search behind ``auto`` ends after so
    many single events in a row that could not, unless the rest takes seconds; 0: never.
    ``search_time``: seconds for the searches of all criteria together; recording, and replays
    before and after them, have what else there is until the deadline.
    ``watch``: replay each slice once more, to see what its variables hold.
    ``level``: go through the levels of the trace, with a certified answer at each, down to this
    one (:data:`stripe.trace.levels.LEVELS`); None: straight to events.
    ``without``: parts that searches and replays do without, so that it can be measured what they
    earn (:data:`.passes.DISPENSABLE`, and what a recording has of them).
    """

    control: str = "trace"
    algorithm: str = AUTO
    max_tests: int | None = None
    deadline: Deadline = field(default_factory=Deadline, compare=False)
    jobs: int = 1
    journals: Journals | None = None
    values: str = "free"
    watch: bool = False
    level: str | None = None
    without: frozenset[str] = frozenset()
    max_idle: int = MAX_IDLE
    search_time: float | None = None

    def __post_init__(self) -> None:
        for slug, what, value, known in (
            ("unknown-control-mode", "control mode", self.control, CONTROLS),
            ("unknown-value-mode", "value mode", self.values, VALUES),
            ("unknown-algorithm", "algorithm", self.algorithm, ALGORITHMS),
            ("unknown-level", "level", self.level or LEVELS[-1], LEVELS),
        ):
            if value not in known:
                raise UsageError(
                    slug,
                    f"There is no {what} {value!r}.",
                    f"Choose from: {', '.join(known)}.",
                )

    @property
    def strict(self) -> bool:
        """Whether predicates have a say (control mode ``program``)."""
        return self.control == "program"

    @property
    def same(self) -> bool:
        """Whether kept events must see what they saw in the recorded run."""
        return self.values == "same"

    @property
    def goes_on(self) -> bool:
        """Whether a slice whose values differ from the run is only the first answer."""
        return self.values == "auto" and self.algorithm == AUTO and self.level is None

    def budget(self) -> dd.Budget:
        """What is left for all criteria together."""
        left = self.deadline.left
        return dd.Budget(
            self.max_tests, left if self.search_time is None else min(left, self.search_time)
        )

"""What to look for in an input, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stripe.dd import ALGORITHMS
from stripe.errors import UsageError
from stripe.units.kinds import KINDS

if TYPE_CHECKING:
    from concurrent.futures import Executor

AUTO = "auto"
MODES = ("min", "max", "diff")


@dataclass(frozen=True, slots=True)
class Plan:
    """What to look for, and how; ``max_tests`` and ``max_time`` (seconds) bound all of it.

    ``executor``: where tests run, if not in threads of this process.
    """

    mode: str = "min"
    units: str = AUTO
    algorithm: str = AUTO
    max_tests: int | None = None
    max_time: float | None = None
    jobs: int = 1
    executor: Executor | None = None

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(
                "unknown-mode",
                f"There is no mode {self.mode!r}.",
                f"Choose from: {', '.join(MODES)}.",
            )
        if self.algorithm not in (AUTO, *ALGORITHMS):
            raise UsageError(
                "unknown-algorithm",
                f"There is no algorithm {self.algorithm!r}.",
                f"Choose from: {', '.join((AUTO, *ALGORITHMS))}.",
            )


def flat(kinds: list[str], plan: Plan) -> list[str]:
    """The kinds without trees, between whose parts no difference is looked for; if ``auto`` has
    chosen nothing else, those of text.

    Raises:
        UsageError: ``no-trees``, when a tree was asked for.
    """
    those = [kind for kind in kinds if KINDS[kind].flat]
    if plan.units != AUTO and those != kinds:
        raise UsageError(
            "no-trees",
            f"The mode {plan.mode!r} has no units that lie within others.",
            "Choose flat ones: --units lines,tokens,chars",
        )
    return those or ["lines", "tokens", "chars"]

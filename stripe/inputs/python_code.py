"""Reduces Python programs: by lines, and by transformations of their syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stripe.campaign.campaign import Campaign
from stripe.dd import (
    AxiomViolated,
    Budget,
    BudgetExhausted,
    Outcome,
    Reason,
    Result,
    Tester,
    ddmin,
    hdd,
)
from stripe.inputs.contents import key_of
from stripe.inputs.level_search import Shrinking
from stripe.units.model import Pass
from stripe.units.python_edits import TRANSFORMATIONS, Transformation
from stripe.units.python_passes import passes
from stripe.units.python_text import compiles

type ProgramTest = Callable[[str], Outcome]
"""Runs a program, given as text, and says what came of it."""


@dataclass(frozen=True, slots=True)
class ReducedProgram:
    """A program that was made smaller."""

    source: str
    """The smallest failing program found."""
    tests: int
    """How many programs were tested."""
    certified: bool
    """Whether no single line can be left out, no transformation applied in a single place, no
    single variable replaced by its value, and no two made one (see `stripe.units.python_names`),
    so that a valid program is left that still fails."""
    by_tree: bool
    """Whether the syntax tree was reduced as well. It cannot be if the program is not valid, or
    does not fail any more when it is written without comments and in a uniform style."""
    reason: Reason
    """Why the search ended."""


def reduce_program(
    source: str,
    test: ProgramTest,
    *,
    transformations: Sequence[Transformation] = TRANSFORMATIONS,
    max_tests: int | None = None,
    max_time: float | None = None,
    stop: Callable[[], bool] | None = None,
    improved: Callable[[str], None] | None = None,
) -> ReducedProgram:
    """Make a failing Python program as small as it gets.

    First its statements, the largest first, and by ddmin its lines. Then transformations are
    applied to its syntax tree, each of them, in their order, in as many places as possible: the
    places where it must *not* be applied are the deltas of a hierarchical search
    (`stripe.dd.hdd`). Before the first one that replaces something, variables are replaced by
    their values, and become one name if they can. All of that again until nothing changes any
    more. Programs that do not compile are not tested, unless `source` itself does not; then
    only lines are reduced.

    Args:
        source: the program. It fails.
        test: runs a program. No program is tested twice.
        transformations: what to try, in this order. Each makes the tree lighter.
        max_tests: how many programs may be tested; None for no limit.
        max_time: seconds it may take; None for no limit.
        stop: asked before every test; a true answer ends the search.
        improved: called with every smaller failing program, at once.

    Raises:
        AxiomViolated: when `source` does not fail.
    """
    content = source.encode(*_CODING)
    campaign = Campaign(budget=Budget(max_tests, max_time))
    outcome = campaign.ask(key_of(content), lambda: test(source))
    if outcome is not Outcome.FAIL:
        raise AxiomViolated(outcome)

    def asked(content: bytes, key: object) -> Outcome:
        if stop is not None and stop():
            raise BudgetExhausted(Reason.STOPPED)
        return test(content.decode(*_CODING))

    def written(content: bytes, fails: bool) -> None:
        if improved is not None:
            improved(content.decode(*_CODING))

    shrinking = Shrinking(campaign, asked, content, written=written)
    valid = compiles(content)

    def search(step: Pass) -> None:
        units = step.units

        def algorithm(deltas: Sequence[int], tester: Tester[int]) -> Result[int]:
            if not units.hierarchical:
                return ddmin(deltas, tester, check=True)
            return hdd(deltas, tester, units.parent, weight=units.weight, check=True)

        shrinking.leave_out(step.name, step.units, algorithm, valid=valid)

    campaign.to_fixpoint(
        lambda: shrinking.failing,
        lambda: shrinking.go_through(passes(shrinking.failing, transformations), search),
    )
    return ReducedProgram(
        source=shrinking.failing.decode(*_CODING),
        tests=campaign.tests,
        certified=campaign.certified,
        by_tree=shrinking.by_tree,
        reason=campaign.reason,
    )


_CODING = "utf-8", "surrogatepass"

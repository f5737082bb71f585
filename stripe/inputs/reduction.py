"""Reducing an input: levels of units from coarse to fine and back, until nothing more goes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from stripe import dd
from stripe.campaign.campaign import Algorithm, Campaign
from stripe.campaign.outcome_store import OutcomeStore
from stripe.campaign.progress import Progress
from stripe.checks.crash import Signature
from stripe.dd import Budget, Configuration, Journal, Outcome, Reason
from stripe.deadline import Deadline
from stripe.inputs.contents import key_of
from stripe.inputs.level_search import Shrinking, Written
from stripe.inputs.plan import AUTO, Plan, flat
from stripe.inputs.preconditions import ensure_reducible
from stripe.inputs.result import InputResult
from stripe.inputs.trial import Trial
from stripe.interrupts import StopFlag, stop_on_interrupt
from stripe.units.kinds import KINDS, PYTHON, SYNTAX, Passes, cut, levels, proven
from stripe.units.model import Pass, Units
from stripe.units.python_text import compiles

BY_SYNTAX = (
    "These units were used: {}. Where no grammar is installed for syntax trees, --units auto uses "
    "others, and its answer may be another."
)


def reduce_input(
    trial: Trial,
    plan: Plan,
    *,
    passing: bytes = b"",
    journal: Journal[str] | None = None,
    written: Written = lambda content, fails: None,
    progress: Callable[[Progress], None] | None = None,
) -> InputResult:
    """Reduce the original input of ``trial``.

    Args:
        trial: the test.
        plan: mode, units, limits.
        passing: the input that passes, in the modes ``max`` and ``diff``.
        journal: outcomes by digest of the content.
        written: called with every improvement.
        progress: called after every test.

    Raises:
        NotReducible: ``flaky``, ``passing-fails``, and what :meth:`Trial.first` raises.
        UsageError: ``unknown-units``, ``no-trees``, ``not-json``, ``no-grammar``, ``not-text``.
    """
    kinds = levels(plan.units, trial.original, trial.command.file)
    if plan.mode != "min":
        kinds = flat(kinds, plan)
    deadline = trial.deadline
    if deadline.seconds is None:
        deadline = Deadline(plan.max_time)
    campaign = Campaign(
        trial.command.file,
        store=OutcomeStore(journal),
        stop=StopFlag(),
        jobs=plan.jobs,
        executor=plan.executor,
        progress=progress,
    )
    other = None if plan.mode == "min" else passing

    def cancel(configuration: Configuration[int]) -> None:
        trial.places.running.drop(hash(configuration))

    with trial, ExitStack() as stack:
        with deadline.cutting():
            failure = ensure_reducible(trial, campaign, other)
        # What follows the search takes about as long as what came before.
        campaign.budget = Budget(plan.max_tests, deadline.left).share(keep=deadline.elapsed)
        # From here on there is something to keep when Ctrl-C is pressed.
        campaign.stop = stack.enter_context(stop_on_interrupt())
        shrinking = Shrinking(
            campaign,
            trial.outcome,
            trial.original,
            mode=plan.mode,
            passing=other,
            written=written,
            cancel=cancel,
        )
        reducer = _Reducer(trial, plan, kinds, campaign, shrinking)
        reducer.run()
        return reducer.conclude(failure)


class _Reducer:
    """The levels of one reduction, and its answer."""

    def __init__(
        self, trial: Trial, plan: Plan, kinds: list[str], campaign: Campaign, shrinking: Shrinking
    ) -> None:
        self.trial = trial
        self.plan = plan
        self.kinds = kinds
        self.campaign = campaign
        self.shrinking = shrinking
        self.places: dict[str, int] = {}
        self.by_tree = False

    def run(self) -> None:
        """Go through the levels until nothing more goes."""
        shrinking = self.shrinking
        if self.plan.mode == "min":
            self.campaign.to_fixpoint(lambda: shrinking.failing, lambda: self._each(self._smaller))
        else:
            # Once: what has become a small difference in characters is a large one in lines.
            self._each(lambda kind, certify: shrinking.bring_together(kind, certify=certify))

    def _each(self, level: Callable[[str, bool], None]) -> None:
        for kind in self.kinds:
            if not self.campaign.over:
                level(kind, kind in proven(self.kinds))

    def _smaller(self, kind: str, certify: bool) -> None:
        """Leave out units of the failing input."""
        passes = KINDS[kind].passes
        if passes is not None:
            self._pass_by_pass(kind, passes, certify=certify)
            return
        units = cut(self.shrinking.failing, kind, self.trial.command.file)
        if certify or len(units) > 1:
            algorithm = self._algorithm(units, certify=certify, lift=kind == SYNTAX)
            self.shrinking.leave_out(kind, units, algorithm, counts=certify)

    def _pass_by_pass(self, kind: str, passes: Passes, *, certify: bool) -> None:
        """Leave out units of the failing input, which are others in each pass."""
        shrinking = self.shrinking
        valid = (kind == PYTHON or shrinking.by_tree) and compiles(shrinking.failing)
        # What one pass has certified, the next ones change: so not in the first round.
        now = certify and self.campaign.rounds > 0
        self.places[kind] = 0

        def search(step: Pass) -> None:
            self.places[kind] += len(step.units)
            algorithm = self._algorithm(step.units, certify=now, check=True)
            shrinking.leave_out(step.name, step.units, algorithm, counts=certify, valid=valid)

        shrinking.go_through(passes(shrinking.failing), search)

    def _algorithm(
        self, units: Units, *, certify: bool, lift: bool = False, check: bool = False
    ) -> Algorithm[int]:
        """The search for a level.

        Args:
            units: what can be left out.
            certify: test every single removal in the end.
            lift: a unit may take the place of the one around it.
            check: nothing is known of the candidate without any unit.
        """
        name = self.plan.algorithm
        if units.hierarchical:
            self.by_tree = True
            # Level by level as published, if that is asked for.
            weight = None if name == "ddmin" else units.weight
            return lambda deltas, tester: dd.hdd(
                deltas, tester, units.parent, check=True, certify=certify, lift=lift, weight=weight
            )
        if name != AUTO and not check:
            self.campaign.ask(key_of(b""), lambda: self.trial.outcome(b""))
            return lambda deltas, tester: dd.ALGORITHMS[name](deltas, tester, check=False)
        # Trees tell what goes together, and what does in coarse units goes alone in finer ones.
        search = partial(_sparse, together=certify and not check and not self.by_tree)
        return lambda deltas, tester: dd.minimise(
            deltas, tester, search, check=True, certify=certify
        )

    # --- the answer

    def conclude(self, first: Signature) -> InputResult:
        """What was found, once it was tried once more."""
        campaign, shrinking = self.campaign, self.shrinking
        notes = []
        finest, *lowered = proven(self.kinds)
        failure = str(first)
        verified, failure_now = campaign.attempt(lambda: self._verify(failure)) or (None, failure)
        if verified and failure_now != failure:
            notes.append(
                f"The answer fails in another way than the whole input did ({failure_now}; it "
                f"was: {failure}). {self._remedy(first.failed)}"
            )
        if finest == PYTHON and not shrinking.by_tree and campaign.reason is Reason.FINISHED:
            finest = "lines"
            notes.append(
                "Only lines were left out: the program is no valid Python for this interpreter, or "
                "does not fail when it is written without its comments."
            )
        if not shrinking.failing:
            notes.append(
                "Even the empty input fails: the failure does not depend on what is in the file."
            )
        if self.plan.units == AUTO and SYNTAX in self.kinds:
            notes.append(BY_SYNTAX.format(", ".join(self.kinds)))
        untried = self._untried()
        return InputResult(
            file=self.trial.command.file,
            mode=self.plan.mode,
            units="+".join([finest, *(each for each in lowered if self.places.get(each))]),
            original=len(self.trial.original),
            failing=shrinking.failing,
            passing=shrinking.passing,
            outcomes=dict(campaign.counts),
            cached=campaign.cached,
            resumed=campaign.store.resumed,
            # What an earlier run found out may hold no more.
            certified=campaign.certified
            and not untried
            and (verified or not campaign.store.resumed),
            untried=untried,
            stopped=campaign.reason,
            verified=verified,
            seconds=campaign.seconds,
            failure=failure,
            failure_now=failure_now,
            levels=tuple(shrinking.levels),
            improvements=tuple(shrinking.improvements),
            notes=tuple(notes),
        )

    def _untried(self) -> str:
        """Why the tests say nothing about what is needed: none ever told one input from another.

        A test that passed, or a smaller input that fails, shows that the test can tell.
        """
        counts, resumed = self.campaign.counts, self.campaign.store.resumed
        reduced = len(self.shrinking.failing) < len(self.trial.original)
        undecided = counts[Outcome.UNRESOLVED]
        if self.plan.mode != "min" or reduced or resumed or counts[Outcome.PASS] or not undecided:
            return ""
        return f"none of {undecided:,} other inputs could be told to pass or to fail"

    def _verify(self, failure: str) -> tuple[bool, str]:
        """Whether the answer does what it should once more, and how it fails."""
        verified = False
        for _ in range(self.trial.repeat):
            outcome, found = self.trial.run_once(self.shrinking.failing)
            verified = outcome is Outcome.FAIL
            if verified:
                failure = str(found)
                break
        if self.shrinking.passing is not None:
            verified = verified and self.trial.outcome(self.shrinking.passing) is Outcome.PASS
        return verified, failure

    def _remedy(self, failed: bool) -> str:
        """How to stay with the failure of the whole input."""
        if self.trial.check is None:
            return "To stay with that failure, let the script look for more of it."
        if failed:
            return "To stay with that failure: --check crash"
        return "To keep the exit status as well, add: --check exit"


def _sparse(search: dd.Search[int], *, together: bool) -> None:
    """Search until little is gained: then the certificate does the rest."""
    while True:
        before = len(search.current)
        dd.splitting_strategy(search, together=together)
        if len(search.current) > before * 0.9:
            return

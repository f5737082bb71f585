"""Reducing an input: levels of units from coarse to fine and back, until nothing more goes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Literal

from stripe import dd
from stripe.campaign.progress import Progress
from stripe.checks.crash import Signature
from stripe.dd import (
    ALGORITHMS,
    BudgetExhausted,
    Configuration,
    Journal,
    Outcome,
    Reason,
    Search,
    Tester,
    TestEvent,
    minimise,
    splitting_strategy,
)
from stripe.errors import NotReducible
from stripe.inputs.candidates import Candidates, Ledger, Page
from stripe.inputs.plan import AUTO, Plan, flat
from stripe.inputs.result import InputResult, Level
from stripe.inputs.trial import Trial
from stripe.stopping import StopFlag, cut_off, stop_on_interrupt
from stripe.units.cutting import PASSES, PYTHON, SYNTAX, cut, levels, noun, proven
from stripe.units.difference import edits
from stripe.units.model import Pass, Units
from stripe.units.python_passes import compiles

type Written = Callable[[bytes, bool], None]
"""Told of every improvement: the content, and whether it fails."""

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
    with trial, ExitStack() as stack:
        reducer = _Reducer(trial, plan, Ledger(journal), written, progress)
        failure = reducer.reference(None if plan.mode == "min" else passing)
        # From here on there is something to keep when Ctrl-C is pressed.
        reducer.stop = stack.enter_context(stop_on_interrupt())
        return reducer.run(kinds, passing, failure)


class _Reducer:
    """The state of one reduction."""

    def __init__(
        self,
        trial: Trial,
        plan: Plan,
        ledger: Ledger,
        written: Written,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.trial = trial
        self.plan = plan
        self.ledger = ledger
        self.stop = StopFlag()
        self.written = written
        self.progress = progress
        self.failing = trial.original
        self.least = len(trial.original), trial.original
        self.passing: bytes | None = None
        self.levels: list[Level] = []
        self.cached = 0
        self.reason = Reason.FINISHED
        self.certified = False
        self.rounds = 0
        self.by_tree = False
        self.places: dict[str, int] = {}
        self.started = time.monotonic()

    def run(self, kinds: list[str], passing: bytes, failure: Signature) -> InputResult:
        if self.plan.mode == "min":
            self._to_fixpoint(kinds, self._smaller)
        else:
            self._must_pass(passing)
            # Once: what has become a small difference in characters is a large one in lines.
            self._through(kinds, self._closer)
        return self._conclude(kinds, failure)

    # --- the beginning and the end

    def reference(self, passing: bytes | None) -> Signature:
        """Run the original input, more than once: everything else is compared with it; and beside
        it the passing one, whose outcome all levels need.
        """
        original, trial = self.trial.original, self.trial
        pool = ThreadPoolExecutor(max(1, self.plan.jobs - 1))
        try:
            # Only a script, whose exit status says all, can do without knowing the first run.
            at_once = self.plan.jobs > 1 and trial.check is None
            failure = None if at_once else self._first()
            runs = [pool.submit(trial.once, original) for _ in range(max(2, trial.repeat) - 1)]
            other = None
            if passing is not None and self.ledger.get(passing) is None:
                other = pool.submit(trial.outcome, passing)
            if failure is None:
                failure = self._first()
            outcomes = [Outcome.FAIL, *(run.result() for run in runs)]
            of_passing = None if other is None else other.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # the trial ends what still runs
        majority = outcomes.count(Outcome.FAIL) > len(outcomes) // 2
        steady = set(outcomes) == {Outcome.FAIL}
        if not (majority if self.trial.repeat > 1 else steady):
            raise NotReducible(
                "flaky",
                f"The failure comes and goes: the same input failed in "
                f"{outcomes.count(Outcome.FAIL)} of {len(outcomes)} runs.",
                "Make it steady (seeds, clocks, threads), or let the majority of several runs "
                "decide: --repeat 5",
            )
        if self.ledger.get(original) is None:
            self.ledger.learn(original, Outcome.FAIL)
        if passing is not None and of_passing is not None:
            self.ledger.learn(passing, of_passing)
        return failure

    def _first(self) -> Signature:
        """The signature of the failure, which may need several runs to show itself."""
        for _ in range(self.trial.repeat - 1):
            with contextlib.suppress(NotReducible):
                return self.trial.first()
        return self.trial.first()

    def _must_pass(self, passing: bytes) -> None:
        outcome = self.ledger.get(passing)
        assert outcome is not None, "it was tested"
        if outcome is not Outcome.PASS:
            what = "passing input" if passing else "empty input, which is to pass,"
            raise NotReducible(
                "passing-fails",
                f"The {what} does not pass: its outcome is {outcome.value}.",
                "Give an input that passes: --passing FILE. A test script says so by an exit "
                "status other than 0 and 125.",
            )
        self.passing = passing

    def _remedy(self, failed: bool) -> str:
        """How to stay with the failure of the whole input."""
        if self.trial.check is None:
            return "To stay with that failure, let the script look for more of it."
        if failed:
            return "To stay with that failure: --check crash"
        return "To keep the exit status as well, add: --check exit"

    def _conclude(self, kinds: list[str], first: Signature) -> InputResult:
        notes = []
        finest, *lowered = proven(kinds)
        failure = failure_now = str(first)
        verified: bool | None = None
        with contextlib.suppress(KeyboardInterrupt), cut_off():
            if not self.stop.over:
                verified, failure_now = self._verify(failure)
        if verified and failure_now != failure:
            notes.append(
                f"The answer fails in another way than the whole input did ({failure_now}; it "
                f"was: {failure}). {self._remedy(first.failed)}"
            )
        if finest == PYTHON and not self.by_tree and self.reason is Reason.FINISHED:
            finest = "lines"
            notes.append(
                "Only lines were left out: the program is no valid Python for this interpreter, or "
                "does not fail when it is written without its comments."
            )
        if not self.failing:
            notes.append(
                "Even the empty input fails: the failure does not depend on what is in the file."
            )
        if self.plan.units == AUTO and SYNTAX in kinds:
            notes.append(BY_SYNTAX.format(", ".join(kinds)))
        return InputResult(
            file=self.trial.command.file,
            mode=self.plan.mode,
            units="+".join([finest, *(each for each in lowered if self.places.get(each))]),
            original=len(self.trial.original),
            failing=self.failing,
            passing=self.passing,
            outcomes=dict(self.ledger.counts),
            cached=self.cached,
            resumed=self.ledger.resumed,
            # What an earlier run found out may hold no more.
            certified=self.certified and (verified or not self.ledger.resumed),
            stopped=self.reason,
            verified=verified,
            seconds=time.monotonic() - self.started,
            failure=failure,
            failure_now=failure_now,
            levels=tuple(self.levels),
            notes=tuple(notes),
        )

    def _verify(self, failure: str) -> tuple[bool, str]:
        """Whether the answer does what it should once more, and how it fails."""
        verified = False
        for _ in range(self.trial.repeat):
            outcome, found = self.trial.look(self.failing)
            verified = outcome is Outcome.FAIL
            if verified:
                failure = str(found)
                break
        if self.passing is not None:
            verified = verified and self.trial.outcome(self.passing) is Outcome.PASS
        return verified, failure

    # --- the levels

    def _to_fixpoint(self, kinds: list[str], level: Callable[[str, bool], None]) -> None:
        """Go through the levels until a whole round has changed nothing, and all is certified."""
        seen: set[bytes] = set()  # levels may undo what others did, as spaces in a program
        while self.reason is Reason.FINISHED:
            seen.add(self.failing)
            self._through(kinds, level)
            self.rounds += 1
            if self.failing in seen and (self.certified or self.rounds > 1):
                return

    def _through(self, kinds: list[str], level: Callable[[str, bool], None]) -> None:
        """Go through the levels once."""
        certified = True
        for kind in kinds:
            certify = kind in proven(kinds)
            level(kind, certify)
            if self.reason is not Reason.FINISHED:
                self.certified = False
                return
            certified = certified and (self.certified or not certify)
        self.certified = certified

    def _smaller(self, kind: str, certify: bool) -> None:
        """Leave out units of the failing input."""
        if kind in PASSES:
            self._pass_by_pass(kind, certify)
            return
        units = cut(self.failing, kind, self.trial.command.file)
        if certify or len(units) > 1:
            self._search(kind, units, certify=certify)

    def _pass_by_pass(self, kind: str, certify: bool) -> None:
        """Leave out units of the failing input, which are others in each pass."""
        steps = PASSES[kind](self.failing)
        step: Pass | None = next(steps)
        valid = (kind == PYTHON or self.by_tree) and compiles(self.failing)
        certified = True
        places = 0
        # What one pass has certified, the next ones change: so not in the first round.
        certify = certify and self.rounds > 0
        while step is not None and self.reason is Reason.FINISHED:
            self.by_tree |= step.by_tree
            places += len(step.units)
            self._search(step.name, step.units, certify=certify, check=True, valid=valid)
            certified = certified and self.certified
            try:
                step = steps.send(self.failing)
            except StopIteration:
                step = None
        self.certified = certified
        self.places[kind] = places

    def _search(
        self, name: str, units: Units, *, certify: bool, check: bool = False, valid: bool = False
    ) -> None:
        """Find out which units of the failing input can go.

        Args:
            name: what they are called.
            units: all of them give the failing input.
            certify: test every single removal in the end.
            check: nothing is known of the candidate without any unit.
            valid: what is no Python program need not be tested.
        """
        candidates = Candidates(units, self.trial)
        tester = self._tester(candidates, name, valid=valid)
        deltas = range(len(units))
        algorithm = self.plan.algorithm
        if units.hierarchical:
            level = dd.ddmin_strategy if algorithm == "ddmin" else _splitting
            result = dd.hdd(
                deltas, tester, units.parent,
                level=level, check=True, certify=certify, lift=name == SYNTAX,
            )  # fmt: skip
        elif algorithm != AUTO and not check:
            if self.ledger.get(b"") is None:
                self.ledger.learn(b"", self.trial.outcome(b""))
            result = ALGORITHMS[algorithm](deltas, tester, check=False)
        else:
            result = minimise(deltas, tester, _sparse, check=True, certify=certify)
        self.reason, self.certified = result.reason, result.certified
        self._passed(name, len(units), len(result.configuration), tester)
        self.failing = candidates.content(result.configuration)

    def _closer(self, kind: str, finest: bool) -> None:
        """Bring the passing input closer to the failing one, and that to it in mode ``diff``."""
        assert self.passing is not None, "it was tested"
        units = edits(self.passing, self.failing, kind)
        if len(units) < 2:
            # One edit: what lies between is what was asked for.
            self.certified = len(units) == 1 and finest
            return
        candidates = Candidates(units, self.trial)
        tester = self._tester(candidates, kind)
        mode: Literal["+", "+-"] = "+" if self.plan.mode == "max" else "+-"
        result = dd.dd(range(len(units)), tester, mode=mode, check=True, certify=finest)
        self.reason, self.certified = result.reason, result.certified
        self._passed(kind, len(units), len(result.difference), tester)
        if self.plan.mode == "diff":
            self.failing = candidates.content(result.configuration)
        self.passing = candidates.content(result.passing)

    # --- what all levels share

    def _tester(self, candidates: Candidates, kind: str, *, valid: bool = False) -> Tester[int]:
        plan = self.plan
        left = None if plan.max_tests is None else max(0, plan.max_tests - self.ledger.tests)
        spent = time.monotonic() - self.started

        def known(configuration: Configuration[int]) -> Outcome | None:
            content = candidates.content(configuration)
            outcome = self.ledger.get(content)
            if outcome is None and valid and not compiles(content):
                return Outcome.UNRESOLVED
            return outcome

        def test(configuration: Configuration[int]) -> Outcome:
            try:
                with cut_off():
                    return candidates(configuration)
            except KeyboardInterrupt:
                self.stop.tear()
                raise BudgetExhausted(Reason.STOPPED) from None

        return Tester(
            test if plan.executor is None else candidates,  # the latter can be sent elsewhere
            predict=known,
            journal=Page(self.ledger, candidates),
            max_tests=left,
            max_time=None if plan.max_time is None else max(0.0, plan.max_time - spent),
            stop=self.stop,
            listeners=[_Listener(self, candidates, kind)],
            jobs=plan.jobs,
            executor=plan.executor,
            cancel=candidates.cancel if plan.executor is None else None,
        )

    def improved(self, content: bytes) -> None:
        """Pass on a failing input that is smaller than all before."""
        size = len(content), content
        if self.plan.mode == "diff" or size < self.least:
            self.least = size
            self.written(content, True)

    def _passed(self, kind: str, before: int, after: int, tester: Tester[int]) -> None:
        statistics = tester.statistics
        self.cached += statistics.hits
        self.levels.append(Level(kind, before, after, statistics.tests))


class _Listener:
    """Hears of every test of a level: reports, and passes improvements on."""

    def __init__(self, reducer: _Reducer, candidates: Candidates, kind: str) -> None:
        self.reducer = reducer
        self.candidates = candidates
        self.noun = noun(kind)
        self.count = len(candidates.units)
        self.fewest = self.count
        self.most = 0
        self.first = reducer.ledger.tests

    def __call__(self, event: TestEvent[int]) -> None:
        size = len(event.configuration)
        fails = event.outcome is Outcome.FAIL
        if not event.cached:
            content = self.candidates.content(event.configuration)
            mode = self.reducer.plan.mode
            if fails and size < self.fewest and mode != "max":
                self.reducer.improved(content)
            if event.outcome is Outcome.PASS and size > self.most and mode != "min":
                self.reducer.written(content, False)
        if fails:
            self.fewest = min(self.fewest, size)
        elif event.outcome is Outcome.PASS:
            self.most = max(self.most, size)
        if self.reducer.progress is not None and not event.cached:
            self.reducer.progress(self._progress())

    def _progress(self) -> Progress:
        reducer = self.reducer
        growing = reducer.plan.mode == "max"
        best = self.count - self.most if growing else self.fewest
        return Progress(
            name=reducer.trial.command.file,
            stage="searching",
            tests=reducer.ledger.tests,
            best=best,
            of=self.count,
            to_do=best,
            seconds=time.monotonic() - reducer.started,
            stopping=reducer.stop.requested,
            noun=self.noun,
        )


def _sparse(search: Search[int]) -> None:
    """Search until little is gained: then the certificate does the rest."""
    while True:
        before = len(search.current)
        splitting_strategy(search)
        if len(search.current) > before * 0.9:
            return


def _splitting(search: Search[int]) -> None:
    """The search within a level of a tree, all of which may go."""
    if not search.fails(()):
        splitting_strategy(search)

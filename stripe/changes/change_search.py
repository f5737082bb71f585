"""The search through the levels of changes, and what it learns on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from math import inf

from stripe import dd
from stripe.campaign.answer import Level
from stripe.campaign.campaign import Algorithm, Campaign
from stripe.campaign.problem import Key
from stripe.changes.bisection import first_bad
from stripe.changes.descent import Descent
from stripe.changes.edits import Clash
from stripe.changes.explanation import others_than
from stripe.changes.granularity import AUTO, Group, groups_of
from stripe.changes.grouped import Contested, Grouped
from stripe.changes.log import ChangesLog
from stripe.changes.occurrences import Occurrences, occurrences_of
from stripe.changes.plausibility import Plausibility
from stripe.changes.preconditions import describe
from stripe.changes.requirements import needs_of
from stripe.changes.search import resolving_strategy
from stripe.changes.snapshots import Tree, digest_of
from stripe.changes.trial import Verdict
from stripe.changes.universe import Universe
from stripe.changes.validity import Validity
from stripe.dd import BudgetExhausted, Outcome
from stripe.errors import UsageError

MANY_FILES = 16
"""From so many changed files on, it is worth two runs to see which ones the test reads."""

UNCLEAR = 3
"""So many versions of the history may tell nothing until the others are left as they are."""

MOST_ALONE = 64
"""So many changes at most are tried each alone."""

ALONE = ("commit", "file", "function")
"""Where halving tells nothing, changes of these levels are tried each alone."""

FEW = 128
"""So many changes of the finest level need no coarser ones."""

type Look = Callable[[Tree, object], Verdict]
"""What comes of a version; the key names the test for those who want to end it."""


class ChangeSearch:
    """The edits that still may be to blame, on their way down.

    Args:
        universe: all edits.
        look: the test.
        campaign: budget, outcomes, progress.
        algorithm: the search within a level.
        found: called with every smaller set of edits that fails.
        cancel: ends the test of a key.
        reads: the paths that the test looks at, of any of some versions, if it can be seen.
    """

    def __init__(
        self,
        universe: Universe,
        look: Look,
        campaign: Campaign,
        *,
        algorithm: str = AUTO,
        found: Callable[[Group], None] = lambda edits: None,
        cancel: Callable[[object], None] | None = None,
        reads: Callable[..., frozenset[str] | None] = lambda *trees: None,
    ) -> None:
        self.universe = universe
        self.current: Group = universe.deltas
        self.base: Group = ()
        """Edits that are there in every test."""
        self.beside: Group = ()
        """Edits of a cause that was found before: they are there in no test but the controls."""
        self.levels: list[Level] = []
        self.predicted: set[Key] = set()
        self.mixed: set[Key] = set()
        """Those of them that would have statements which no version has."""
        self.log = ChangesLog(universe.deltas)
        self.campaign = campaign
        self.found = found
        self.cancel = cancel
        self._look = look
        self._reads = reads
        self.algorithm = algorithm
        self.occurrences: Mapping[int, Occurrences] = occurrences_of(universe)
        self._needs = needs_of(universe, self.occurrences)
        self._validity = Validity(universe)
        self.plausibility = Plausibility(universe)
        self._contested = Contested()
        self._passed: list[frozenset[int]] = []
        self._guesses = True

    def others(self) -> Group:
        """All edits that can do without the current ones, and without a cause found before."""
        there = set(self.base)
        others = others_than(self.universe, (*self.current, *self.beside))
        return tuple(edit for edit in others if edit not in there)

    def among_others(self, campaign: Campaign) -> ChangeSearch:
        """A search for the next cause, among all others, which fail; it knows all that is known."""
        search = copy(self)
        search.beside = (*self.current, *self.beside)
        search.current = self.others()
        search.levels, search.predicted, search.mixed = [], set(), set()
        search.log = ChangesLog(self.universe.deltas)
        search.campaign = campaign
        search.found = lambda edits: None
        search._guesses = True
        campaign.store.learn(search.key(search.current), Outcome.FAIL)
        return search

    def key(self, edits: Sequence[int]) -> Key:
        """What a set of edits amounts to: equal versions, equal keys."""
        try:
            return (digest_of(self.universe.changed(self.base + tuple(edits))),)
        except Clash as clash:
            return (str(clash),)

    def learn_ends(self) -> None:
        """Take in what is known of both versions: all edits fail, and are an answer; none pass."""
        self.campaign.learn(self.key(self.universe.deltas), Outcome.FAIL)
        self.campaign.learn(self.key(()), Outcome.PASS)
        self.found(self.universe.deltas)

    def run(self, levels: Sequence[str], *, bisect_first: bool) -> str:
        """Search all levels, between two controls; why nothing can be concluded, or "".

        Raises:
            UsageError: ``no-line``, see :meth:`bisect`.
        """
        campaign = self.campaign
        try:
            untried = self.control()
            if untried:
                return untried
            if bisect_first:
                self.bisect()
            if self.algorithm == AUTO and not campaign.over:
                self.descend(levels)
            for level in levels:
                if not campaign.over:
                    self.narrow(level)
            if not campaign.over:
                self.certify(levels)
            if not campaign.over:
                return self.control()
        except BudgetExhausted as ended:  # in a control, which is no test of the search
            campaign.record_end(ended.reason)
        return ""

    def control(self) -> str:
        """Test both versions as parts are tested; why nothing can be concluded, or "".

        What no test can show before a search: that the versions are made, sent and run rightly;
        after it: that nothing which tests left changes what comes of others.

        Raises:
            BudgetExhausted: there was no time for it, or it was cut off.
        """
        for what, edits, expected in (
            ("all", self.universe.deltas, Outcome.FAIL),
            ("none", (), Outcome.PASS),
        ):
            with self.campaign.running():
                verdict = self._look(self.universe.tree(edits), None)
            if verdict.outcome is not expected:
                return f"with {what} of the changes applied, the outcome is {describe(verdict)}"
        return ""

    def bisect(self) -> None:
        """Take for granted the steps of a history after which it still passes.

        Raises:
            UsageError: ``no-line``, where the good version has steps of its own.
        """
        steps = self.universe.history.steps
        if any(step.side != 1 for step in steps):
            raise UsageError(
                "no-line",
                "The good version is not one that the bad version comes after, so there is no "
                "first bad commit.",
                "Leave out --bisect-first.",
            )
        step, good, bad = self._first_bad("bisect")
        self.base = step.edits(tuple(range(good)))
        self.current = step.edits(tuple(range(good, bad)))

    def _first_bad(self, name: str, unclear: float = inf) -> tuple[Grouped, int, int]:
        """Between which versions of the history it begins to fail: so many steps, and so many.

        ``unclear``: so many tests may tell nothing.
        """
        before = self.campaign.tests
        step = Grouped(self, groups_of(self.universe, self.current, "commit"))
        problem = step.problem()
        left = unclear

        def test(count: int) -> Outcome | None:
            nonlocal left
            if left <= 0:
                return None
            steps = step.close(tuple(range(count)))
            outcome = self.campaign.test(problem, steps)
            if outcome is not None:
                self.log.record_outcome(name, step.edits(steps), outcome)
                left -= outcome is Outcome.UNRESOLVED
                if outcome is Outcome.PASS:
                    self._passes(step.edits(steps))
            return outcome

        good, bad = first_bad(len(step.groups), test)
        tests = self.campaign.tests - before
        self.levels.append(Level(name, len(step.groups), bad - good, tests))
        return step, good, bad

    def _leave_out_later(self) -> Group:
        """Take the first version of the history that fails for the bad one; the last that passes.

        All versions of it were made by somebody, so nearly every test tells.
        """
        if len(self.universe.history.steps) == 1:
            return ()
        step, good, bad = self._first_bad("history", UNCLEAR)
        self.current = step.edits(step.close(tuple(range(bad))))
        return step.edits(step.close(tuple(range(good))))

    def _leave_out_unread(self, passing: Group) -> None:
        """Try the changes of files that the test reads, without all others.

        It is seen in the good version, in ``passing``, which is next to the one that fails, and in
        that.  What they have elsewhere cannot matter, unless the test finds it by what is not
        there.
        """
        before, universe = self.campaign.tests, self.universe
        if len({universe.edits[each].file for each in self.current}) < MANY_FILES:
            return
        versions = dict.fromkeys(((), passing, self.current))
        trees = [universe.tree(self.base + edits) for edits in versions]
        read = self.campaign.attempt(lambda: self._reads(*trees))
        if read is None:
            return
        step = Grouped(self, groups_of(universe, self.current, "file"))
        wanted = step.close(
            tuple(
                number
                for number, (edit, *_) in enumerate(step.groups)
                if read.intersection(universe.paths_of(edit))
            )
        )
        if len(wanted) == len(step.groups):
            return
        outcome = self.campaign.test(step.problem(), wanted)
        if outcome is not None:
            self.log.record_outcome("read", step.edits(wanted), outcome)
        after = len(step.groups)
        if outcome is Outcome.FAIL:
            self.current, after = step.edits(wanted), len(wanted)
        self.levels.append(Level("read", len(step.groups), after, self.campaign.tests - before))

    def descend(self, levels: Sequence[str]) -> None:
        """Find what makes the difference by halving, and see whether it is enough."""
        passing = self._leave_out_later() if levels[0] == "commit" else ()
        if not self.campaign.over:
            self._leave_out_unread(passing)
        before, groups, size = self.campaign.tests, self._hunks, 0
        while not self.campaign.over and (not size or 2 * len(self.current) <= size):
            size = len(self.current)
            descent = Descent(self, self._needs)
            descent.run(levels)
            self.current = tuple(filter(descent.high.__contains__, self.current))
            for level in levels if descent.unclear else ():
                if level in ALONE:
                    descent = Descent(self, self._needs)
                    descent.run_alone(level, MOST_ALONE)
                    self.current = tuple(filter(descent.high.__contains__, self.current))
        self.levels.append(Level("descent", groups, self._hunks, self.campaign.tests - before))
        if self.campaign.over or self._hunks > FEW:
            return
        if len(groups_of(self.universe, self.current, levels[-1])) <= FEW:
            self.narrow(levels[-1])

    @property
    def _hunks(self) -> int:
        return len({self.universe.edits[each].hunk for each in self.current})

    def narrow(self, level: str) -> None:
        """Leave out changes of one level, with what probably belongs to each."""
        groups = groups_of(self.universe, self.current, level)
        if len(groups) < 2:
            return
        step = Grouped(self, groups, self._needs, self._contested)
        algorithm: Algorithm[int]
        if self.algorithm == AUTO:
            algorithm = lambda deltas, tester: dd.minimise(  # noqa: E731
                deltas,
                tester,
                lambda search: resolving_strategy(search, step.learn),
                check=False,
                certify=False,
            )
        else:
            named = dd.ALGORITHMS[self.algorithm]
            algorithm = lambda deltas, tester: named(deltas, tester, check=False)  # noqa: E731
        self._run(level, step, algorithm, counts=False)

    def certify(self, levels: Sequence[str]) -> None:
        """Go through the levels again, with nothing but what changes must have, until nothing goes.

        Proves that no single change of the finest level can be left out.
        """
        self._guesses = False
        self.campaign.to_fixpoint(lambda: self.current, lambda: self._exactly(levels))

    def _exactly(self, levels: Sequence[str]) -> None:
        for level in levels:
            groups = groups_of(self.universe, self.current, level)
            finest = level == levels[-1]
            if not self.campaign.over and (finest or len(groups) > 1):
                step = Grouped(self, groups)
                algorithm = partial(_searched, certify=finest)
                self._run(level, step, algorithm, counts=finest)

    def _run(self, name: str, step: Grouped, algorithm: Algorithm[int], *, counts: bool) -> None:
        before = self.campaign.tests
        problem = step.problem()
        log = self.log.listener(name, step.edits)

        def passes(event: dd.TestEvent[int]) -> None:
            if event.outcome is Outcome.PASS and not event.cached:
                self._passes(step.edits(event.configuration))

        listeners = [log, passes]
        result = self.campaign.search(problem, algorithm, counts=counts, listeners=listeners)
        self.current = step.edits(result.configuration)
        tests = self.campaign.tests - before
        self.levels.append(Level(name, len(step.groups), len(result.configuration), tests))

    # --- tests

    def record_outcome(self, edits: Group, outcome: Outcome, *, ran: bool) -> None:
        """Take in what came of a set of edits."""
        self.log.record_outcome("descent", edits, outcome, ran=ran)
        if outcome is Outcome.PASS and ran:
            self._passes(edits)

    def _passes(self, edits: Group) -> None:
        """While it guesses, parts of what passes pass."""
        self._passed.append(frozenset(self.base + edits))

    def test(self, edits: Group, key: object) -> Verdict:
        """What comes of a set of edits."""
        try:
            tree = self.universe.tree(self.base + edits)
        except Clash as clash:
            return Verdict(Outcome.UNRESOLVED, f"not to be applied: {clash}")
        return self._look(tree, key)

    def predict(self, edits: Group) -> Outcome | None:
        """UNRESOLVED for what is no version of the program.

        It cannot be applied, or be parsed, or has statements that nobody wrote.
        """
        chosen = self.base + edits
        if self._guesses and any(passed.issuperset(chosen) for passed in self._passed):
            return Outcome.PASS
        try:
            if self._validity.holds(self.universe.changed(chosen)):
                if self.plausibility.holds(chosen):
                    return None
                self.mixed.add(self.key(edits))
        except Clash:
            pass
        self.predicted.add(self.key(edits))
        self.log.foretell(edits)
        return Outcome.UNRESOLVED


def _searched(deltas: Sequence[int], tester: dd.Tester[int], *, certify: bool) -> dd.Result[int]:
    return dd.minimise(deltas, tester, _alone, check=False, certify=certify)


def _alone(search: dd.Search[int]) -> None:
    """Search among what is left; and where that leaves several, try each of them alone.

    After a large change of everything hardly anything can be left out, and still one deleted line
    may be enough for the failure.
    """
    dd.splitting_strategy(search)
    if 1 < len(search.current) <= MOST_ALONE:
        any(search.fails((each,)) for each in search.current)

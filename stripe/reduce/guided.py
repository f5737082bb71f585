"""Guided search: the analysis proposes, testing proves (Cleve & Zeller 2000, section 5).

1. The first guess is the backward slice of the events the criterion looks at.  If it does not
   reproduce, it is widened: by what a crash says is missing, then by sweeping what the guess does
   not hold, statement by statement, for what is missing there.
2. Then it goes from coarse to fine (Misherghi & Su, ICSE 2006): what happened in a round of a
   loop or in a call is left out, then single events.  Of these the doubtful ones come first: those
   whose value replaced an older one, at the ends of what a statement did.  When one goes, its
   neighbours are tried in growing groups, and what only it needed goes along.

Leaving out a single event is what certifies the answer.  So as long as nothing can go, every
test of a single event is one the certificate needs: with k events at the end, k tests.  The
dependences choose what is tested next, and nothing else.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, compress

from stripe.backend import Observation
from stripe.checks import Criterion
from stripe.dd import BudgetExhausted, Outcome, Result, Search, Tester, minimise, sweep_strategy
from stripe.dd.search import universe
from stripe.dd.searches.sweep import Gaps
from stripe.index_set import packed
from stripe.reduce.criterion import criterion_events
from stripe.reduce.groups import by_statement
from stripe.reduce.guided_search import GuidedSearch
from stripe.reduce.outcome_predictor import first_questions
from stripe.reduce.passes import GUESS, MEND, WIDEN, Passes
from stripe.reduce.removal import LONG
from stripe.trace import Trace
from stripe.trace.dependence import Dependences
from stripe.trace.effects import Facts
from stripe.trace.model import flags

Events = tuple[int, ...]

MOST_CRASHES = 64
"""So often a guess is widened by what its crash says is missing, each time by one test of it."""

MOST_UNNAMED = 2
"""So often by all that the statement reads, where the crash names nothing: that may be much."""

NAMED = re.compile(r"'(?:[\w.]*\.)?(\w+)'|(\w+)\(\)")
"""A name in the words of an error: in quotes, or as it is called."""


class Guided:
    """The search behind ``--algorithm auto``.

    ``observe`` tells what the test of some events saw; ``hold`` is asked before an analysis of so
    many events, and raises BudgetExhausted if there is no time for it.  ``passes`` counts what each
    pass does.  ``max_idle``: see :class:`stripe.reduce.settings.Settings`.
    """

    def __init__(
        self,
        trace: Trace,
        criterion: Criterion,
        *,
        control: bool,
        observe: Callable[[Events], Observation | None],
        hold: Callable[[int], object] = lambda size: None,
        passes: Passes | None = None,
        max_idle: int = 0,
    ) -> None:
        self.trace = trace
        self.criterion = criterion
        self.control = control
        self.observe = observe
        self.hold = hold
        self.passes = Passes(len(trace)) if passes is None else passes
        self.max_idle = max_idle
        self.facts = Facts(trace)
        self.roots: set[int] = set()  # what the analysis takes for needed without a reason

    def reduce(self, deltas: Sequence[int], tester: Tester[int]) -> Result[int]:
        """Search in ``deltas``, all of which fail."""
        if tester.known(()) is None:
            tester.assume((), Outcome.PASS)
        search = Search(tester, universe(deltas))
        try:
            with self.passes.entered(GUESS):
                begun = self.start_from_guess(search)
        except BudgetExhausted as exhausted:
            tester.cancel_ahead()
            answer = tester.closed(search.current)
            return Result(answer, statistics=tester.statistics, reason=exhausted.reason)

        def go_on(search: Search[int]) -> None:
            if not begun:
                with self.passes.entered(WIDEN):
                    sweep_strategy(search)
            self.narrow(search)

        return minimise(search.current, tester, go_on, check=False)

    def narrow(self, search: Search[int]) -> None:
        """Make ``search.current`` smaller until no single event can be left out."""
        GuidedSearch(self, search).run()

    def start_from_guess(self, search: Search[int], *, widen: bool = True) -> bool:
        """Make ``search.current`` a slice that fails; whether anything is known to slice by.

        Without ``widen`` it stays as it is if no guess fails.
        """
        if not any(each.reads or each.writes for each in self.trace.statements):
            return False
        self.roots.update(criterion_events(self.trace, self.criterion))
        if self._part(search.current) is not None:
            self.roots.intersection_update(search.current)
        self.guess(search, widen=widen)
        return True

    def trim(self, search: Search[int]) -> None:
        """Leave out what nothing needs any more, if that fails; where anything is known of it."""
        if self.roots:
            events = search.tester.closed(search.current)
            alive = self.dependences(self._part(events)).slice(self.roots)
            if len(alive) < len(events):
                search.fails(alive)

    def _part(self, events: Events) -> Events | None:
        """``events`` for an analysis, which is faster for all of them."""
        return None if len(events) == len(self.trace) else events

    def dependences(self, events: Events | None = None) -> Dependences:
        """The dependences among some events, or all."""
        self.hold(len(self.trace if events is None else events))
        return Dependences(self.trace, events, control=self.control, facts=self.facts)

    # -- the first guess

    def guess(self, search: Search[int], *, widen: bool = True) -> None:
        """Make ``search.current`` a slice that fails, if need be by widening the guess."""
        universe = search.current
        whole = self.dependences(self._part(universe))
        guess = whole.slice(self.roots)
        # Without, another search goes on than ours.
        ahead = self.following(search, guess) if widen else ()
        if len(guess) == len(universe) or search.fails(guess, ahead):
            return
        with self.passes.entered(MEND):
            mended = self.mended(search, whole, guess)
        if mended is not None and widen:
            with self.passes.entered(WIDEN):
                self.widen(search, whole, mended)

    def following(self, search: Search[int], guess: Events) -> Iterator[Events]:
        """What is tested after a guess that fails, if that is of use and soon found."""
        if search.tester.speculates and len(guess) < LONG:
            with suppress(BudgetExhausted):  # which is for the search itself to meet
                yield from first_questions(search, guess, self.narrow)

    def mended(self, search: Search[int], whole: Dependences, guess: Events) -> Events | None:
        """Widen a guess by what its crashes say is missing, as long as they say something new.

        ``None`` if it fails then; else with what they named, and without what they only read.
        """
        universe = search.current
        among = self._part(universe)
        named, unnamed = set(self.roots), 0
        for _ in range(MOST_CRASHES):
            known = len(guess)
            for is_named, missing in self.missing(guess):
                if among is not None:
                    missing.intersection_update(among)
                if missing.issubset(guess) or (not is_named and unnamed == MOST_UNNAMED):
                    continue
                self.roots |= missing
                if is_named:
                    named |= missing
                else:
                    unnamed += 1
                guess = whole.slice(self.roots)
                break
            if len(guess) == known:
                break
            if search.fails(guess):
                return None
        if len(named) == len(self.roots):
            return guess
        self.roots = named
        return whole.slice(named)

    def missing(self, guess: Events) -> Iterator[tuple[bool, set[int]]]:
        """What may keep ``guess`` from crashing, the most likely first; whether it was named.

        That is all that writes what the words of the crash name, or else what it read.
        """
        seen = self.observe(guess)
        if seen is None or seen.exception is None:
            return
        trace, crashed = self.trace, seen.exception.statement
        end, read = len(trace), set[str]()
        if crashed is not None:  # else in a file that is not recorded
            read.update(trace.statements[crashed].reads)
            last = next((e for e in reversed(guess) if trace.statement[e] == crashed), end - 1)
            running = trace.activation[last]  # what it calls came before it raised
            behind = range(last + 1, end)
            end = next((each for each in behind if trace.activation[each] == running), end)
        named = {one or other for one, other in NAMED.findall(seen.exception.message)}

        def writers(fits: Callable[[str], bool]) -> set[int]:
            chosen = {each.id for each in trace.statements if any(map(fits, each.writes))}
            return {event for event in range(end) if trace.statement[event] in chosen}

        yield True, writers(lambda location: re.split("[.:]", location)[-1] in named)
        yield False, writers(lambda location: location.lstrip("*?") in read)

    def widen(self, search: Search[int], whole: Dependences, guess: Events) -> None:
        """Leave out what the guess does not hold, but for what is missing there.

        All events fail, the guess does not.  So the statements of the others are swept, each with
        all its executions, from the one that was executed last, in steps that follow how far
        apart the missing ones are (Hwang, JASA 1972): about log2 of the distance and two more
        tests for each.  What the analysis does not see in one execution it sees in none: so the
        executions of a missing statement all join the guess, with all that they depend on.
        """
        size = len(self.trace)
        kept = flags(guess, size)
        rest = by_statement(self.trace, (each for each in search.current if not kept[each]))
        gaps = Gaps(math.log2(len(rest) + 1))

        def fails(count: int) -> bool:
            """Whether the first ``count`` statements of the others are enough."""
            joined = kept[:]
            for event in chain.from_iterable(rest[:count]):
                joined[event] = 1
            return search.fails(packed(compress(range(size), joined)))

        while rest:
            step = min(gaps.step(), len(rest))
            if fails(len(rest) - step):
                gaps = gaps.went(step)
                del rest[len(rest) - step :]
                continue
            low, high = len(rest) - step, len(rest)
            while high - low > 1:
                middle = (low + high) // 2
                if fails(middle):
                    high = middle
                else:
                    low = middle
            gaps = gaps.went(len(rest) - high).stayed()
            self.roots.update(rest[high - 1])
            left = flags(search.current, size)
            kept = flags(filter(left.__getitem__, whole.slice(self.roots)), size)
            outside = (
                array("i", (event for event in events if left[event] and not kept[event]))
                for events in rest[: high - 1]
            )
            rest = sorted(filter(None, outside), key=lambda events: events[-1])

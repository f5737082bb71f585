"""Guided search: the analysis proposes, testing proves (Cleve & Zeller 2000, section 5).

1. The first guess is the backward slice of the events the criterion looks at.  If it does not
   reproduce, it is widened: by what a crash says is missing, then by bisection between the
   guess and what does reproduce.
2. Then single events are left out, the doubtful ones first: those whose value replaced an
   older one, at the ends of what a statement did.  When one goes, its neighbours are tried in
   growing groups, and what only it needed goes along.

Leaving out a single event is what certifies the answer.  So as long as nothing can go, every
test is one the certificate needs: with k events at the end, k tests.  The dependences choose
what is tested next, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from stripe.backend import Observation
from stripe.checks import Criterion
from stripe.dd import Search, sweep_strategy
from stripe.reduce.criterion import criterion_events
from stripe.trace import Trace
from stripe.trace.dependence import Dependences
from stripe.trace.effects import Facts

Events = tuple[int, ...]

BISECTIONS = 8
"""How many missing events are looked for before the search does without a slice."""

SLICED = 4
"""So many times as many events are sliced in the time in which dependences are found."""

FEW = 6
"""As many events more than a slice are not worth a bisection."""


class Guided:
    """The strategy behind ``--algorithm auto``; called with the search it is to lead.

    ``observe`` tells what the test of some events saw; ``hold`` is asked before an analysis of so
    many events, and raises BudgetExhausted if there is no time for it.
    """

    def __init__(
        self,
        trace: Trace,
        criterion: Criterion,
        *,
        control: bool,
        observe: Callable[[Events], Observation | None],
        hold: Callable[[int], object] = lambda size: None,
    ) -> None:
        self.trace = trace
        self.criterion = criterion
        self.control = control
        self.observe = observe
        self.hold = hold
        self.facts = Facts(trace)
        self.roots: set[int] = set()  # what the analysis takes for needed without a reason

    def __call__(self, search: Search[int]) -> None:
        if any(each.reads or each.writes for each in self.trace.statements):
            self.roots = set(criterion_events(self.trace, self.criterion))
            self.guess(search)
        else:
            sweep_strategy(search)
        GuidedSearch(self, search).run()

    def dependences(self, events: Events | None = None) -> Dependences:
        """The dependences among some events, or all."""
        self.hold(len(self.trace if events is None else events))
        return Dependences(self.trace, events, control=self.control, facts=self.facts)

    # -- the first guess

    def guess(self, search: Search[int]) -> None:
        """Make ``search.current`` a slice that fails."""
        whole = self.dependences()
        guess = whole.slice(self.roots)
        if search.fails(guess):
            return
        for _ in range(2):
            missing = self.missing(guess)
            wider = whole.slice(self.roots | missing)
            if len(wider) == len(guess):
                break
            self.roots |= missing
            guess = wider
            if search.fails(guess):
                return
        self.widen(search, whole, guess)

    def missing(self, guess: Events) -> set[int]:
        """What may keep ``guess`` from crashing: all that writes what the crash read."""
        seen = self.observe(guess)
        if seen is None or seen.exception is None or seen.exception.statement is None:
            return set()
        trace = self.trace
        wanted = set(trace.statements[seen.exception.statement].reads)
        for name in seen.exception.message.split("'")[1::2]:
            wanted |= {name, "::" + name, "." + name}
        chosen = {
            each.id
            for each in trace.statements
            if wanted & {location.lstrip("*?") for location in each.writes}
        }
        before = max(
            (event for event in guess if trace.statement[event] == seen.exception.statement),
            default=len(trace),
        )
        return {event for event in range(before) if trace.statement[event] in chosen}

    def widen(self, search: Search[int], whole: Dependences, guess: Events) -> None:
        """Find missing events by bisection in time, until their slice fails as well.

        All events fail, the guess does not: so there is an event which, added to the guess
        and everything else before it, makes the difference.
        """
        spent = 0
        for _ in range(BISECTIONS):
            kept = set(guess)
            rest = [event for event in search.current if event not in kept]
            # Leaving them out one by one costs as many tests as there are.
            if len(rest) <= FEW or spent > max(FEW, len(search.current) // 4):
                break
            spent += len(rest).bit_length() + 1
            low, high = 0, len(rest)  # with so many of the rest: does not fail, fails
            while high - low > 1:
                middle = (low + high) // 2
                if search.fails(tuple(sorted(kept.union(rest[:middle])))):
                    high = middle
                else:
                    low = middle
            self.roots.add(rest[high - 1])
            guess = whole.slice(self.roots)
            if search.fails(guess):
                return
        self.roots.update(search.current)


class GuidedSearch:
    """Leaves out single events, and groups of them where that promises more."""

    def __init__(self, guided: Guided, search: Search[int]) -> None:
        self.guided = guided
        self.trace = guided.trace
        self.search = search
        self.needed: set[int] = set()  # tested alone, in the current configuration
        self.kept = set(search.current)
        self._found: Dependences | None = None

    @property
    def dependences(self) -> Dependences:
        """Those of a configuration that has at most twice as many events as the current one.

        So all that is ever found anew costs as much as what was found at first.
        """
        current = self.search.current
        if self._found is None or len(self._found.events) > 2 * len(current):
            self._found = self.guided.dependences(current)
        return self._found

    def run(self) -> None:
        """Until no single event can be left out."""
        while len(self.needed) < len(self.search.current):
            order = [event for event in self.order() if event not in self.needed]
            for place, event in enumerate(order):
                if event in self.needed or event not in self.kept:
                    continue
                if self.alone(event, order[place + 1 :]):
                    self.follow(event)

    def alone(self, event: int, ahead: Sequence[int]) -> bool:
        """Leave out one event, if it can be."""
        if self.fails(self.without((event,)), map(self.without, ((e,) for e in ahead))):
            return True
        self.needed.add(event)
        return False

    def fails(self, candidate: Events, ahead: Iterable[Events] = ()) -> bool:
        """Test a smaller configuration, and go on with it if it fails."""
        if not self.search.fails(candidate, ahead):
            return False
        self.needed.clear()
        self.kept = set(self.search.current)
        return True

    def without(self, events: Iterable[int]) -> Events:
        gone = set(events)
        return tuple(event for event in self.search.current if event not in gone)

    def order(self) -> list[int]:
        """The events of the current configuration, the doubtful ones first."""
        current = self.search.current
        initial = self.dependences.initial(current)
        statement = self.trace.statement
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        doubtful: list[int] = []
        sure: list[int] = []
        for event in current:
            if event in initial or event in self.guided.roots:
                sure.append(event)
                continue
            doubtful.append(event)
            first.setdefault(statement[event], event)
            last[statement[event]] = event
        lasts = sorted(last.values(), reverse=True)
        firsts = sorted(set(first.values()).difference(lasts), reverse=True)
        ends = {*lasts, *firsts}
        middle = [event for event in reversed(doubtful) if event not in ends]
        return [*lasts, *firsts, *middle, *reversed(sure)]

    def alive(self, events: Events) -> Events:
        """What the analysis says that is needed of ``events``."""
        events = self.search.tester.closed(events)
        self.guided.hold(len(events) // SLICED)
        return self.dependences.slice(self.guided.roots, events)

    def trim(self) -> None:
        """Leave out what nothing needs any more."""
        current = self.search.current
        alive = self.alive(current)
        if len(alive) == len(current):
            return
        if not self.fails(alive):
            self.guided.roots.update(set(current).difference(alive))

    def follow(self, event: int) -> None:
        """``event`` has gone: leave out what only it needed, and its like."""
        self.trim()
        for like in self.neighbours(event):
            self.sweep(like)

    def neighbours(self, event: int) -> Iterator[list[int]]:
        """Other events of the same statement: those before, the latest first; those after."""
        number = self.trace.statement[event]
        same = [each for each in self.search.current if self.trace.statement[each] == number]
        yield [each for each in reversed(same) if each < event]
        yield [each for each in same if each > event]

    def sweep(self, events: list[int]) -> None:
        """Leave out groups of ``events`` from the front, doubling; stop where one must stay."""
        size = 1
        while events:
            group = [event for event in events[:size] if event in self.kept]
            if group and not self.leave(group):
                if len(group) == 1:
                    return
                size = max(1, len(group) // 2)
                events = events[: len(group)]
                continue
            events = events[size:]
            size *= 2

    def leave(self, group: list[int]) -> bool:
        """Leave out a group, and what only it needed."""
        if len(group) == 1 and group[0] in self.needed:
            return False
        candidate = self.without(group)
        if len(group) > 1:
            candidate = self.alive(candidate)
        if self.fails(candidate):
            if len(group) == 1:
                self.trim()
            return True
        if len(group) == 1:
            self.needed.add(group[0])
        return False

"""Guided search: the analysis proposes, testing proves (Cleve & Zeller 2000, section 5).

1. The first guess is the backward slice of the events the criterion looks at.  If it does not
   reproduce, it is widened: by what a crash says is missing, then by sweeping what the guess does
   not hold, statement by statement, for what is missing there.
2. Then it goes from coarse to fine (Misherghi & Su, ICSE 2006): what happened in a round of a
   loop or in a call is left out, then single events.  Of these the doubtful ones come first: those
   whose value replaced an older one, at the ends of what a statement did.  When one goes, its
   neighbours are tried in growing groups, and what only it needed goes along.
3. Once no single event can go, statements are left out with all their executions.  Where one can,
   all begins anew.  Both coarse steps get past answers that no single event can make smaller.

Leaving out a single event is what certifies the answer.  So as long as nothing can go, every
test of a single event is one the certificate needs: with k events at the end, k tests.  The
dependences choose what is tested next, and nothing else.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from stripe.backend import Observation
from stripe.checks import Criterion
from stripe.dd import Search, sweep_strategy
from stripe.dd.searches.sweep import Gaps
from stripe.reduce.criterion import criterion_events
from stripe.trace import NONE, Trace
from stripe.trace.dependence import Dependences
from stripe.trace.effects import Facts

Events = tuple[int, ...]

type Groups = Callable[[], Iterable[Sequence[int]]]
"""Tells, if anybody asks, groups of events that may be left out one after the other."""

SLICED = 4
"""So many times as many events are sliced in the time in which dependences are found."""

FEW = 3
"""Fewer events are left out one by one rather than together."""


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
        self.within = within(trace)
        self.roots: set[int] = set()  # what the analysis takes for needed without a reason

    def __call__(self, search: Search[int]) -> None:
        if not self.begin(search):
            sweep_strategy(search)
        GuidedSearch(self, search).run()

    def begin(self, search: Search[int]) -> bool:
        """Make ``search.current`` a slice that fails; whether anything is known to slice by."""
        if not any(each.reads or each.writes for each in self.trace.statements):
            return False
        self.roots.update(criterion_events(self.trace, self.criterion))
        if self._part(search.current) is not None:
            self.roots.intersection_update(search.current)
        self.guess(search)
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

    def guess(self, search: Search[int]) -> None:
        """Make ``search.current`` a slice that fails."""
        universe = search.current
        whole = self.dependences(self._part(universe))
        guess = whole.slice(self.roots)
        if search.fails(guess):
            return
        for _ in range(2):
            missing = self.missing(guess).intersection(universe)
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
        """Leave out what the guess does not hold, but for what is missing there.

        All events fail, the guess does not.  So the statements of the others are swept, each with
        all its executions, from the one that was executed last, in steps that follow how far
        apart the missing ones are (Hwang, JASA 1972): about log2 of the distance and two more
        tests for each.  What the analysis does not see in one execution it sees in none: so the
        executions of a missing statement all join the guess, with all that they depend on.
        """
        kept = set(guess)
        rest = by_statement(self.trace, (each for each in search.current if each not in kept))
        gaps = Gaps(math.log2(len(rest) + 1))

        def fails(count: int) -> bool:
            """Whether the first ``count`` statements of the others are enough."""
            return search.fails(tuple(sorted(kept.union(*rest[:count]))))

        while rest:
            size = min(gaps.step(), len(rest))
            if fails(len(rest) - size):
                gaps = gaps.went(size)
                del rest[len(rest) - size :]
                continue
            low, high = len(rest) - size, len(rest)
            while high - low > 1:
                middle = (low + high) // 2
                if fails(middle):
                    high = middle
                else:
                    low = middle
            gaps = gaps.went(len(rest) - high).stayed()
            self.roots.update(rest[high - 1])
            left = set(search.current)
            kept = left.intersection(whole.slice(self.roots))
            before = (event for events in rest[: high - 1] for event in events)
            outside = (event for event in before if event in left and event not in kept)
            rest = by_statement(self.trace, outside)


def by_statement(trace: Trace, events: Iterable[int]) -> list[list[int]]:
    """The executions of each statement, by the last of them."""
    groups: dict[int, list[int]] = {}
    for event in events:
        groups.setdefault(trace.statement[event], []).append(event)
    return sorted(map(sorted, groups.values()), key=lambda group: group[-1])


def within(trace: Trace) -> array[int]:
    """For each event the round, the branch or the call that it happened in; NONE at the top."""
    statement, scopes = trace.statement, trace.scope
    found = array("i")
    rounds: dict[int, int] = {}  # by the event that began a loop: the one that began its round
    for event, scope in enumerate(scopes):
        if scope == NONE:
            found.append(trace.caller[event])
        elif statement[event] == statement[scope]:
            rounds[scope] = event
            found.append(scope)
        else:
            found.append(rounds.get(scope, scope))
    return found


def singles(events: Sequence[int], start: int) -> Iterator[list[int]]:
    """Each event from a place on, as a group."""
    return ([event] for event in islice(events, start, None))


def flat(units: Iterable[Sequence[int]]) -> list[int]:
    """The events of all units."""
    return [event for unit in units for event in unit]


def joined(units: Sequence[Sequence[int]], later: Groups) -> Iterator[Sequence[int]]:
    """Groups, and then others."""
    return chain(units, later())


def halves(units: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The events of the first half of some units, of the first half of these, and so on."""
    while len(units) > 1:
        units = units[: len(units) // 2]
        yield flat(units)


def steps(units: Sequence[Sequence[int]], start: int, size: int) -> Iterator[list[int]]:
    """The events of groups of units that double, each with all before it."""
    end = start
    while end < len(units):
        end, size = end + size, 2 * size
        yield flat(units[start:end])


class GuidedSearch:
    """Leaves out single events, and groups of them where that promises more."""

    def __init__(self, guided: Guided, search: Search[int]) -> None:
        self.guided = guided
        self.trace = guided.trace
        self.search = search
        self.needed: set[int] = set()  # tested alone, in the current configuration
        self.kept = set(search.current)
        self.went = False  # the last of what was left out together
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
        """Until no single event can be left out, and no statement with all its executions."""
        tried: Events = ()
        while tried != self.search.current:
            self.bodies()
            self.events()
            tried = self.search.current
            self.statements()

    def statements(self) -> None:
        """Leave out statements with all their executions, the one executed last first."""
        groups = [each for each in by_statement(self.trace, self.search.current) if len(each) > 1]
        groups.reverse()
        for place, group in enumerate(groups, 1):
            following = partial(islice, groups, place, None)
            self.leave(group, stays=following, goes=following)

    def bodies(self) -> None:
        """Leave out what happened in a round of a loop or in a call, the outermost first.

        The round and the call stay: the next ones go on from there.
        """
        within, statement = self.guided.within, self.trace.statement
        holding = set(self.guided.roots)
        for event in self.guided.roots:
            while (event := within[event]) != NONE and event not in holding:
                holding.add(event)
        depth: dict[int, int] = {NONE: 0}
        inside: dict[int, list[int]] = {}
        for event in self.search.current:
            depth[event] = depth.get(within[event], 0) + 1
            inside.setdefault(within[event], []).append(event)
        levels: dict[tuple[int, int], list[list[int]]] = {}
        for event, body in reversed(inside.items()):
            if event not in holding and event != NONE:
                level = depth.get(event, 0), statement[event]
                levels.setdefault(level, []).append(body)
        for _, units in sorted(levels.items()):
            for place, unit in enumerate(units):
                left = [event for event in unit if event in self.kept]
                count = sum(1 + len(inside.get(event, ())) for event in left)
                if count >= FEW and self.leave(
                    left,
                    stays=partial(islice, units, place + 1, None),
                    goes=partial(steps, units, place + 1, 1),
                ):
                    self.sweep(units[place + 1 :])

    def events(self) -> None:
        """Until no single event can be left out."""
        while len(self.needed) < len(self.search.current):
            order = [event for event in self.order() if event not in self.needed]
            for place, event in enumerate(order):
                if event in self.needed or event not in self.kept:
                    continue
                if self.alone(event, order[place + 1 :]):
                    self.follow(event, partial(singles, order, place + 1))

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

    def trim(self, following: Groups = tuple) -> None:
        """Leave out what nothing needs any more; ``following``: what is left out after that."""
        current = self.search.current
        alive = self.alive(current)
        if len(alive) == len(current):
            return
        if not self.fails(alive, self.ahead(alive, tuple, following)):
            self.guided.roots.update(set(current).difference(alive))

    def follow(self, event: int, later: Groups = tuple) -> None:
        """``event`` has gone: leave out what only it needed, and its like; ``later``: others."""
        sweeps = list(self.neighbours(event))
        self.trim(lambda: steps(sweeps[0] or sweeps[1], 0, 1))
        for place, units in enumerate(sweeps):
            others = [unit for each in sweeps[place + 1 :] for unit in each[:1]]
            self.sweep(units, partial(joined, others, later))

    def neighbours(self, event: int) -> Iterator[list[list[int]]]:
        """Other events of the same statement: those before, the latest first; those after."""
        number = self.trace.statement[event]
        same = [each for each in self.search.current if self.trace.statement[each] == number]
        yield [[each] for each in reversed(same) if each < event]
        yield [[each] for each in same if each > event]

    def sweep(self, units: Sequence[Sequence[int]], later: Groups = tuple) -> None:
        """Leave out groups of ``units`` from the front, doubling; stop where one must stay.

        ``later``: what is left out after that.
        """
        size = 1
        while units:
            group = [unit for unit in units[:size] if not self.kept.isdisjoint(unit)]
            smaller = partial(halves, group) if len(group) > 1 else later
            larger = partial(steps, units, size, 2 * size)
            if group and not self.leave(flat(group), stays=smaller, goes=larger):
                if len(group) == 1:
                    return
                size = max(1, len(group) // 2)
                units = units[: len(group)]
                continue
            units = units[size:]
            size *= 2

    def leave(self, events: Iterable[int], *, stays: Groups = tuple, goes: Groups = tuple) -> bool:
        """Leave out events that are left, and what only they needed.

        ``stays``, ``goes``: what would be left out next, should they stay or go.
        """
        group = [event for event in events if event in self.kept]
        if not group or (len(group) == 1 and group[0] in self.needed):
            return False
        candidate = self.reduced(self.search.current, group)
        self.went = self.fails(candidate, self.ahead(candidate, stays, goes, len(group) == 1))
        if len(group) == 1:
            if self.went:
                self.trim(goes)
            else:
                self.needed.add(group[0])
        return self.went

    def reduced(self, events: Events, group: Sequence[int]) -> Events:
        """``events`` without a group, and what only the group needed if it has more than one."""
        gone = set(group)
        left = tuple(event for event in events if event not in gone)
        return left if len(group) == 1 else self.alive(left)

    def ahead(
        self, candidate: Events, stays: Groups, goes: Groups, trimmed: bool = False
    ) -> Iterator[Events]:
        """What may be tested after ``candidate``, in turn for either outcome.

        What follows the last one's outcome comes first: it is often the same again.  ``trimmed``:
        should it go, what nothing needs any more goes next.
        """
        if not self.search.tester.speculates:
            return
        ways = [self.after(candidate, goes(), trimmed), self.after(self.search.current, stays())]
        if not self.went:
            ways.reverse()
        while ways:
            way = ways.pop(0)
            following = next(way, None)
            if following is not None:
                ways.append(way)
                yield following

    def after(
        self, events: Events, groups: Iterable[Sequence[int]], trimmed: bool = False
    ) -> Iterator[Events]:
        """``events`` without each of some groups."""
        if trimmed:
            alive = self.alive(events)
            if len(alive) < len(events):
                yield alive
            events = alive
        for group in groups:
            left = [event for event in group if event in self.kept]
            if left:
                yield self.reduced(events, left)

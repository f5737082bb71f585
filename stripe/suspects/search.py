"""One search: changes are tried best first, and those that repair something on all tests."""

from __future__ import annotations

import math
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice

from stripe.campaign.progress import Progress
from stripe.dd import Budget, Reason
from stripe.deadline import OutOfTime
from stripe.interrupts import StopFlag, cut_off_search
from stripe.interventions import Attempt, Ended, Intervention, Line, Test, Trials, Verdict
from stripe.results.formats import SUSPECTS
from stripe.results.suspects import Changes, Place, Ranked, SuspectsResult
from stripe.suspects.order import Agenda, of_traceback
from stripe.suspects.places import place_of
from stripe.suspects.ranks import Repair, Suspect, altered, ranked
from stripe.suspects.refusals import no_suspects
from stripe.suspects.spectrum import spectrum
from stripe.suspects.tallies import Effect, effect, tallies

LEAST_FUEL = 0.02
"""Seconds of processor time that any attempt gets."""

SLOWER = 6.0
"""Times what tests take as they are, an attempt may take at first..."""

MORE = 15.0
"""...and times that, later, if it ran out of fuel or repairs something."""

MOST_BROKEN = 10
"""After so many broken tests, the others need not be run: it is not told as a place."""

PLACES = 5
"""Places that are told."""

AT_ONCE, LONGEST = 192, 2.0
"""So many changes are asked for together: that takes less than a second, as a rule; and no more
than take so many seconds of a processor if all run out of fuel, unless others have been quicker.

For each group a process is made that is put back between them, which costs what some runs do."""

FIRST = 10
"""So many changes are tried even if all the time went into running tests as they are."""

LOOKING_SECONDS = 0.2
"""How often it is seen whether somebody has asked to stop."""

SHOWING = 2.0
"""Seconds of a processor that are enough to show a change, but for tests that take long."""

KEPT_BACK = 1.0
"""Seconds that are kept for showing what was found."""


TESTS = ("tests", "test")
"""Names of folders with what belongs to tests."""


def of_tests(file: str) -> bool:
    """Whether a file is there for tests, by its name or that of a folder around it."""
    *folders, name = os.path.normpath(file).split("/")
    return (
        not set(folders).isdisjoint(TESTS)
        or name == "conftest.py"
        or name.startswith("test_")
        or name.endswith("_test.py")
    )


class Search:
    """What is known so far, of all tests and changes.

    ``began``: when the command did, as ``time.monotonic`` tells it; by default now.
    ``found``: hears of each line at which a change repairs something, if no other one that is known
    does so better.
    ``tests``: those of ``trials``, as they count here.
    ``helpers``: what belongs to tests may be suspected, but for the files that they are in.
    ``most``: so many lines are suspected, which failing tests execute most alone, and nothing that
    is executed once for all; ``None``: all.
    """

    def __init__(
        self,
        trials: Trials,
        budget: Budget,
        stop: StopFlag,
        jobs: int,
        progress: Callable[[Progress], None] | None,
        *,
        began: float | None = None,
        found: Callable[[Repair], None] | None = None,
        tests: Sequence[Test] | None = None,
        helpers: bool = False,
        most: int | None = None,
    ) -> None:
        self.trials, self.stop = trials, stop
        self._budget = budget
        self._jobs = jobs
        self._progress = progress
        self._started = time.monotonic() if began is None else began
        self._tell_found = found
        self.tests = tests = trials.tests if tests is None else tests
        self.failing = [each for each in tests if each.verdict is Verdict.FAILED]
        self.passing = [each for each in tests if each.verdict is Verdict.PASSED]
        own = {each.own for each in tests}
        executed = {line for each in self.failing for line in each.lines}
        self.lines = sorted(
            line
            for line in executed
            if line.file not in own and (helpers or own <= {""} or not of_tests(line.file))
        )
        files = {each.file for each in self.lines}
        self._once = {each for each in trials.imported if each.file in files} - executed
        if not self.lines:
            raise no_suspects(self.failing, executed)
        self.spectrum = spectrum(tests, self.lines, trials.imported)
        if most is not None and self.passing and len(self.lines) > most:
            score = self.spectrum["ochiai"]
            self.lines = sorted(sorted(self.lines, key=lambda line: (-score[line], line))[:most])
            self._once = set()
        self.repairs: list[Repair] = []
        self._unrepaired: list[tuple[Intervention, list[Test]]] = []
        self._agenda = Agenda({}, {}, lambda _: ())
        self._traceback = of_traceback(self.failing)
        self._places_in_order: dict[int, int] = {}
        self._found: dict[int, dict[int, tuple[int, int]]] = {}
        self.ended: Counter[Ended] = Counter()
        self.effects: dict[int, Effect] = {}
        self._failures: dict[int, list[tuple[Line, str]]] = {}
        self._each = math.inf
        self._other_tests_left, self._late_left = False, 0
        self._cut = False
        self._keeping = threading.Lock()
        self.reason = Reason.FINISHED
        self.runs = len(tests)

    # --- searching

    def run(self) -> None:
        """Try all, best first, until time is over or somebody asks for an end."""
        try:
            with cut_off_search():
                self._run()
        except KeyboardInterrupt:
            if not self.stop.requested:
                raise
            self.stop.tear()
            self.reason = Reason.STOPPED
            self._cancel()

    def _run(self) -> None:
        quick = sorted(self.failing, key=lambda each: each.seconds)
        every = sorted({*self.lines, *self._once})
        scores = spectrum(self.tests, every, self.trials.imported)["ochiai"]
        self._agenda = Agenda(
            scores,
            self._traceback,
            lambda lines: self.trials.offers(every, quick[:3], lines),
        )
        late: list[Intervention] = []
        self._try_all(self._in_order(), self._fuel, late)
        self._other_tests_left = not self._try_others()
        self._late_left = 0 if self._try_all(late, self._fuel * MORE, []) else len(late)

    def _in_order(self) -> Iterator[Intervention]:
        """All changes as they are to be tried, each with its place in this order taken down."""
        try:
            for place, change in enumerate(self._agenda):
                self._places_in_order[id(change)] = place
                yield change
        except OutOfTime:  # while more of them were listed
            if not self.offered:
                raise
            self.reason = Reason.MAX_TIME

    @property
    def offered(self) -> Sequence[Intervention]:
        """The changes of all lines that were come to."""
        return self._agenda.listed

    @property
    def _fuel(self) -> float:
        """The smallest: a run that crashes says little of how long a right one takes."""
        times = sorted(each.seconds for each in self.passing)
        usual = times[len(times) // 2] if times else 0.0
        return max(LEAST_FUEL, SLOWER * max(usual, min(each.seconds for each in self.failing)))

    def _try_all(
        self, changes: Iterable[Intervention], fuel: float, late: list[Intervention]
    ) -> bool:
        """Try changes, some at a time; those that run out of fuel become ``late``."""
        return self._do(
            partial(self._try_some, test, group, fuel, late)
            for test, group in self._groups(changes, fuel)
        )

    def _do(self, tasks: Iterator[Callable[[], None]]) -> bool:
        """Do what there is to do, some at a time; whether all of it was done."""
        with ThreadPoolExecutor(self._jobs) as pool:
            going: set[Future[None]] = set()
            try:
                while not self._over():
                    for task in islice(tasks, self._jobs - len(going)):
                        going.add(pool.submit(task))
                    if not going:
                        return True
                    done, going = wait(going, LOOKING_SECONDS, return_when=FIRST_COMPLETED)
                    for each in done:
                        self._raise_from(each)
                    self._tell()
            finally:
                if self.stop.requested:  # also where it is cut off: the pool waits for its tasks
                    self._cancel()
        return next(tasks, None) is None

    def _cancel(self) -> None:
        """End what is tried, and show nothing by more runs: each may take all of its fuel."""
        self._cut = True
        self.trials.cancel()

    def _raise_from(self, task: Future[None]) -> None:
        """Raise what a task has raised; but that there was no time for it ends the search."""
        try:
            task.result()
        except OutOfTime:
            self.reason = Reason.MAX_TIME

    def _groups(
        self, changes: Iterable[Intervention], fuel: float
    ) -> Iterator[tuple[Test, list[Intervention]]]:
        """Changes with the quickest failing test that each can matter to, about in their order.

        Those for one test wait for others, as each group takes a process; not if tests are counted.
        """
        waiting: dict[int, tuple[Test, list[Intervention]]] = {}
        patience = AT_ONCE if self._budget.tests is None else 0
        for change in changes:
            concerned = self._concerned(change, self.failing)
            if not concerned:
                continue
            first = min(concerned, key=lambda each: each.seconds)
            full = waiting.get(first.number)
            if full is not None and len(full[1]) >= self._at_once(change, fuel, first):
                yield waiting.pop(first.number)
            others = [number for number in waiting if number != first.number]
            if others and sum(len(group) for _, group in waiting.values()) > patience:
                yield waiting.pop(others[0])
            waiting.setdefault(first.number, (first, []))[1].append(change)
        yield from waiting.values()

    def _at_once(self, change: Intervention, fuel: float, test: Test) -> int:
        """How many are asked for together: few at first, or where each may take long."""
        left = self._budget.tests
        tried = self.ended.total()
        need = self._need(fuel, test)
        # Those that are tried again ran out of fuel before: most do so again.
        each = need if fuel > self._fuel else min(need, self._each)
        seconds = self._budget.seconds
        together = LONGEST if seconds is None else min(LONGEST, seconds)
        most = min(AT_ONCE, 4 + tried // 2, int(together / each))
        most = 1 if change.slow else max(1, most)
        return most if left is None else max(1, min(most, left // 2))

    def _need(self, fuel: float, test: Test) -> float:
        return max(fuel, SLOWER * test.seconds)

    def _try_some(
        self, test: Test, changes: list[Intervention], fuel: float, late: list[Intervention]
    ) -> None:
        """Try changes on one failing test, and those that repair it on the others."""
        need, began = self._need(fuel, test), time.monotonic()
        again: list[tuple[Intervention, Attempt]] = []
        for change, attempt in self.trials.attempts(changes, test, fuel=need):
            if self._cut:
                return  # it was ended by us
            self._spend()
            lost = attempt.ended is not Ended.WHOLE
            self.effects[id(change)] = Effect.LOST if lost else Effect.NOTHING
            if attempt.ended is Ended.FUEL and fuel <= self._fuel:
                late.append(change)
                self.ended[Ended.FUEL] += 1
                continue
            if fuel > self._fuel:  # it has been counted before
                self.ended[Ended.FUEL] -= 1
            self.ended[attempt.ended] += 1
            self._record_failure(change, test, attempt)
            self._found[id(change)] = dict(attempt.found)
            again.append((change, attempt))
        self._each = 2.0 * max((time.monotonic() - began) / len(changes), 1e-4)
        for change, attempt in again:
            self._follow(change, test, attempt, fuel)

    def _record_failure(self, change: Intervention, test: Test, attempt: Attempt) -> None:
        """Take down how a failing test fails with a change, if it does."""
        verdict = attempt.verdicts.get(test.number)
        how = "" if verdict is Verdict.PASSED else attempt.failures.get(test.number)
        if verdict is not None and how is not None:
            self._failures.setdefault(test.number, []).append((change.at, how))

    def _over(self) -> bool:
        if self.reason is Reason.FINISHED:
            if self.stop():
                self.reason = Reason.STOPPED
            elif self._budget.tests == 0:
                self.reason = Reason.MAX_TESTS
            elif (
                (left := self._budget.seconds) is not None
                and left <= KEPT_BACK
                # Who waited that long is told something, if that is soon done.
                and (self.ended.total() >= FIRST or FIRST * self._fuel > KEPT_BACK)
            ):
                self.reason = Reason.MAX_TIME
        return self.reason is not Reason.FINISHED

    def _follow(self, change: Intervention, first: Test, attempt: Attempt, fuel: float) -> None:
        """What becomes of a change that was tried on the quickest failing test."""
        rest = [each for each in self._concerned(change, self.failing) if each is not first]
        if attempt.verdicts.get(first.number) is Verdict.PASSED:
            more = MORE * fuel
            self._judge(change, [first, *(self._passed(change, rest, more) if rest else ())], more)
        elif 0 < len(rest) < MOST_BROKEN:
            self._unrepaired.append((change, rest))

    def _try_rest(self, change: Intervention, rest: list[Test]) -> None:
        repaired = self._passed(change, rest, self._fuel)
        if repaired:
            self._judge(change, repaired, MORE * self._fuel)

    def _judge(self, change: Intervention, righted: Sequence[Test], fuel: float) -> None:
        """Take down a change that repairs these, with what it breaks."""
        others = self._concerned(change, self.passing)
        broken, spoiled, ran = self._broken(change, others, fuel) if others else (0, (), True)
        if self._cut:
            return
        repair = Repair(
            change,
            len(righted),
            len(self.failing),
            broken,
            len(self.passing),
            _names(righted),
            _names(spoiled),
            self._now_found(change, righted),
            ran,
            time.monotonic() - self._started,
        )
        self.effects[id(change)] = effect(repair)
        if repair.counts:
            self._keep(repair)

    def _keep(self, repair: Repair) -> None:
        """Keep a repair; tell of it if none that is known is better, nor as good at its line."""
        with self._keeping:
            known = [each for each in self.repairs if each.ran]
            self.repairs.append(repair)
        if self._tell_found is None or not repair.ran:
            return
        worth = repair.merit[:3]
        if not any(
            each.merit[:3] < worth or (each.change.at, each.merit[:3]) == (repair.change.at, worth)
            for each in known
        ):
            self._tell_found(repair)

    def _now_found(self, change: Intervention, righted: Sequence[Test]) -> tuple[int, int] | None:
        """How many tests there are that nobody knew before, and how many pass."""
        known = self._found.get(id(change), {})
        found = [known[each.number] for each in righted if each.number in known]
        return (sum(n for n, _ in found), sum(n for _, n in found)) if found else None

    def _try_others(self) -> bool:
        """Try what did not repair the quickest failing test on the others."""
        return self._do(partial(self._try_rest, *each) for each in self._unrepaired)

    def _concerned(self, change: Intervention, tests: Sequence[Test]) -> list[Test]:
        """The tests that a change can matter to: those that come to its statement."""
        if change.slow:
            return list(tests)
        file = change.at.file
        places = {Line(file, line) for line in range(change.first, change.end + 1)}
        return [each for each in tests if not places.isdisjoint(each.lines)]

    def _passed(self, change: Intervention, tests: Sequence[Test], fuel: float) -> list[Test]:
        """Which of other failing tests pass."""
        attempt = self.trials.attempt(
            change, tests, fuel=fuel + SLOWER * sum(each.seconds for each in tests), stop=len(tests)
        )
        self._spend()
        if self._cut:
            return []
        self._found.setdefault(id(change), {}).update(attempt.found)
        return [each for each in tests if attempt.verdicts.get(each.number) is Verdict.PASSED]

    def _broken(
        self, change: Intervention, tests: list[Test], fuel: float
    ) -> tuple[int, Sequence[Test], bool]:
        """How many tests do not pass any more, if it is not too many: then at least so many.

        And those that came to their end so, and whether all ran that had to.
        """
        tests.sort(key=lambda each: each.seconds)
        attempt = self.trials.attempt(
            change,
            tests,
            fuel=fuel + SLOWER * sum(each.seconds for each in tests),
            stop=MOST_BROKEN,
        )
        self._spend()
        passed = sum(verdict is Verdict.PASSED for verdict in attempt.verdicts.values())
        spoiled = [
            each
            for each in tests
            if attempt.verdicts.get(each.number, Verdict.PASSED) is not Verdict.PASSED
        ]
        if attempt.ended is Ended.WHOLE and len(attempt.verdicts) < len(tests):
            # Enough have failed.
            return len(attempt.verdicts) - passed, spoiled, False
        return len(tests) - passed, spoiled, True

    def _spend(self) -> None:
        self.runs += 1
        self._budget.spend()

    def _tell(self) -> None:
        if self._progress is not None:
            tried = self.ended.total()
            self._progress(
                Progress(
                    name="suspects",
                    stage="searching",
                    tests=self.runs,
                    best=len(self.offered) - tried,
                    of=len(self.offered),
                    to_do=len(self.offered) - tried,
                    seconds=time.monotonic() - self._started,
                    stopping=self.stop.requested,
                    noun="changes",
                )
            )

    # --- the answer

    def result(self, program: str) -> SuspectsResult:
        """What was found."""
        other = altered(self._failures.values())
        # Whether there are changes of lines that were not come to, nobody knows.
        once = self._once & {*(each.at for each in self.offered), *self._agenda.unlisted}
        self.lines = sorted({*self.lines, *once})
        self.spectrum = spectrum(self.tests, self.lines, self.trials.imported)
        ranking = ranked(self.lines, self.repairs, self.spectrum["ochiai"], other, self._traceback)
        places = list(self._places([Line(each.file, each.line) for each in ranking]))
        names = {each.number: each.name for each in self.tests}
        counted = {each.number for each in (*self.failing, *self.passing)}
        return SuspectsResult(
            format="stripe-suspects-result",
            version=SUSPECTS.version,
            program=program,
            places=tuple(places),
            ranking=tuple(map(self._ranked, ranking)),
            lines=tallies(self.offered, self.effects),
            failing=tuple(each.name for each in self.failing),
            passing=tuple(each.name for each in self.passing),
            left_out=tuple(name for number, name in names.items() if number not in counted),
            changes=Changes(
                len(self.offered), self.ended.total(),
                **{each.name.lower(): self.ended[each] for each in Ended},
            ),
            runs=self.runs,
            stopped=self.reason,
            seconds=time.monotonic() - self._started,
            first_place=min((each.seconds for each in self.repairs if each.ran), default=None),
            final_place=self._final(places),
            code=(),
            slice=None,
            sandbox=self.trials.layer.described,
            notes=tuple(self._notes(places)),
        )  # fmt: skip

    def _final(self, places: Sequence[Place]) -> float | None:
        """After how many seconds a change of the first place was known that is as good as told."""
        if not places:
            return None
        at = Line(places[0].file, places[0].line)
        here = [each for each in self.repairs if each.ran and each.change.at == at]
        best = min(each.merit for each in here)
        return min(each.seconds for each in here if each.merit == best)

    def _ranked(self, suspect: Suspect) -> Ranked:
        scores = {name: found[suspect.at] for name, found in self.spectrum.items()}
        finite = {name: None if each == math.inf else each for name, each in scores.items()}
        return Ranked(
            suspect.file, suspect.line, suspect.rank, suspect.repairs, slice=None, **finite
        )

    def _places(self, order: Sequence[Line]) -> Iterator[Place]:
        by_line: dict[Line, list[Repair]] = {}
        told = (each for each in self.repairs if each.ran)
        # Those that are as good in the order of changes, not in that in which runs ended.
        position = self._places_in_order
        for repair in sorted(told, key=lambda each: (each.merit, position[id(each.change)])):
            by_line.setdefault(repair.change.at, []).append(repair)
        # The same statement, put in at several lines, is one place.
        places = {
            _insertion(by_line[line][0].change) or line: line
            for line in reversed(order)
            if line in by_line
        }
        for line in islice((each for each in order if each in {*places.values()}), PLACES):
            best, *others = by_line[line]
            test = min(self._concerned(best.change, self.failing), key=lambda each: each.seconds)
            fuel = min(MORE * self._fuel, max(SHOWING, SLOWER * test.seconds))
            shown = self.trials.show(best.change, test, fuel=fuel)
            yield place_of(best, shown, sum(each.merit == best.merit for each in others))

    def _notes(self, places: Sequence[Place]) -> Iterator[str]:
        yield from self.trials.notes
        few = len(self.passing)
        if places and few == 0:
            yield (
                "There is no passing test: that a change turns the failing run right proves "
                "little, as one that spoils all else would do so, too. Add runs that are right "
                "(--cases, or more tests)."
            )
        elif places and few < 3:
            yield (
                f"With {few} passing test{'s' * (few > 1)}, that a change breaks none proves "
                "little. Add tests that pass."
            )
        yield from self._left()
        if not places and self.ended.total() >= FIRST and self._without_effect():
            yield (
                f"None of the {self.ended.total():,} changes that were tried made any difference "
                "to how a test fails: perhaps what fails is not what the changed code does (a file "
                "or a program that it makes, a copy of it elsewhere). That nothing repairs it "
                "could not be tried."
            )
        elif not self.offered and not self._agenda.unlisted:
            yield "What the failing tests execute has nothing that a small change is made of."
        elif not places and self.ended.total():
            yield (
                "No single small change that was tried makes a failing test pass without breaking "
                "much else: the lines are about in the order of the spectrum. What is wrong may "
                "take more than one change, or a larger one."
            )

    def _without_effect(self) -> bool:
        """Whether every test has failed in one and the same way with all changes."""
        ended = self.ended.total() == self.ended[Ended.WHOLE] + self.ended[Ended.INVALID]
        ways = (len({how for _, how in found}) for found in self._failures.values())
        return ended and bool(self._failures) and max(ways) == 1

    def _left(self) -> Iterator[str]:
        """What was not done when the search ended, if anything was not."""
        of = len(self.offered)
        lines = len(self._agenda.unlisted)
        if (rest := of - self.ended.total()) or lines:
            which = f"{lines:,} less suspicious line{'s' * (lines > 1)}"
            more = f", nor were those of {which} listed" if lines else ""
            yield f"Not all was tried: {rest:,} of {of:,} changes were not{more}."
        elif self._other_tests_left and self._unrepaired:
            yield (
                "All changes were tried on the quickest failing test that comes to them; those "
                "that do not repair it were not all tried on the other failing tests."
            )
        elif self._late_left:
            yield (
                f"{self._late_left:,} of {of:,} changes ran out of processor time, and were not "
                "all tried again with more."
            )


def _insertion(change: Intervention) -> tuple[str, str, str] | None:
    """What a change puts in, and in which function; ``None`` if it does not."""
    if not change.words.startswith("insert "):
        return None
    return change.at.file, change.function, change.words.rpartition("` ")[0]


def _names(tests: Iterable[Test]) -> tuple[str, ...]:
    return tuple(each.name for each in sorted(tests, key=lambda each: each.number))

"""Why one run fails and another does not: the whole search, and its answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

from stripe.backend import Backend, Observation, Target, choose_backend
from stripe.campaign.allowance import Allowance
from stripe.campaign.campaign import Campaign
from stripe.campaign.progress import Progress
from stripe.checks import Check, Criterion, default_check, parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError
from stripe.snapshots import Backtrace, Moment, Run, Snapshot, Stateful
from stripe.states.chain import Chain, spread
from stripe.states.isolating import NEITHER, Cause, Isolation, Judges, quiet
from stripe.states.moments import Match, matches
from stripe.states.result import CausesResult
from stripe.stopping import StopFlag, stop_on_interrupt

MOMENTS = 20_000
"""Moments of a run that are looked at."""

SAMPLE = 24
"""Moments whose states are taken in one run, spread over the run."""

PROBES = 24
"""Moments that are tried from the end of a run on."""


@dataclass(frozen=True, slots=True)
class Input:
    """What a run is given."""

    arguments: tuple[str, ...] = ()
    stdin: bytes = b""
    text: str = ""


def find_causes(
    program: str | os.PathLike[str],
    *,
    failing: Input,
    passing: Input,
    check: str | Sequence[str] = (),
    at: Moment | None = None,
    module: bool = False,
    directory: str | os.PathLike[str] | None = None,
    python: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    timeout: float | None = None,
    unsafe: bool = False,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
    backend: Backend | None = None,
) -> CausesResult:
    """Find the variables that make one run of a program fail while another passes.

    Args:
        program: what is run; with ``module``, the name of one.
        failing, passing: what both runs are given.
        check: what is the failure, in the form of ``--check``; by default the uncaught exception
            if there is one, else standard output.
        at: look at this moment alone; by default along the whole run.
        directory: where the program runs; by default here. It runs in copies of it.
        python: the interpreter; by default this one.
        include, exclude: globs over source paths: what counts as the user's code.
        timeout: seconds one run may take.
        unsafe: go on where there is no sandbox.
        max_tests, max_time: end with what is found after so many tests, or seconds.
        jobs: tests at a time.
        progress: called after each test.
        backend: what runs the program; by default the first that can.

    Returns:
        The causes by moment, and the transitions between them.

    Raises:
        UsageError: the request cannot be understood; ``no-states``, ``no-moment``.
        NotReducible: ``passing-fails``, ``no-cause``, ``nondeterministic``.
    """
    spec = check if isinstance(check, str) else "+".join(check)
    judge = parse_check(spec, unsafe=unsafe) if spec else None
    if judge is not None and judge.probes:
        raise UsageError(
            "bad-check",
            f"The check {judge.spec!r} looks at a variable, which is what this search changes.",
            "Name something that the program does: --check stdout, exception or exit.",
        )
    campaign = Campaign(
        "causes",
        allowance=Allowance(max_tests, max_time),
        stop=StopFlag(),
        jobs=jobs,
        progress=progress,
    )

    def target(given: Input) -> Target:
        return Target(
            program=os.fspath(program),
            arguments=given.arguments,
            module=module,
            directory=Path.cwd() if directory is None else Path(directory).absolute(),
            stdin=given.stdin,
            python=python,
            include=tuple(include),
            exclude=tuple(exclude),
            timeout=timeout,
            jobs=jobs,
            unsafe=unsafe,
        )

    chosen = backend or choose_backend(target(failing))
    if not isinstance(chosen, Stateful):
        raise UsageError(
            "no-states",
            f"The backend {chosen.name!r} cannot look at states and change them.",
            "stripe causes is for Python programs.",
        )
    with ExitStack() as stack:
        runs = [
            stack.enter_context(closing(chosen.run(target(each)))) for each in (failing, passing)
        ]
        search = _Search(runs[0], runs[1], judge, campaign)
        campaign.stop = stack.enter_context(stop_on_interrupt())
        search.run(at)
        return search.result(os.fspath(program), failing, passing, target(failing).directory)


class _Search:
    """Both runs, the moments they have in common, and what is found there."""

    def __init__(self, failing: Run, passing: Run, check: Check | None, campaign: Campaign) -> None:
        self.failing, self.passing, self.campaign = failing, passing, campaign
        with failing.looked(MOMENTS) as (observation, moments):
            self.check = check or default_check(observation)
            criterion = self.check.reference(observation)
        with passing.looked(MOMENTS) as (observation, others):
            self.judges = _judges(self.check, criterion, observation)
        self.moments: Sequence[tuple[Moment, Backtrace]] = moments
        self.cut = len(moments) >= MOMENTS or len(others) >= MOMENTS
        self.matches = matches(moments, others)
        self._states: dict[tuple[bool, Moment], Snapshot] = {}
        self._isolations: dict[int, Isolation | None] = {}
        self.chain = Chain(self._cause, lambda: campaign.over)

    def run(self, at: Moment | None) -> None:
        """Search, at one moment or along the run."""
        if at is not None:
            index = self._index(at)
            if self.chain.cause(index) is None and not self.campaign.over:
                raise _no_cause(self._at(index), f"at {at}")
            return
        sample = spread(range(len(self.matches)), SAMPLE)
        self._take(sample)
        first = next((each for each in sample if self._usable(each)), None)
        if first is None:
            if self.campaign.over:
                return
            raise _no_cause(None, "at any moment that both runs come to")
        place = sample.index(first)
        low = sample[place - 1] if place else first - 1
        while first - low > 1:  # it may be usable before the sample shows it
            middle = (low + first) // 2
            low, first = (low, middle) if self._usable(middle) else (middle, first)
        self.chain.search(first, self._last(range(first, len(self.matches))))

    def _last(self, later: Sequence[int]) -> int:
        """About the last moment that can be used; the first of them can.

        Not every one before can: what a loop goes over may be in no variable. So some are tried
        from the end on, and then those behind the first of these that can.
        """
        probes = spread(later, PROBES)
        for number in range(len(probes) - 1, -1, -1):
            if number == 0 or self._usable(probes[number]):
                low = probes[number]
                high = probes[number + 1] if number + 1 < len(probes) else low + 1
                break
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._usable(middle) else (low, middle)
        return low

    def result(self, program: str, failing: Input, passing: Input, directory: Path) -> CausesResult:
        """The answer."""
        chain = self.chain.found
        campaign = self.campaign
        return CausesResult(
            program=program,
            failing=failing.text,
            passing=passing.text,
            check=self.check.spec,
            chain=tuple(chain),
            transitions=tuple(self.chain.transitions),
            moments=len(self.moments),
            matched=len(self.matches),
            outcomes=dict(campaign.counts),
            undecided=campaign.undecided.counts,
            certified=not campaign.over and all(each.certified for each in chain),
            stopped=campaign.reason,
            seconds=campaign.seconds,
            source=_lines(chain, directory),
            notes=tuple(self._notes()),
        )

    def _notes(self) -> list[str]:
        notes = list(self.failing.notes)
        if 2 * self.campaign.undecided.counts.get(NEITHER, 0) > self.campaign.tests:
            notes.append(
                f"The check {self.check.spec!r} could not tell what most tests came to, as values "
                "of two inputs were mixed: more variables may be told than matter. One for what is "
                "wrong with any input tells more: --check 'cmd:COMMAND' fails where the command "
                "ends with 0."
            )
        if self.cut:
            notes.append(f"Only the first {MOMENTS:,} lines of a run are looked at.")
        unseen: dict[str, int] = {}
        refused: dict[str, None] = {}
        for isolation in filter(None, self._isolations.values()):
            for state in isolation.states:
                for kind, count in state.unseen.items():
                    unseen[kind] = max(count, unseen.get(kind, 0))
            for delta in isolation.groups.left_out:
                refused.setdefault(delta.name)
        if unseen:
            told = ", ".join(f"{count} {kind}" for kind, count in sorted(unseen.items()))
            notes.append(f"Not looked into, and never changed: {told}.")
        if refused:
            some = list(refused)
            more = f" and {len(some) - 5} more" if len(some) > 5 else ""
            notes.append(
                f"Different, but cannot be made in the other run: {', '.join(some[:5])}{more}."
            )
        return notes

    # --- inside

    def _index(self, at: Moment) -> int:
        for index, match in enumerate(self.matches):
            if match.failing == at:
                return index
        there = any(moment == at for moment, _ in self.moments)
        raise UsageError(
            "no-moment",
            f"The failing run comes to {at}, but the passing run is never there with the same "
            "calls on the stack."
            if there
            else f"The failing run never comes to {at}.",
            "Name another line, or the n-th time it is executed: --at FILE:LINE#N.",
        )

    def _take(self, indices: Sequence[int]) -> None:
        """Look at states, all in one run."""
        for run, which in ((self.passing, False), (self.failing, True)):
            wanted = [
                moment
                for index in indices
                if (which, moment := self._moment(index, which)) not in self._states
            ]
            if wanted:
                for moment, state in run.states(wanted).items():
                    self._states[which, moment] = state

    def _moment(self, index: int, failing: bool) -> Moment:
        match = self.matches[index]
        return match.failing if failing else match.passing

    def _at(self, index: int) -> Isolation | None:
        if index not in self._isolations:
            self._take([index])
            match: Match = self.matches[index]
            passing = self._states.get((False, match.passing))
            failing = self._states.get((True, match.failing))
            self._isolations[index] = (
                None
                if passing is None or failing is None
                else Isolation(self.passing, match, passing, failing, self.judges, self.campaign)
            )
        return self._isolations[index]

    def _usable(self, index: int) -> bool:
        isolation = None if self.campaign.over else self._at(index)
        return isolation is not None and isolation.usable()

    def _cause(self, index: int) -> Cause | None:
        isolation = self._at(index)
        return None if isolation is None else isolation.isolate()


def _judges(check: Check, failing: Criterion, observation: Observation) -> Judges:
    """What says which of both runs another is like; ``observation`` is the passing one.

    Raises:
        NotReducible: ``passing-fails``.
    """
    passing = None
    with suppress(NotReducible):
        passing = check.reference(observation)
    if failing.judge(observation) is Outcome.FAIL:
        raise NotReducible(
            "passing-fails",
            "The run that should pass fails as the other one does, as far as the check can tell.",
            "Give --pass something for which the program is right; --check says what the failure "
            "is.",
        )
    judges = Judges(failing, passing, quiet(observation))
    if judges.judge(observation) is not Outcome.PASS:
        raise NotReducible(
            "passing-fails",
            "The run that should pass ends in a way of its own, which is neither the failure nor "
            "a success.",
            "Give --pass something with which the program comes to its end well.",
        )
    return judges


def _no_cause(isolation: Isolation | None, where: str) -> NotReducible:
    equal = isolation is not None and not isolation.difference.deltas
    return NotReducible(
        "no-cause",
        f"Both states are equal {where}."
        if equal
        else f"No state of the failing run makes the passing one fail, {where}.",
        "The cause is not in variables that can be seen and changed there: perhaps in files, in "
        "what was printed already, or in objects of C. Another --at, or another --pass that is "
        "more like --fail, may help.",
    )


def _lines(chain: Sequence[Cause], directory: Path) -> dict[tuple[str, int], str]:
    found = {}
    for cause in chain:
        file, line = cause.match.failing[:2]
        with suppress(OSError, IndexError):
            text = (directory / file).read_text("utf-8", "replace").splitlines()[line - 1]
            found[file, line] = text.strip()
    return found

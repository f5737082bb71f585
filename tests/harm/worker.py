"""STRIPE at work on a harmful program: recorded, searched, and executed partially at random.

Runs in a child of the jail's process 1, at the sacrificial terminal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stripe.backend import Recording, Target, choose_backend
from stripe.checks import parse_checks
from stripe.errors import BackendError, NotReducible, StripeError, UsageError
from stripe.reduce import Result, Settings, reduce
from stripe.trace import NONE
from tests.harm.programs import Program

SECONDS = 3.0
"""A partial execution that hangs is ended after these."""

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True)
class Plan:
    """What is tried with each program, in both control modes.

    ``algorithms``: searches of at most ``tests`` tests; with ``every``, only each so-manieth
    program is searched, by one of them in turn; of the ``engines`` each has one program in turn, if
    there are any.  ``singles``: up to so many replays that
    leave out one event (and what needs it); ``random``: so many random configurations.
    ``together``: the world is looked at after all of these only.
    ``bare``: nothing of that: STRIPE is not used at all (``tests.harm.bare``).
    """

    layer: str = ""
    algorithms: tuple[str, ...] = ("auto",)
    every: int = 0
    controls: tuple[str, ...] = ("trace", "program")
    tests: int = 12
    singles: int = 24
    random: int = 4
    seed: int = 1
    engine: str | None = None
    engines: tuple[str, ...] = ()
    together: bool = False
    bare: bool = False

    def of(self, number: int) -> Plan:
        """The plan for one program of a row."""
        if self.engines:
            engine = self.engines[number % len(self.engines)]
            return replace(self, engine=engine, engines=()).of(number)
        if not self.every:
            return self
        turn, rest = divmod(number, self.every)
        searches = () if rest else (self.algorithms[turn % len(self.algorithms)],)
        return replace(self, algorithms=searches)


type Say = Callable[[str, str], None]
"""Told a step and how it went, while everything of it has ended or waits."""


def work(program: Program, folder: Path, plan: Plan, say: Say) -> None:
    """Record and replay a program that stands in ``folder``."""
    target = Target(
        program=program.file,
        directory=folder,
        timeout=SECONDS,
        engine=plan.engine if program.language == "c" else None,
    )
    try:
        recording = choose_backend(target).record(target)
    except StripeError as error:
        say("record", describe(error))
        return
    try:
        say("record", "recorded")
        for control in plan.controls:
            for algorithm in plan.algorithms:
                say(f"{control} {algorithm}", search(recording, program, control, algorithm, plan))
            ends = []
            for number, events in enumerate(configurations(recording, control, plan), 1):
                ends.append(replay(recording, control, events))
                if not plan.together:
                    say(f"{control} configuration {number}", ends[-1])
            if plan.together:
                say(f"{control} configurations", " ".join(ends))
    finally:
        recording.close()


def search(recording: Recording, program: Program, control: str, algorithm: str, plan: Plan) -> str:
    """One search; how it went."""
    settings = Settings(control, algorithm, max_tests=plan.tests)
    try:
        result = reduce(recording, parse_checks([program.check]), settings)
    except StripeError as error:
        return describe(error)
    missing = sorted(program.keep - kept_lines(result))
    if missing and result.slices[0].verified and control == "trace":
        return f"false certificate: a verified slice without lines {missing}"
    return f"slice of {len(result.slices[0].events)}"


def kept_lines(result: Result) -> set[int]:
    """The lines of the slice."""
    trace = result.trace
    return {trace.statements[trace.statement[event]].line for event in result.slices[0].events}


def configurations(recording: Recording, control: str, plan: Plan) -> Iterator[tuple[int, ...]]:
    """Configurations closed under parents: all but one event, then random ones."""
    trace, strict = recording.trace, control == "program"
    everything = range(len(trace))
    chance = random.Random(plan.seed)
    depth = depths(trace.caller)
    # What goes astray is what the program's own body does, more than what it calls.
    singles = sorted(everything, key=lambda each: (depth[each], chance.random()))
    for single in sorted(singles[: plan.singles]):
        yield trace.close((each for each in everything if each != single), control=strict)
    for _ in range(plan.random):
        share = chance.choice(SHARES)
        yield trace.close((each for each in everything if chance.random() < share), control=strict)


def depths(caller: Sequence[int]) -> list[int]:
    """For each event, how many calls it is away from the program's own body."""
    found: list[int] = []
    for each in caller:
        found.append(0 if each == NONE else found[each] + 1)
    return found


def replay(recording: Recording, control: str, events: tuple[int, ...]) -> str:
    """One partial execution; how it ended."""
    try:
        with recording.replay(events, strict=control == "program") as observation:
            return observation.end.name
    except StripeError as error:
        return describe(error)


def describe(error: StripeError) -> str:
    """The kind of error, and what it says."""
    kinds = (UsageError, NotReducible, BackendError)
    kind = next((each for each in kinds if isinstance(error, each)), type(error))
    return f"{kind.__name__} {error.slug}: {error.message}"

"""A check, and the criterion it becomes once a recorded run is known.

The rule for every outcome, in this order (Cleve & Zeller 2000, section 3; POSIX 1003.3):

1. UNRESOLVED: the run has no result of its own (time limit, waiting for ever, left the recorded
   path, kept from doing harm), or it crashed in a way the recorded run did not, *even if what
   the check looks at is the same*.  Otherwise a search could slip from one failure to another.
   An exception that another event of the same statement raised is such a way, where events are
   known; so is one that the same event came to otherwise: another expression of it raised the
   exception, another instruction or library got the signal, it was aborted with other last words.
2. FAIL: every part of the check is the same as in the recorded run.
3. UNRESOLVED: nothing at all was printed, while the recorded run did print; or a part says so.
4. PASS: anything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from stripe.backend import End, Observation, Probe, UncaughtException
from stripe.checks.part import EXCEPTION, Judge, Part, Place, Shown
from stripe.dd import Outcome
from stripe.errors import NotReducible

NO_RESULT = (
    End.TIMEOUT, End.DIVERGED, End.DIFFERED, End.BLOCKED, End.HARMFUL, End.CANCELLED,
)  # fmt: skip
"""Ends of runs that have no result of their own."""


@dataclass(frozen=True, slots=True)
class Check:
    """What must stay the same: all of its ``parts``.  ``name`` heads its column in reports."""

    name: str
    parts: tuple[Part, ...]

    @property
    def spec(self) -> str:
        """The check as text that :func:`stripe.checks.parse_check` understands."""
        return "+".join(part.spec for part in self.parts)

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The variables a recorder must observe for this check, without duplicates."""
        return tuple(dict.fromkeys(probe for part in self.parts for probe in part.probes))

    @property
    def places(self) -> tuple[Place, ...]:
        """Where its parts look."""
        return tuple(place for part in self.parts for place in part.places)

    @property
    def hang(self) -> bool:
        """Whether it is about a program that does not end, in which conditions have a say."""
        return any(part.hang for part in self.parts)

    @property
    def of_exception(self) -> bool:
        """Whether it is about the uncaught exception."""
        return any(place.location == EXCEPTION for place in self.places)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it reads beside what a run leaves: its answer rests on them.

        Those in the working directory are relative to it.
        """
        return tuple(dict.fromkeys(path for part in self.parts for path in part.files))

    @property
    def commands(self) -> tuple[str, ...]:
        """The shell commands that it runs."""
        return tuple(command for part in self.parts for command in part.commands)

    def reference(self, recorded: Observation) -> Criterion:
        """The criterion "the same as in ``recorded``".

        Call it while ``recorded.directory`` is valid.  Raises
        :class:`~stripe.errors.NotReducible` if the check never matches in the recorded run.
        """
        try:
            judges = tuple(part.reference(recorded) for part in self.parts)
        except NotReducible as error:
            if recorded.end is not End.EXITED or not recorded.detail:
                raise
            message = f"{error.message} {recorded.detail}"
            raise NotReducible(error.slug, message, error.hint) from None
        seen = [part.compared(recorded) for part in self.parts]
        evidence = sha256(repr(seen).encode("utf-8", "surrogateescape")).hexdigest()
        shown = tuple(
            Shown.by(part.label, what)
            for part, what in zip(self.parts, seen, strict=True)
            if part.label and what is not None
        )
        return Criterion(self, recorded, judges, evidence, shown)


@dataclass(frozen=True, slots=True)
class Criterion:
    """A check held against a recorded run: the judge of partial runs.

    ``evidence`` is a digest of all that is compared: two recorded runs with the same evidence
    show the same behaviour, as far as the check looks at it.  ``shown`` is the beginning of it, for
    people.
    """

    check: Check
    recorded: Observation
    judges: tuple[Judge, ...]
    evidence: str
    shown: tuple[Shown, ...] = ()

    @property
    def name(self) -> str:
        """The name of the check."""
        return self.check.name

    def judge(self, observation: Observation) -> Outcome:
        """FAIL if the criterion is reproduced; the rule is in the module's docstring.

        The observation's directory must still be valid.
        """
        if observation.end in NO_RESULT:
            return Outcome.UNRESOLVED
        if _crashed_otherwise(observation, self.recorded):
            return Outcome.UNRESOLVED
        verdict = Outcome.FAIL
        for judge in self.judges:
            outcome = judge(observation)
            if outcome is not Outcome.FAIL:
                verdict = outcome
                break
        if verdict is Outcome.PASS and silent(observation) and not silent(self.recorded):
            return Outcome.UNRESOLVED
        return verdict

    def difference(self, observation: Observation) -> str:
        """What a run does otherwise than the recorded one, the first of it, as a clause.

        Empty where that cannot be told.  The observation's directory must still be valid.
        """
        if observation.end in NO_RESULT:
            return f"the run {observation.end.value}"
        if _crashed_otherwise(observation, self.recorded):
            then, now = (_told_crash(each) for each in (self.recorded, observation))
            return f"the recorded run ended with {then}, this one with {now}"
        shown = iter(self.shown)
        for part, judge in zip(self.check.parts, self.judges, strict=True):
            told = next(shown, None) if part.label else None
            if judge(observation) is Outcome.FAIL:
                continue
            if told is None:  # no label: it is not of a file, and small
                before, after = part.compared(self.recorded), part.compared(observation)
                return "" if before == after else f"{part.spec} was {before!r}, and is {after!r}"
            other = Shown.by(part.label, part.compared(observation))
            for number, (then, now) in enumerate(zip(told.lines, other.lines, strict=False), 1):
                if then != now:
                    return f"line {number} of {told.what} was {then!r}, and is {now!r}"
            if told.of != other.of:
                return f"{told.what} had {told.of} lines, and has {other.of}"
        return ""


def _told_crash(observation: Observation) -> str:
    """A crash in a few words."""
    raised = observation.exception
    if raised is None:
        ended = "signal" if observation.end is End.SIGNAL else "exit status"
        return f"{ended} {observation.status}"
    return f"{raised.type} in line {raised.line} of {raised.file}"


def silent(observation: Observation) -> bool:
    """Whether the run printed nothing at all."""
    return not observation.stdout and not observation.stderr


def _crashed_otherwise(observation: Observation, recorded: Observation) -> bool:
    """Whether ``observation`` ended in a crash that is not the one of the recorded run."""
    if observation.end is End.SIGNAL:
        return (
            recorded.end is not End.SIGNAL
            or observation.status != recorded.status
            or observation.fault != recorded.fault
        )
    if observation.exception is None:
        return False
    if recorded.exception is None:
        return True
    return (
        _crash(observation.exception) != _crash(recorded.exception)
        or recorded.exception.event not in (None, observation.exception.event)
        or observation.fault != recorded.fault
    )


def _crash(exception: UncaughtException) -> tuple[object, ...]:
    """What tells one crash from another, its event aside: type and statement, not the message."""
    if exception.statement is not None:
        return (exception.type, exception.statement)
    return (exception.type, exception.file, exception.line)

"""Whether a slice found earlier still holds, for the program as it is now.

The program is recorded anew.  The kept events are looked up in the new trace, replayed in a
fresh process, and left out one by one: the certificate of the search, once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from stripe import dd
from stripe.backend import Recording
from stripe.campaign.progress import ProgressListener
from stripe.checks import Check, Criterion, parse_check
from stripe.dd import Outcome, Tester, certify
from stripe.errors import NotReducible
from stripe.interrupts import stop_on_interrupt
from stripe.reduce import levels
from stripe.reduce.alignment import Alignment, align
from stripe.reduce.common_parts import opcodes
from stripe.reduce.preconditions import ensure_not_trivial, ensure_reproducible
from stripe.reduce.replays import Replays
from stripe.reduce.result import CriticalSlice, RecordedRun, Result
from stripe.reduce.settings import Settings
from stripe.trace import Trace
from stripe.trace.levels import LEVELS


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one slice.

    - ``behaviour``: the check sees what it saw then
    - ``missing``: kept events (as ``line_time`` of then) that the new run does not have
    - ``added``: events (of now) without which the kept ones cannot happen any more
    - ``reproduced``: the kept events alone show the behaviour of now; ``None``: not tried
    - ``needless``: kept events (of now) that can be left out by now, alone or as units of the
      ``level`` that the slice was searched at; ``None``: not tried
    - ``reason``: why something could not be tried
    """

    name: str
    check: str
    kept: int
    behaviour: bool
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    reproduced: bool | None = None
    needless: tuple[str, ...] | None = None
    reason: str = ""
    level: str = LEVELS[-1]

    @property
    def holds(self) -> bool:
        """Same behaviour, same events, and none of them can be left out."""
        return (
            self.behaviour
            and not self.missing
            and not self.added
            and self.reproduced is True
            and self.needless == ()
        )

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain JSON data."""
        return {
            "name": self.name,
            "check": self.check,
            "kept": self.kept,
            "holds": self.holds,
            "behaviour": self.behaviour,
            "missing": list(self.missing),
            "added": list(self.added),
            "reproduced": self.reproduced,
            "needless": None if self.needless is None else list(self.needless),
            "reason": self.reason,
            "level": self.level,
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """The answer of :func:`stripe.verify`.

    - ``changed``: source files that differ, and the number of lines that do
    - ``events``: how many of the ``of`` recorded events the new run has as well
    - ``parted``: the event (of then) after which the runs take different courses
    - ``streams``: which of ``stdout`` and ``stderr`` differ as a whole
    - ``verdicts``: one for each slice
    - ``interrupted``: the user ended it early
    """

    changed: tuple[tuple[str, int], ...]
    events: int
    of: int
    parted: str | None
    streams: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    interrupted: bool = False

    @property
    def holds(self) -> bool:
        """Whether every slice holds."""
        return all(each.holds for each in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain JSON data."""
        return {
            "format": "stripe-verification",
            "version": 1,
            "holds": self.holds,
            "interrupted": self.interrupted,
            "changed": [{"path": path, "lines": lines} for path, lines in self.changed],
            "events": {"matched": self.events, "of": self.of, "parted": self.parted},
            "streams": list(self.streams),
            "slices": [each.to_json() for each in self.verdicts],
        }


def verify(
    result: Result,
    recording: Recording,
    settings: Settings,
    progress: ProgressListener | None = None,
) -> Verification:
    """Try the slices of ``result`` again on a new ``recording`` of the same program.

    Raises :class:`~stripe.errors.NotReducible` if the new run cannot be replayed honestly.
    """
    with settings.deadline.cutting():
        alignment = align(result.trace, recording.trace)
        unsafe = result.target is not None and result.target.unsafe
        parsed = [named(each, unsafe=unsafe) for each in result.slices]
        # All references first: the recorded run's directory is valid until the first replay.
        references: list[Criterion | NotReducible] = []
        for check in parsed:
            try:
                references.append(check.reference(recording.recorded))
            except NotReducible as error:
                references.append(error)
        criteria = [each for each in references if isinstance(each, Criterion)]
        settings.deadline.start_phase("replaying all of it")
        ensure_reproducible(recording, criteria, strict=settings.strict)
    with stop_on_interrupt() as stop:
        budget, left = settings.budget(), len(criteria)
        verdicts = []
        for found, criterion in zip(result.slices, references, strict=True):
            if isinstance(criterion, NotReducible):
                reason = criterion.message
                verdicts.append(
                    Verdict(found.name, found.check, len(found.events), False, reason=reason)
                )
                continue
            share = budget.share(left)
            left -= 1
            modes = replace(settings, values="same" if found.same else "free")
            replays = Replays(recording, criterion, modes, share, stop=stop, progress=progress)
            verdicts.append(Attempt(result.trace, recording, alignment, replays)(found))
    return Verification(
        changed=_changed_files(result.trace, recording.trace),
        events=len(alignment.events),
        of=len(result.trace),
        parted=None if alignment.parted is None else result.trace.name(alignment.parted),
        streams=_changed_streams(result, recording),
        verdicts=tuple(verdicts),
        interrupted=stop.requested,
    )


def named(found: CriticalSlice, *, unsafe: bool = False) -> Check:
    """The check of a slice, under its name."""
    return replace(parse_check(found.check, unsafe=unsafe), name=found.name)


class Attempt:
    """Tries one slice on the new recording."""

    def __init__(
        self, old: Trace, recording: Recording, alignment: Alignment, replays: Replays
    ) -> None:
        self.old = old
        self.new = recording.trace
        self.alignment = alignment
        self.replays = replays
        self.control = partial(
            ensure_not_trivial, recording, [replays.criterion], strict=replays.strict
        )

    def __call__(self, found: CriticalSlice) -> Verdict:
        behaviour = self.replays.criterion.evidence == found.evidence
        known = self.alignment.events
        missing = tuple(self.old.name(event) for event in found.events if event not in known)
        about = (found.name, found.check, len(found.events), behaviour, missing)
        if missing:
            return Verdict(*about, reason="the new run does not have all of its events")
        kept = {known[event] for event in found.events}
        events = self.with_parents(kept)
        added = tuple(self.new.name(event) for event in events if event not in kept)
        self.replays.campaign.tell("verifying", self.replays.problem)
        reproduced = self.replays.verify(events)
        if not reproduced:
            return Verdict(*about, added, reproduced)
        needless, reason = self.needless(events, found.level)
        return Verdict(*about, added, True, needless, reason, found.level)

    def with_parents(self, kept: set[int]) -> tuple[int, ...]:
        """``kept`` and all that it cannot happen without, in order."""
        control = self.replays.strict
        found: set[int] = set()
        pending = list(kept)
        while pending:
            event = pending.pop()
            if event not in found:
                found.add(event)
                pending.extend(self.new.parents(event, control=control))
        return tuple(sorted(found))

    def needless(self, events: tuple[int, ...], level: str) -> tuple[tuple[str, ...] | None, str]:
        """What can be left out of ``events`` by single units of a level; why that is not known."""
        campaign, problem = self.replays.campaign, self.replays.problem
        outcome = campaign.test(problem, events)
        if outcome is None:
            return None, f"no removal was tried ({campaign.reason.value})"
        if outcome is not Outcome.FAIL:
            return None, "the slice reproduces in a fresh process only"

        def prove(_: Sequence[int], tester: Tester[int]) -> dd.Result[int]:
            if level != LEVELS[-1]:
                return levels.certify(self.new, level, tester, events, control=self.replays.strict)
            return certify(events, tester, check=False)

        again = campaign.search(problem, prove)
        if not again.certified:
            return None, f"not all single removals were tried ({again.reason.value})"
        if len(events) == len(self.new) == len(again.configuration) and not again.statistics.passed:
            # Nothing has shown that leaving out works at all.
            try:
                powerless = self.control()
            except NotReducible as error:
                return None, error.message
            if powerless:
                return None, f"leaving out could not be tried: {powerless}"
        left = set(again.configuration)
        return tuple(self.new.name(event) for event in events if event not in left), ""


def _changed_files(old: Trace, new: Trace) -> tuple[tuple[str, int], ...]:
    """Paths of files that differ, and how many lines were changed, added or removed."""
    texts = {file.path: file for file in new.files}
    found = []
    for file in old.files:
        other = texts.pop(file.path, None)
        if other is None:
            found.append((file.path, len(file.lines)))
        elif other.text != file.text:
            found.append((file.path, changed_lines(file.lines, other.lines)))
    found += [(path, len(file.lines)) for path, file in texts.items()]
    return tuple(found)


def changed_lines(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines differ; a line that was rewritten counts once."""
    return sum(
        max(high - low, stop - start)
        for tag, low, high, start, stop in opcodes(old, new)
        if tag != "equal"
    )


def _changed_streams(result: Result, recording: Recording) -> tuple[str, ...]:
    """Which streams of the recorded run differ."""
    if result.recorded is None:
        return ()
    now = RecordedRun.from_observation(recording.recorded).digests
    pairs = zip(("stdout", "stderr"), result.recorded.digests, now, strict=True)
    return tuple(name for name, before, after in pairs if before != after)

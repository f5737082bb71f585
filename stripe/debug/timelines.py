"""What comes of an alteration: the first difference in path and output, and another end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stripe.backend import Alteration, Journey, Observation, UncaughtException
from stripe.run_equality import difference, how_ended

WORDS = {
    "set": "{text} at event {event:,}",
    "skip": "without the statement at event {event:,}",
    "turn": "the other branch at event {event:,}",
    "return": "return {text} at event {event:,}",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How timeline ``number`` differs from another one.

    ``symptom``: ``gone``, ``same`` or ``other``; ``none`` where neither ends with an exception.
    ``parts``: the first event of another path, ``None`` if the paths are the same; ``output``: the
    first difference in what is printed, in words (empty: none), the traceback apart.
    """

    number: int
    what: str
    symptom: str
    end: str
    parts: int | None
    place: str
    output: str
    total: int

    def lines(self) -> list[str]:
        """For people."""
        symptom = {
            "gone": f"The exception is gone; it {self.end}.",
            "same": "The same exception is raised.",
            "other": f"Another exception: {self.end}.",
            "none": f"It {self.end}.",
        }[self.symptom]
        path = (
            f"The path parts at event {self.parts:,} ({self.place})."
            if self.parts is not None
            else "The path is the same."
        )
        output = (
            f"First difference in output: {self.output}"
            if self.output
            else "The output is the same."
        )
        head = f"Timeline {self.number}: {self.what}."
        return [each for each in (f"{head} {symptom}".strip(), path, output) if each]


def described(alterations: Sequence[Alteration]) -> str:
    """What was altered, in words."""
    if not alterations:
        return "the run as it was"
    return "; ".join(
        WORDS[each.kind].format(text=each.text, event=each.event) for each in alterations
    )


def compared(number: int, journey: Journey, other: Journey) -> Outcome:
    """What differs in one timeline from another one."""
    mine, its = journey.ending.exception, other.ending.exception
    parts: int | None = journey.parts_from(other)
    if parts is not None and parts > max(journey.total, other.total):
        parts = None
    place = ""
    if parts is not None:
        file, line = journey.place(min(parts, journey.total))
        place = f"{file}:{line}" if parts <= journey.total else "where it ends"
    return Outcome(
        number,
        described(journey.alterations),
        _symptom(mine, its),
        end_of(journey),
        parts,
        place,
        _printed(other.ending, journey.ending),
        journey.total,
    )


def _printed(before: Observation, after: Observation) -> str:
    """The first difference in output."""
    raised = before.exception is not None or after.exception is not None
    errors = after.stderr if raised else before.stderr
    before = replace(before, end=after.end, status=after.status, fault="", stderr=errors)
    return difference(before, after) or ""


def _symptom(mine: UncaughtException | None, its: UncaughtException | None) -> str:
    if mine is None:
        return "none" if its is None else "gone"
    return "same" if its is not None and mine.is_as(its) else "other"


def end_of(journey: Journey) -> str:
    """How a run ends, in a few words."""
    raised = journey.ending.exception
    return how_ended(journey.ending) if raised is None else f"{raised.type}: {raised.message}"

"""Whether kept events see what they saw in the recorded run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from stripe.backend import Comparing, Differences, End, Observation, Recording
from stripe.checks import Criterion
from stripe.dd import Outcome
from stripe.errors import NotReducible
from stripe.reduce.uninitialised import replayed
from stripe.trace import Trace
from stripe.trace.control_dependence import PREDICATES

if TYPE_CHECKING:
    from stripe.reduce.result import Dependence

VALUES = ("auto", "free", "same")
"""What kept events see: anything by which the criterion holds, or what they saw in the run.

``auto``: first anything; if values that differ take part in the behaviour, then the same.
"""

COMPARING = 9.0
"""How many times as long as a replay it takes to find out what a slice sees otherwise."""


def ensure_comparable(recording: Recording) -> None:
    """Raise ``values-unknown`` if nobody can tell what kept events see."""
    if not isinstance(recording, Comparing):
        raise NotReducible(
            "values-unknown",
            "It cannot be told here what variables hold, so that they keep their values cannot "
            "be asked for.",
            "Leave out --values same.",
        )


def differences(
    recording: Recording, events: Sequence[int], *, strict: bool, fresh: bool = False
) -> Differences:
    """What ``events`` see otherwise than in the recorded run; the whole run sees nothing so.

    Raises :class:`~stripe.errors.NotReducible` ``values-unknown``.
    """
    ensure_comparable(recording)
    assert isinstance(recording, Comparing)
    if len(events) == len(recording.trace):
        return {}
    return recording.differences(events, strict=strict, fresh=fresh)


def reach_the_end(
    trace: Trace,
    found: Sequence[int],
    dependences: Iterable[Dependence],
    others: Differences,
    compared: Collection[int] = (),
) -> bool:
    """Whether values that differ from the recorded run reach the end of a slice.

    Its ends are the events that no other event of the slice needs: those that print, or raise.
    What only others on the way see, such as a list in which an entry is missing that nobody asks
    for, has no part in the behaviour.  Neither has what a condition sees, for it decides nothing,
    nor what ``compared`` events see, whose values are the same as far as the criterion has them:
    of ``assert 2 == len(names)`` the length, and not the names.
    """
    needed = {each.on for each in dependences}
    return any(
        event in others
        and event not in needed
        and event not in compared
        and trace.statements[trace.statement[event]].kind not in PREDICATES
        for event in found
    )


def judged(
    recording: Recording,
    criterion: Criterion,
    events: Sequence[int],
    *,
    strict: bool,
    same: bool,
    fresh: bool = False,
) -> tuple[Outcome, Observation]:
    """What a replay of ``events`` did, and what that means.

    With ``same``, a replay that would be accepted is looked at: if kept events do not see what
    they saw in the recorded run, it decides nothing, and says where the first one is.
    """
    outcome, seen = replayed(recording, criterion, events, strict=strict, fresh=fresh)
    if same and outcome is Outcome.FAIL:
        others = differences(recording, events, strict=strict, fresh=fresh)
        if others:
            seen = replace(seen, end=End.DIFFERED, detail=describe(recording.trace, others))
            outcome = Outcome.UNRESOLVED
    return outcome, seen


def describe(trace: Trace, others: Differences) -> str:
    """The first difference, in one line."""
    event = min(others)
    name, (then, now) = next(iter(others[event].items()))
    return f"values differ at {trace.name(event)}: {name} was {then} in the run, is {now}"


COMPUTED = {" ", "("}
"""One of these is in the text of each expression that is no path from a variable."""


def as_recorded(
    values: Mapping[int, Mapping[str, str]], others: Differences | None
) -> Mapping[int, Mapping[str, str]]:
    """``values`` of a replay with those of the recorded run in place of ``others``.

    Nothing where nobody compared them: they may never have been in the run.
    """
    if others is None:
        return {}
    found = {event: dict(each) for event, each in values.items()}
    for event, names in others.items():
        # Variables are compared by their names, what is computed from them is not.
        held = {name: now for name, now in found.get(event, {}).items() if not COMPUTED & {*name}}
        found[event] = held | {name: then for name, (then, _) in names.items()}
    return found

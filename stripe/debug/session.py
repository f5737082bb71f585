"""A debugging session: where it stands in a journey, and what each step leads to.

Steps are computed on the recorded path (places and depths of all events), without a run; the
program is brought only to the moment where the session stops.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from stripe.backend import (
    Alteration,
    CallFrame,
    Inquiry,
    Journey,
    Target,
    TravelError,
    Watched,
)
from stripe.debug.breakpoints import Breakpoint
from stripe.debug.timelines import Outcome, compared, described, end_of
from stripe.debug.value_flow import Flow, ValueFlow

LOOKED_BELOW = 50
"""Lines from one on that are looked at for where a breakpoint there can be put."""

MOST_LOGGED = 1000
"""Texts of log points that are shown at a time."""


class Session:
    """Stands at ``event`` of a ``journey``, with ``calls`` there, the innermost first.

    ``timelines``: the run as it was, and the altered ones by number; ``None`` is one that was
    dropped.  ``cause``: a place that an answer names.  ``kept``: the events of a critical slice,
    with why each is there; where there are some and ``only_kept`` is set, steps lead to these
    alone.  ``target``: what was recorded, if that can be asked for its dependences.
    """

    def __init__(
        self, journey: Journey, *, at_start: bool = False, target: Target | None = None
    ) -> None:
        self.journey = journey
        self._target = target
        self._flow: ValueFlow | None = None
        self.timelines: list[Journey | None] = [journey]
        self.breakpoints: list[Breakpoint] = []
        self.stops_at_failure = True
        self.kept: Mapping[int, str] = {}
        self.only_kept = False
        self.cause: tuple[str, int] | None = None
        self.logged: list[str] = []
        self._shown: dict[tuple[str, str, int, str], str] = {}  # values, by scope and name
        self._before: dict[tuple[str, str, int, str], str] = {}  # where it stood before
        self.event = 0
        self.calls: Sequence[CallFrame] = ()
        self.go(1 if at_start else journey.failure)

    def go(self, event: int) -> None:
        """Stand at an event; the first or the last one if there is none of that number."""
        self._before.update(self._shown)
        self._shown.clear()
        self.event = min(max(event, 1), self.journey.total)
        self.calls = self.journey.go(self.event)

    def go_to_cause(self) -> None:
        """Go to the last pass before the failure through the place that is named as the cause.

        Raises :class:`~stripe.backend.TravelError`.
        """
        if self.cause is None:
            raise TravelError("No answer of stripe why was given.")
        file, line = self.cause
        end = self.journey.failure + 1
        found = next(self.journey.passes(file, line, "", end, backwards=True), None)
        if found is None:
            raise TravelError(f"{file}:{line} was not executed in this run.")
        self.go(found[0])

    @property
    def is_at_failure(self) -> bool:
        """Whether it stands where the exception was raised that ends the run."""
        raised = self.journey.ending.exception is not None
        return raised and self.event == self.journey.failure

    @property
    def why_kept(self) -> str:
        """Why a critical slice has this event; empty: it has not, or nobody knows."""
        return "" if self.journey.alterations else self.kept.get(self.event, "")

    # -- steps

    def step(self, kind: str, *, backwards: bool = False) -> None:
        """Go to the next event, or the one before: ``in``, ``over`` calls, or ``out`` of this one.

        Where there is none, go to the end of the run, or to its start.
        """
        depths = self.journey.depths
        here = depths[self.event - 1]
        deepest = {"in": None, "over": here, "out": here - 1}[kind]
        ahead: Iterable[int]
        if backwards:
            ahead = range(self.event - 1, 0, -1)
        else:
            ahead = range(self.event + 1, self.journey.total + 1)
        kept = self.kept if self._is_restricted() else None
        fallback = 1 if backwards else self.journey.total
        self.go(
            next(
                (
                    n for n in ahead
                    if (deepest is None or depths[n - 1] <= deepest) and (kept is None or n in kept)
                ),
                fallback,
            )
        )  # fmt: skip

    def _is_restricted(self) -> bool:
        return self.only_kept and bool(self.kept) and not self.journey.alterations

    def restart(self, frame: int) -> None:
        """Go to where a call began."""
        self.go(self.span(frame)[0])

    def span(self, frame: int) -> tuple[int, int]:
        """The first and the last event of a call."""
        return self.journey.span(self.event, self._level(frame))

    def _level(self, frame: int) -> int:
        return self.journey.depths[self.event - 1] - frame

    def run_to(self, file: str, line: int, *, backwards: bool = False) -> bool:
        """Go to the next pass through a line, or the one before; whether there is one."""
        found = self.next_pass(file, line, backwards=backwards)
        if found is not None:
            self.go(found)
        return found is not None

    def next_pass(self, file: str, line: int, *, backwards: bool = False) -> int | None:
        """The event of the next pass through a line, or of the one before."""
        passes = self.journey.passes(file, line, "", self.event, backwards=backwards)
        return next((event for event, _ in passes), None)

    def resume(self, *, backwards: bool = False) -> str:
        """Go to the next stop, or the one before.

        Returns:
            why it stops there: ``breakpoint``, ``exception``, ``entry`` for either end, ...
        """
        here = self.event
        journey = self.journey
        found: list[tuple[int, str]] = []
        failure = journey.failure
        if self.stops_at_failure and (failure < here if backwards else failure > here):
            found.append((failure, "exception"))
        choose = max if backwards else min
        end = (1 if backwards else journey.total), "entry"
        for each in self.breakpoints:
            if not each.log:
                stop = next(each.stops(journey, here, backwards=backwards), None)
                if stop is not None:
                    found.append((stop, each.reason))
        event, reason = choose(found, key=lambda each: each[0]) if found else end
        self._log(event, backwards=backwards)
        self.go(event)
        return reason

    def _log(self, event: int, *, backwards: bool) -> None:
        """Note what log points show on the way to an event."""
        first, last = (event, self.event - 1) if backwards else (self.event + 1, event)
        logged = sorted(
            pair for each in self.breakpoints if each.log
            for pair in each.logged(self.journey, first, last)
        )  # fmt: skip
        texts = [text for _, text in (reversed(logged) if backwards else logged)]
        self.logged += texts[:MOST_LOGGED]
        if len(texts) > MOST_LOGGED:
            self.logged.append(f"({len(texts) - MOST_LOGGED:,} more are not shown)")

    def take_logged(self) -> list[str]:
        """What log points have shown since this was last asked."""
        logged, self.logged = self.logged, []
        return logged

    def nearest_line(self, file: str, line: int) -> int | None:
        """The first line from there on that was executed; ``None`` if no near one was."""
        near = range(line, line + LOOKED_BELOW)
        return next((each for each in near if self.journey.has_passed(file, each)), None)

    # -- values

    def evaluate(self, frame: int, expression: str) -> dict[str, Any]:
        """The value of an expression in a call; see :meth:`stripe.backend.Journey.inspect`."""
        return self.journey.inspect(Inquiry(frame, "expression", expression))

    def differing(self, frame: int, scope: str, parts: Sequence[Mapping[str, Any]]) -> set[str]:
        """The variables that are told of a scope of a call and were not so where it stood before.

        Those of a call of which nothing was told then are not among them.
        """
        call = self.calls[frame]
        where = scope, f"{call.file} {call.function}", self._level(frame)
        known = any(key[:3] == where for key in self._before)
        found = set()
        for part in parts:
            key = *where, str(part["name"])
            if known and self._before.get(key) != part["text"]:
                found.add(key[3])
            self._shown[key] = part["text"]
        return found

    def watched(self, frame: int, expression: str) -> Watched:
        """An expression of a call, whose changes are to be found there; or in its module.

        Raises :class:`~stripe.backend.TravelError` if it is none.
        """
        try:
            tree = ast.parse(expression.strip(), mode="eval")
        except SyntaxError as error:
            raise TravelError(f"SyntaxError: {error}") from None
        names = [each.id for each in ast.walk(tree) if isinstance(each, ast.Name)]
        asked = Inquiry(frame, "owned", " ".join(names))
        module, is_own = ast.literal_eval(self.journey.inspect(asked)["value"]["text"])
        if not is_own:
            return Watched(expression, 0, 1, self.journey.total, module)
        return Watched(expression, self._level(frame), *self.span(frame))

    def change(self, watched: Watched, *, backwards: bool) -> bool:
        """Go to the line that changes it next, or changed it last; whether there is one."""
        found = next(self.journey.changes(watched, self.event, backwards=backwards), None)
        if found is not None:
            self.go(found)
        return found is not None

    def origins(self) -> list[Flow]:
        """Where the values come from that the present line uses, and what decided on it."""
        return self._value_flow().origins(self.event)

    def consequences(self) -> list[Flow]:
        """What uses the values that the present line leaves behind."""
        return self._value_flow().consequences(self.event)

    def _value_flow(self) -> ValueFlow:
        """The dependences of the run, by a trace that is recorded when they are first asked for.

        Raises :class:`~stripe.backend.TravelError` in an altered run, which has no trace.
        """
        if self._target is None or self.journey.alterations:
            raise TravelError("Dependences are those of the run as it was: go to timeline 0.")
        if self._flow is None:
            self._flow = ValueFlow(self._target, self.journey)
        return self._flow

    # -- timelines

    @property
    def timeline(self) -> int:
        """The number of the present one; 0 is the run as it was."""
        return self.timelines.index(self.journey)

    def alter(self, kind: str, text: str = "", frame: int = 0) -> Outcome:
        """Have the run go on otherwise from here, as a timeline of its own; what comes of it.

        The session stays where it is.  Raises :class:`~stripe.backend.TravelError`.
        """
        altered = self.journey.alter(Alteration(self.event, kind, text, frame))
        self.timelines.append(altered)
        return self.compare(len(self.timelines) - 1, self.timeline)

    def listed(self) -> list[dict[str, Any]]:
        """All timelines: number, what was altered, how it ends."""
        return [
            {"number": number, "what": described(each.alterations), "end": end_of(each)}
            for number, each in enumerate(self.timelines)
            if each is not None
        ]

    def compare(self, number: int, other: int) -> Outcome:
        """What differs in a timeline from another one."""
        return compared(number, self.line_of(number), self.line_of(other))

    def line_of(self, number: int) -> Journey:
        """A timeline by its number; raises :class:`~stripe.backend.TravelError`."""
        found = self.timelines[number] if 0 <= number < len(self.timelines) else None
        if found is None:
            raise TravelError(f"There is no timeline {number}.")
        return found

    def switch(self, number: int) -> None:
        """Stand in another timeline, where its last alteration was made, or at the failure."""
        journey = self.line_of(number)
        before = self.journey
        self.journey = journey
        made = [each.event for each in journey.alterations]
        try:
            self.go(made[-1] if made else journey.failure)
        except BaseException:
            self.journey = before
            raise

    def drop(self, number: int) -> None:
        """Give up a timeline, and its processes."""
        journey = self.line_of(number)
        if not number:
            raise TravelError("The run as it was cannot be dropped.")
        if journey is self.journey:
            self.switch(0)
        self.timelines[number] = None
        journey.close()

    def close(self) -> None:
        """End all processes."""
        if self._flow is not None:
            self._flow.close()
        for each in reversed(self.timelines):
            if each is not None:
                each.close()

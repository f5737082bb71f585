"""The debugger at a terminal, or on a plain pipe: a command a line, named as in pdb."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from stripe.backend import Inquiry, TravelError
from stripe.debug.breakpoints import (
    BadBreakpoint,
    Breakpoint,
    DataBreakpoint,
    FunctionBreakpoint,
    LineBreakpoint,
    RaiseBreakpoint,
)
from stripe.debug.session import Session
from stripe.debug.timelines import Outcome

HELP = """\
s n r c      step into, over (next), out of the call (return), continue
S N R C      the same, backwards
j LINE       to the next pass through a line          J LINE   the pass before
f            to where this call began
g N          go to event N; g alone: to the failure; g cause: where stripe why says
p EXPR       the value of an expression here; nothing it does lasts
x EXPR       to the line that changes it next         X EXPR   that changed it last
i            the variables of this call; * are those that differ from where it was last asked
v            where the values of this line come from; v N goes to the N-th of them
V            what this line led to; V N goes to the N-th
w            where: the calls here       u d   one call up, down
l            the lines around            o     what was printed up to here
b LINE, b FILE:LINE, b NAME(), b raise [TYPE], b =EXPR (where it changes): a breakpoint; behind it
             if EXPR, hits N (>=N, %N), log TEXT with {EXPR}; b alone lists them; cl clears them
! STATEMENT  what if it is executed here?             skip     this one is left out?
turn         its condition is the opposite?           return EXPR   this function returns that?
t            the timelines; t N goes to one, t N M compares two, t drop N gives one up
k            only what matters: steps lead through the critical slice (--result), on and off
q            quit"""

MOST_VARIABLES, LONGEST_VALUE = 100, 200
"""Variables of a call that are shown, and characters of each."""

AROUND = 4
"""Lines that are shown before and after the present one."""

FURTHER = re.compile(r"\s+(if|hits|log)\s+")


class Terminal:
    """Follows commands, and writes what they come to; ``frame``: the call that they are about."""

    def __init__(
        self, session: Session, folder: Path, write: Callable[[str], object], frame: int = 0
    ) -> None:
        self._session, self._folder, self._write = session, folder, write
        self._frame = frame

    def run(self, lines: Iterable[str]) -> None:
        """Follow commands until ``q``, or their end."""
        self._show()
        for line in lines:
            if line.split(maxsplit=1)[:1] == ["q"]:
                return
            self.follow(line)

    def follow(self, line: str) -> None:
        """Follow one command."""
        word, _, rest = line.strip().partition(" ")
        if word.startswith("!"):
            word, rest = "!", line.strip()[1:]
        if word:
            try:
                self._follow(word, rest.strip())
            except (TravelError, BadBreakpoint) as error:
                self._write(f"*** {error}")

    def _follow(self, word: str, rest: str) -> None:
        session = self._session
        kinds = {"s": "in", "n": "over", "r": "out"}
        backwards = word.isupper()
        if word.lower() in kinds and not rest:
            session.step(kinds[word.lower()], backwards=backwards)
            self._show()
        elif word in ("c", "C"):
            reason = session.resume(backwards=backwards)
            for text in session.take_logged():
                self._write(text)
            if reason == "entry":
                self._write("(the start of the run)" if backwards else "(the end of the run)")
            self._show()
        elif word in ("j", "J"):
            self._run_to(rest, backwards=backwards)
        elif word == "f":
            session.restart(self._frame)
            self._show()
        elif word == "g":
            self._go(rest)
        elif word == "p":
            told = session.evaluate(self._frame, rest)
            if told["printed"]:
                self._write(told["printed"].decode("utf-8", "replace").rstrip("\n"))
            self._write(told["value"]["text"])
        elif word in ("x", "X"):
            self._change(rest, backwards=backwards)
        elif word in ("v", "V"):
            self._flow(rest, backwards=word == "v")
        elif word in ("!", "skip", "turn", "return"):
            self._alter("set" if word == "!" else word, rest)
        elif word == "t":
            self._timelines(rest.split())
        elif word == "k":
            self._restrict()
        elif word in ("b", "cl"):
            self._break(word, rest)
        elif not self._look(word):
            self._write(HELP if word in ("h", "help", "?") else f"*** {word!r}? h for help")

    def _look(self, word: str) -> bool:
        """Follow a command that only shows something; whether it is one."""
        session = self._session
        if word == "w":
            for number, call in enumerate(session.calls):
                mark = ">" if number == self._frame else " "
                self._write(f"{mark} {call.file}:{call.line} {call.function}")
        elif word in ("u", "d"):
            frame = self._frame + (1 if word == "u" else -1)
            if not 0 <= frame < len(session.calls):
                self._write("*** There is no call beyond.")
                return True
            self._frame = frame
            self._place()
        elif word == "l":
            self._list()
        elif word == "i":
            asked = Inquiry(self._frame, "locals", opens=True, count=MOST_VARIABLES)
            parts = session.journey.inspect(asked)["parts"]
            differ = session.differing(self._frame, "locals", parts)
            for part in parts:
                mark = "*" if part["name"] in differ else " "
                self._write(f"{mark} {part['name']} = {part['text'][:LONGEST_VALUE]}")
        elif word == "o":
            self._write(session.journey.output()[0].decode("utf-8", "replace").rstrip("\n"))
        else:
            return False
        return True

    # -- going elsewhere

    def _go(self, goal: str) -> None:
        session = self._session
        if goal == "cause":
            session.go_to_cause()
        elif goal and not goal.isdecimal():
            self._write(f"*** g takes the number of an event, 1 to {session.journey.total:,}")
            return
        else:
            session.go(int(goal) if goal else session.journey.failure)
        self._show()

    def _run_to(self, place: str, *, backwards: bool) -> None:
        file, number = self._place_of(place)
        if number is None:
            self._write("*** j LINE, or j FILE:LINE")
        elif self._session.run_to(file, number, backwards=backwards):
            self._show()
        else:
            side = "before" if backwards else "after"
            self._write(f"*** {file}:{number} is not executed {side} this moment.")

    def _place_of(self, place: str) -> tuple[str, int | None]:
        file, _, number = place.rpartition(":")
        file = file or self._session.calls[self._frame].file
        return file, int(number) if number.strip().isdecimal() else None

    def _change(self, expression: str, *, backwards: bool) -> None:
        session = self._session
        watched = session.watched(self._frame, expression)
        if session.change(watched, backwards=backwards):
            self._show()
            return
        side = "before this moment" if backwards else "after it"
        where = f"in {watched.module}" if watched.module else "in this call"
        hint = "" if watched.module else f" It begins at event {watched.first:,}; u: its caller."
        self._write(f"*** No line changes what {expression} holds {side}, {where}.{hint}")

    def _flow(self, which: str, *, backwards: bool) -> None:
        session = self._session
        flows = session.origins() if backwards else session.consequences()
        if which.isdecimal() and 1 <= int(which) <= len(flows):
            session.go(flows[int(which) - 1].event)
            self._show()
            return
        for number, each in enumerate(flows, 1):
            lines = self._lines(each.file)
            text = lines[each.line - 1].strip() if 0 < each.line <= len(lines) else ""
            self._write(f"{number}  {each.file}:{each.line} {text}  ({each.why})")
        if not flows:
            self._write("Nothing that the analysis sees, which does not follow aliases.")

    def _restrict(self) -> None:
        session = self._session
        if not session.kept:
            self._write("*** There is no critical slice: --result FILE names one.")
            return
        session.only_kept = not session.only_kept
        which = (
            f"the {len(session.kept):,} events of the slice" if session.only_kept else "all events"
        )
        self._write(f"Steps lead through {which}.")

    # -- breakpoints

    def _break(self, word: str, rest: str) -> None:
        session = self._session
        if word == "cl":
            session.breakpoints = []
        elif not rest:
            for each in session.breakpoints:
                further = {"if": each.condition, "hits": each.hits, "log": each.log}
                more = (f" {name} {text}" for name, text in further.items() if text)
                self._write(f"{each.name}{''.join(more)}")
        elif (found := self._breakpoint(rest)) is not None:
            session.breakpoints.append(found)
            times = len(found.events(session.journey))
            self._write(f"breakpoint at {found.name}, which has {times:,} events")

    def _breakpoint(self, text: str) -> Breakpoint | None:
        place, *further = FURTHER.split(text)
        more = dict(zip(further[::2], further[1::2], strict=True))
        common = more.get("if", ""), more.get("hits", ""), more.get("log", "")
        if place.startswith("="):
            watched = self._session.watched(self._frame, place[1:])
            return DataBreakpoint(*common, watched=watched)
        if place.split()[0] == "raise":
            return RaiseBreakpoint(*common, raised=place.removeprefix("raise").strip())
        if place.endswith("()"):
            return FunctionBreakpoint(*common, function=place.removesuffix("()"))
        file, number = self._place_of(place)
        if number is None:
            self._write("*** b LINE, b FILE:LINE, b NAME(), b raise, b =EXPR; see h")
            return None
        line = self._session.nearest_line(file, number)
        if line is None:
            self._write(f"*** {place} was not executed, nor what follows it.")
            return None
        return LineBreakpoint(*common, file=file, line=line)

    # -- what if

    def _alter(self, kind: str, text: str) -> None:
        outcome = self._session.alter(kind, text, self._frame)
        self._tell(outcome)
        self._write(f"(t {outcome.number} goes there)")

    def _tell(self, outcome: Outcome) -> None:
        for line in outcome.lines():
            self._write(line)

    def _timelines(self, words: list[str]) -> None:
        session = self._session
        numbers = [int(each) for each in words if each.isdecimal()]
        if words[:1] == ["drop"] and len(numbers) == 1:
            session.drop(numbers[0])
        elif len(numbers) == len(words) == 2:
            self._tell(session.compare(*numbers))
        elif len(numbers) == len(words) == 1:
            session.switch(numbers[0])
            self._show()
        elif words:
            self._write("*** t, t N, t N M, t drop N")
        else:
            for each in session.listed():
                mark = ">" if each["number"] == session.timeline else " "
                self._write(f"{mark} {each['number']}  {each['what']}: {each['end']}")

    # -- what is shown

    def _show(self) -> None:
        self._frame = 0
        session = self._session
        mark = ", the failure" if session.is_at_failure else ""
        line = f", timeline {session.timeline}" if session.timeline else ""
        self._write(f"[event {session.event:,} of {session.journey.total:,}{line}{mark}]")
        self._place()
        if why := session.why_kept:
            self._write(f"   kept: {why}")

    def _place(self) -> None:
        call = self._session.calls[self._frame]
        self._write(f"{call.file}:{call.line} {call.function}")
        lines = self._lines(call.file)
        if 0 < call.line <= len(lines):
            self._write(f"-> {lines[call.line - 1].strip()}")

    def _list(self) -> None:
        call = self._session.calls[self._frame]
        lines = self._lines(call.file)
        for number in range(max(1, call.line - AROUND), min(len(lines), call.line + AROUND) + 1):
            mark = "->" if number == call.line else "  "
            self._write(f"{number:5} {mark} {lines[number - 1]}")

    def _lines(self, file: str) -> list[str]:
        try:
            text = (self._folder / file).read_text("utf-8", "replace")
        except OSError:
            return []
        return text.splitlines()

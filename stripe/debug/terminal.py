"""The debugger at a terminal, or on a plain pipe: a command a line, named as in pdb."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from stripe.backend import TravelError
from stripe.debug.session import Breakpoint, Session

HELP = """\
s n r c      step into, over (next), out of the call (return), continue
S N R C      the same, backwards
g N          go to event N; g alone: to the failure
p EXPR       the value of an expression here; nothing it does lasts
w            where: the calls here       u d   one call up, down
l            the lines around            o     what was printed up to here
b LINE [if EXPR], b FILE:LINE [if EXPR]  a breakpoint; b alone lists them; cl clears them
q            quit"""

AROUND = 4
"""Lines that are shown before and after the present one."""


class Terminal:
    """Reads commands, and writes what they come to."""

    def __init__(self, session: Session, folder: Path, write: Callable[[str], object]) -> None:
        self._session, self._folder, self._write = session, folder, write
        self._frame = 0

    def run(self, lines: Iterable[str]) -> None:
        """Follow commands until ``q``, or their end."""
        self._show()
        for line in lines:
            word, _, rest = line.strip().partition(" ")
            if word == "q":
                return
            if word:
                try:
                    self._follow(word, rest.strip())
                except TravelError as error:
                    self._write(f"*** {error}")

    def _follow(self, word: str, rest: str) -> None:
        session = self._session
        kinds = {"s": "in", "n": "over", "r": "out"}
        if word.lower() in kinds and not rest:
            session.step(kinds[word.lower()], backwards=word.isupper())
            self._show()
        elif word in ("c", "C"):
            reason = session.resume(backwards=word == "C")
            if reason == "entry":
                self._write("(the start of the run)" if word == "C" else "(the end of the run)")
            self._show()
        elif word == "g":
            if rest and not rest.isdecimal():
                self._write(f"*** g takes the number of an event, 1 to {session.journey.total:,}")
                return
            session.go(int(rest) if rest else session.journey.failure)
            self._show()
        elif word == "p":
            told = session.evaluate(self._frame, rest)
            if told["printed"]:
                self._write(told["printed"].decode("utf-8", "replace").rstrip("\n"))
            self._write(told["value"]["text"])
        elif word == "w":
            for number, call in enumerate(session.calls):
                mark = ">" if number == self._frame else " "
                self._write(f"{mark} {call.file}:{call.line} {call.function}")
        elif word in ("u", "d"):
            frame = self._frame + (1 if word == "u" else -1)
            if not 0 <= frame < len(session.calls):
                self._write("*** There is no call beyond.")
                return
            self._frame = frame
            self._place()
        elif word == "l":
            self._list()
        elif word == "o":
            self._write(session.journey.output()[0].decode("utf-8", "replace").rstrip("\n"))
        elif word in ("b", "cl"):
            self._break(word, rest)
        else:
            self._write(HELP if word in ("h", "help", "?") else f"*** {word!r}? h for help")

    def _break(self, word: str, rest: str) -> None:
        session = self._session
        if word == "cl":
            session.breakpoints = []
            return
        if not rest:
            for each in session.breakpoints:
                condition = f" if {each.condition}" if each.condition else ""
                self._write(f"{each.file}:{each.line}{condition}")
            return
        place, _, condition = rest.partition(" if ")
        file, _, number = place.rpartition(":")
        file = file or session.calls[self._frame].file
        if not number.strip().isdecimal():
            self._write("*** b LINE, b FILE:LINE, either followed by: if EXPR")
            return
        line = session.nearest_line(file, int(number))
        if line is None:
            self._write(f"*** {place} was not executed, nor what follows it.")
            return
        session.breakpoints.append(Breakpoint(file, line, condition.strip()))
        times = len(session.journey.events_at(file, line))
        self._write(f"breakpoint at {file}:{line}, which was executed {times:,} times")

    def _show(self) -> None:
        self._frame = 0
        session = self._session
        mark = ", the failure" if session.event == session.journey.failure else ""
        self._write(f"[event {session.event:,} of {session.journey.total:,}{mark}]")
        self._place()

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

"""What an editor shows of a slice in one file: faded lines, hints, explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from lsprotocol import types

from stripe.lsp.dependences import MOST, dependants, label, origins
from stripe.lsp.slices import Sliced
from stripe.reduce import Dependence
from stripe.report.happened import raised_at, sentence
from stripe.report.sarif import place
from stripe.report.source import Line
from stripe.report.style import plural, printable
from stripe.report.summary import STOPPED, minimality

SOURCE = "stripe"
NOT_NEEDED, CRITICAL = "not-needed", "critical-slice"
HOVERED = 6
"""Executions of a line that a hover tells of; of more, the first and the last."""

NEEDS = 3
"""Executions named as those that need one."""

COMMENTS = ("#", "//", "/*", "*")


@dataclass(frozen=True, slots=True)
class View:
    """A slice in the file ``path``, whose lines are ``texts``.

    ``units`` is the length of a text as the client counts it.
    """

    sliced: Sliced
    path: str
    texts: list[str]
    units: Callable[[str], int]

    @property
    def lines(self) -> Mapping[int, Line]:
        """What happened on the lines of this file, counted from 1."""
        return self.sliced.lines(self.path)

    def diagnostics(self) -> Iterator[types.Diagnostic]:
        """A hint for each stretch of lines that do not matter, and one diagnostic on the slice."""
        name = self.sliced.slice.name
        for stretch in self.faded():
            executed = sum(self.lines[each].executed for each in stretch if each in self.lines)
            if not executed and any(
                self.lines[each].elsewhere for each in stretch if each in self.lines
            ):
                continue  # nobody knows whether it is needed
            why = f"none of {plural(executed, 'execution')} kept" if executed else "not executed"
            yield types.Diagnostic(
                range=self.over(stretch[0], stretch[-1]),
                message=f"Not needed for {name}: {why}",
                severity=types.DiagnosticSeverity.Hint,
                code=NOT_NEEDED,
                source=SOURCE,
                tags=[types.DiagnosticTag.Unnecessary],
            )
        found, result = self.sliced.slice, self.sliced.result
        where = place(result, found)
        if self.sliced.paths[where.file] != self.path:
            return
        said = sentence(result, found)
        yield types.Diagnostic(
            range=self.over(where.line, min(where.header_end, len(self.texts))),
            message=(f"{said}. " if said else "") + f"{self.headline()}, on "
            f"{plural(len(found.lines(result.trace)), 'line')}; 1-minimal: {minimality(found)}"
            + ("; NOT reproduced in a fresh process" if found.verified is False else ""),
            severity=types.DiagnosticSeverity.Information,
            code=CRITICAL,
            source=SOURCE,
            related_information=[
                types.DiagnosticRelatedInformation(
                    types.Location(self.sliced.uri(statement.file), line_range(statement.line)),
                    text,
                )
                for statement, text in origins(result, found, where)
            ],
        )

    def headline(self) -> str:
        """The slice in a few words."""
        found = self.sliced.slice
        return f"Critical slice for {printable(found.name)}: {len(found.events)} of " + plural(
            found.of, "execution"
        )

    def faded(self) -> Iterator[list[int]]:
        """Stretches of lines with nothing kept, which begin and end with code.

        Comments and docstrings end a stretch, for they help to read the rest; empty lines and
        what belongs to no statement (``else:``, a brace) do not.
        """
        stretch: list[int] = []
        last = 0
        for number, text in enumerate(self.texts, 1):
            line = self.lines.get(number)
            if line is not None and line.code and not line.marked:
                stretch.append(number)
                last = len(stretch)
            elif line is None and not text.lstrip().startswith(COMMENTS):
                if stretch:
                    stretch.append(number)
            else:
                if stretch:
                    yield stretch[:last]
                stretch = []
        if stretch:
            yield stretch[:last]

    def hints(self, first: int, last: int) -> Iterator[types.InlayHint]:
        """``2 of 6x`` behind the kept lines ``first`` to ``last``."""
        for number, line in sorted(self.lines.items()):
            if (line.kept or line.governs) and first <= number <= min(last, len(self.texts)):
                yield types.InlayHint(
                    position=self.over(number, number).end,
                    label=(f"{line.kept}" if line.kept else f"decides {line.governs}")
                    + f" of {line.executed}x",
                    padding_left=True,
                    tooltip=f"{line.kept} of {plural(line.executed, 'execution')} of this line "
                    f"are needed for {printable(self.sliced.slice.name)}"
                    + (f"; {line.governs} decided that such ran" if line.governs else ""),
                )

    def hover(self, number: int) -> str | None:
        """Markdown on a line: its kept executions, what variables held, and who needs them."""
        line = self.lines.get(number)
        if line is None or not line.code:
            return None
        return self._hover_kept(number, line) if line.kept else self._hover_other(line)

    def _hover_other(self, line: Line) -> str | None:
        """On a line that keeps nothing."""
        what = code(self.sliced.slice.name)
        if line.governs:
            return (
                f"**{line.governs} of {line.executed}** executions decided that kept ones ran; "
                f"none is kept for {what}. `--control program` keeps those that matter."
            )
        if line.executed:
            return f"None of {plural(line.executed, 'execution')} is needed for {what}."
        return None if line.kept_part else "Not executed."

    def _hover_kept(self, number: int, line: Line) -> str:
        found, trace = self.sliced.slice, self.sliced.result.trace
        what = code(found.name)
        file = self.sliced.paths.index(self.path)
        here = {s.id for s in trace.statements if s.file == file and s.line == number}
        events = [event for event in found.events if trace.statement[event] in here]
        why = (
            "left out alone, it no longer shows"
            if found.certified
            else f"leaving out could not be tried: {found.untried}"
            if found.untried
            else f"kept so far, for the search did not end ({STOPPED[found.stopped]})"
        )
        each_of = "each of them " if line.kept > 1 else ""
        parts = [f"**{line.kept} of {line.executed}** executions kept for {what}: {each_of}{why}."]
        if raised_at(self.sliced.result) in here:
            parts.insert(0, f"{code(sentence(self.sliced.result, found))}\n")
        shown = events if len(events) <= HOVERED else [*events[: HOVERED - 1], events[-1]]
        needed = dependants(found)
        for event in shown:
            if len(shown) < len(events) and event == shown[-1]:
                parts.append(f"- … {len(events) - len(shown)} more")
            parts += self._execution(event, needed.get(event, ()))
        if not found.with_values:
            parts.append("\nWhat variables held is not known: this backend does not tell, or the "
                         "program could not be watched.")  # fmt: skip
        return "\n".join(parts)

    def _execution(self, event: int, needs: Sequence[Dependence]) -> Iterator[str]:
        """A kept execution: what variables held, who needs it, and what it uses."""
        found = self.sliced.slice
        held = ", ".join(f"{name} = {text}" for name, text in found.held(event).items())
        name = code(self.sliced.result.trace.name(event))
        yield f"- {name}" + (f"  {code(held)}" if held else "")
        for each in needs[:NEEDS]:
            yield f"  - needed by {self.name(each.event)}{label(each)}"
        if len(needs) > NEEDS:
            yield f"  - … and {len(needs) - NEEDS} more"
        uses = (
            each
            for each in found.dependences
            if each.event == event != each.on and each.kind in ("data", "return")
        )
        for each in islice(uses, MOST):
            yield f"  - uses {self.name(each.on)}{label(each)}"

    def name(self, event: int) -> str:
        """An event, with its file if that is another one."""
        trace = self.sliced.result.trace
        path = self.sliced.paths[trace.statements[trace.statement[event]].file]
        elsewhere = "" if path == self.path else f" of {code(PurePath(path).name)}"
        return code(trace.name(event)) + elsewhere

    def over(self, first: int, last: int) -> types.Range:
        """From the first character of a line to the end of another; numbers from 1."""
        head, tail = self.text(first), self.text(last)
        indent = len(head) - len(head.lstrip())
        return types.Range(
            types.Position(first - 1, self.units(head[:indent])),
            types.Position(last - 1, self.units(tail.rstrip())),
        )

    def text(self, number: int) -> str:
        return self.texts[number - 1] if number <= len(self.texts) else ""


def line_range(number: int) -> types.Range:
    """All of a line of which the text is not at hand."""
    return types.Range(types.Position(number - 1, 0), types.Position(number, 0))


def code(text: str) -> str:
    """Text of the program in Markdown, where nothing in it means anything."""
    shown = printable(text).replace("\n", " ")
    fence = "`"
    while fence in shown:
        fence += "`"
    blank = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{blank}{shown}{blank}{fence}"

"""The reports a verb can write to files: their options, and writing them."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from stripe.cli.grammar import Parser
from stripe.cli.output import close_quietly, say, write_report
from stripe.deadline import Deadline, OutOfTime
from stripe.errors import UsageError
from stripe.outputs import Loss, Output, Reads, claim, complain, keep, save
from stripe.outputs.places import keys
from stripe.reduce import Result
from stripe.reduce.stored import LONG, pointer, trace_file
from stripe.report import Style
from stripe.report.jsonfile import as_json
from stripe.report.late import cut_late

if TYPE_CHECKING:  # only who has such a result needs all that
    from stripe.changes.result import ChangesResult
    from stripe.outputs.improvement import Writer
    from stripe.results.why import Document
    from stripe.states.result import CausesResult
    from stripe.suspects.result import SuspectsResult


class Targets(Protocol):
    """The options that name files to write."""

    json: str | None
    html: str | None
    sarif: str | None
    force: bool


FACES = {"json": "result", "html": "page", "sarif": "sarif"}
"""The options, and the kind of thing each writes."""


REPORTS_SECONDS, REPORTS_SHARE = 1.0, 0.1
"""After the deadline, reports may be made of a result for so many seconds, or that share of all."""


class Plain(Protocol):
    """What can be told as plain JSON data."""

    def to_json(self) -> dict[str, Any]: ...


class Writing:
    """Writes the outputs of a verb, one after the other; a failure is told when all are done.

    Once the ``deadline`` is over, and a little more, files that can be made of the JSON are not
    written any more: that is told.

    ``bare``: there is a report that needs no library.  Raises (when made) what
    :func:`stripe.outputs.claim` raises; UsageError: ``no-library``.
    """

    def __init__(
        self,
        outputs: Sequence[Output],
        reads: Reads,
        *,
        force: bool,
        bare: bool = False,
        deadline: Deadline | None = None,
    ) -> None:
        self.deadline = deadline or Deadline()
        self.unmade: list[Output] = []
        self.outputs = {each.option: each for each in outputs}
        """By option."""
        self.losses: list[Loss] = []
        # What is needed is there, or nothing is begun.
        if "--json" in self.outputs:
            import stripe.results.model  # lazy
        if not self.outputs.keys().isdisjoint(("--html", "--picture")):
            import stripe.report.markup  # noqa: F401  # lazy
        if not (bare or self.standard):
            Style.of(sys.stdout)
        for note in claim(outputs, reads, force=force):
            say(f"stripe: {note}")

    @property
    def standard(self) -> bool:
        """Whether something goes to standard output, which then has nothing else."""
        return any(each.standard for each in self.outputs.values())

    def avoid(self, sources: Iterable[Path]) -> None:
        """Nor overwrite these, which turned out to be a part of the program."""
        taken = frozenset().union(*map(keys, sources))
        for output in self.outputs.values():
            output.avoid |= taken

    def write(self, option: str, data: bytes) -> None:
        """Write the output that ``option`` names."""
        self.put(self.outputs[option], data)

    def make(self, option: str, make: Callable[[], bytes]) -> None:
        """Write what is made for ``option``, if there is time to make it."""
        output = self.outputs[option]
        grace = max(REPORTS_SECONDS, REPORTS_SHARE * (self.deadline.seconds or 0.0))
        try:
            with self.deadline.cutting(grace) if output.is_file else nullcontext():
                data = make()
        except OutOfTime:
            self.unmade.append(output)
            return
        self.put(output, data)

    def put(self, output: Output, data: bytes) -> None:
        """Write an output.  A reader of it that went away is no error."""
        try:
            note, loss = save(output, data)
        except BrokenPipeError:
            if output.standard:
                close_quietly()
            return
        if note:
            say(f"stripe: {note}")
        if loss is not None:
            self.losses.append(loss)
            if output.standard:
                close_quietly()

    def report(self, lines: Iterable[str], result: Plain | None) -> None:
        """Print a report, unless an output stands there alone; then say what could not be written.

        What is made line by line is cut once the ``deadline`` is over; a list is made already.
        If it cannot be printed, and is all there is of the ``result``, that is kept.

        Raises:
            UsageError: ``cannot-write``.
        """
        try:
            if not self.standard:
                write_report(lines if isinstance(lines, list) else cut_late(lines, self.deadline))
        except UsageError as error:
            if self.outputs or result is None:
                raise
            reason = getattr(error.__cause__, "strerror", None) or "it is broken"
            content = as_json(result.to_json())
            kept = keep(Output("--json", "result.json", "result"), content)
            self.losses.append(Loss("-", reason, kept))
        self.complain()

    def places(self, outputs: Sequence[Output]) -> Iterator[str]:
        """Where outputs have gone."""
        kept = {loss.target: str(loss.kept) for loss in self.losses if loss.kept}
        for each in outputs:
            yield kept.get(each.target, each.target)

    def put_left(self, writer: Writer) -> None:
        """Write what a writer that has ended has left."""
        from stripe.outputs.improvement import made  # lazy

        for output, content in writer.left:
            self.put(output, made(content))

    def complain(self) -> None:
        """Say what was not written.  Raises UsageError: ``cannot-write``."""
        if self.unmade:
            say(f"stripe: {self._unmade()}")
        complain(self.losses)

    def _unmade(self) -> str:
        """What there was no time for, and how it can be had."""
        words = " ".join(f"{each.option} {shlex.quote(each.target)}" for each in self.unmade)
        file = self.outputs["--json"].target if "--json" in self.outputs else "RESULT.json"
        asked = "" if "--json" in self.outputs else f" With --json {file} the result is kept:"
        return (
            f"Not written, as the time of --max-time was over: {words}.{asked} "
            f"stripe show {words} {shlex.quote(file)} makes it of the result."
        )


def claim_faces(
    options: Targets,
    reads: Reads,
    kind: str = "result",
    *,
    bare: bool = False,
    deadline: Deadline | None = None,
) -> Writing:
    """Make sure that the reports asked for can be written, and harm nothing.

    ``kind``: that of the JSON; ``bare``, ``deadline``: see :class:`Writing`.
    """
    kinds = {**FACES, "json": kind}
    outputs = [
        Output(f"--{face}", target, kind)
        for face, kind in kinds.items()
        if (target := getattr(options, face)) is not None
    ]
    return Writing(outputs, reads, force=options.force, bare=bare, deadline=deadline)


def write_faces(result: Result, writing: Writing) -> None:
    """Write the reports that were asked for."""
    folder = Path.cwd() if result.target is None else result.target.directory
    writing.avoid(folder / each.path for each in result.trace.files)
    if "--json" in writing.outputs:
        stored = write_trace(result, writing)
        writing.write("--json", as_json(result.to_json(stored)))
    if "--html" in writing.outputs:
        from stripe.report.html import page  # lazy

        writing.make("--html", lambda: page(result).encode())
    if "--sarif" in writing.outputs:
        from stripe.report.sarif import sarif  # lazy

        writing.make("--sarif", lambda: as_json(sarif(result)))


def write_trace(result: Result, writing: Writing) -> dict[str, Any] | None:
    """Write the trace of a long run beside the result, which then points to it; how."""
    beside = writing.outputs["--json"]
    if len(result.trace) < LONG or not beside.is_file:
        return None
    output = Output("--json", f"{beside.target}.trace", "trace")
    output.avoid = beside.avoid
    content = trace_file(result.trace, control=result.control == "program")
    writing.put(output, content)
    return pointer(Path(output.target).name, content)


def json_output(target: str | None, kind: str) -> list[Output]:
    """The output of a verb's option ``--json``, if it is given."""
    return [] if target is None else [Output("--json", target, kind)]


def write_data(result: Plain, writing: Writing) -> None:
    """Write a result as JSON, if asked for."""
    if "--json" in writing.outputs:
        writing.write("--json", as_json(result.to_json()))


class Forms(Protocol):
    """The options that name files to write for what has no SARIF."""

    json: str | None
    html: str | None


def forms_of(options: Forms, kind: str = "changes-result") -> list[Output]:
    """The outputs of :class:`Forms`, as far as they are given; ``kind``: that of the JSON."""
    pages = [] if options.html is None else [Output("--html", options.html, "page")]
    return [*json_output(options.json, kind), *pages]


def write_forms(result: ChangesResult, writing: Writing) -> None:
    """Write a result of ``stripe changes`` in the forms that were asked for."""
    write_data(result, writing)
    if "--html" in writing.outputs:
        from stripe.report.html.changes import page  # lazy

        writing.make("--html", lambda: page(result).encode())


class Drawn(Forms, Protocol):
    """The options that name files to write for a result of ``stripe causes``."""

    sarif: str | None
    picture: str | None


def drawn_of(options: Drawn) -> list[Output]:
    """The outputs of :class:`Drawn`, as far as they are given.

    Raises:
        UsageError: ``bad-option``.
    """
    kinds = {"json": "causes-result", "html": "page", "sarif": "sarif", "picture": "picture"}
    found = [
        Output(f"--{face}", target, kind)
        for face, kind in kinds.items()
        if (target := getattr(options, face)) is not None
    ]
    picture = options.picture
    if picture is not None and picture != "-" and not picture.endswith((".svg", ".dot")):
        raise UsageError(
            "bad-option",
            f"--picture {picture}: pictures are SVG, or text for Graphviz.",
            "Name a file that ends in .svg or .dot; - is SVG.",
        )
    return found


def write_drawn(result: CausesResult, writing: Writing) -> None:
    """Write a result of ``stripe causes`` in the forms that were asked for."""
    write_data(result, writing)
    if "--html" in writing.outputs:
        from stripe.report.html.causes import page  # lazy

        writing.make("--html", lambda: page(result).encode())
    if "--sarif" in writing.outputs:
        from stripe.report.sarif_causes import sarif  # lazy

        writing.make("--sarif", lambda: as_json(sarif(result)))
    if "--picture" in writing.outputs:
        from stripe.report.pictures import dot, svg  # lazy

        kind = dot if writing.outputs["--picture"].target.endswith(".dot") else svg
        writing.make("--picture", lambda: kind.document(result).encode())


def write_suspects(result: SuspectsResult, writing: Writing) -> None:
    """Write a result of ``stripe suspects`` in the forms that were asked for."""
    writing.avoid({Path.cwd() / each.file for each in result.suspected})
    write_data(result, writing)
    if "--html" in writing.outputs:
        from stripe.report.html.suspects import page  # lazy

        writing.make("--html", lambda: page(result).encode())
    if "--sarif" in writing.outputs:
        from stripe.report.sarif_suspects import sarif  # lazy

        writing.make("--sarif", lambda: as_json(sarif(result)))


def write_answer(document: Document, writing: Writing) -> None:
    """Write an answer of ``stripe why`` in the forms that were asked for."""
    files = {each.file for each in document.places} | {each.file for each in document.story}
    writing.avoid(Path(document.asked.directory, each) for each in files)
    write_data(document, writing)
    if "--html" in writing.outputs:
        from stripe.report.html.why import page  # lazy

        writing.make("--html", lambda: page(document).encode())


def add_picture(parser: Parser, group: argparse._ArgumentGroup) -> None:
    """``--picture``."""
    parser.option(
        group,
        "--picture",
        metavar="FILE",
        help="draw the states of a result of stripe causes and how they differ: FILE.svg, or "
        "FILE.dot for Graphviz; - is SVG, as above",
    )


def add_faces(parser: Parser, group: argparse._ArgumentGroup) -> None:
    """The options of :class:`Targets`."""
    parser.option(
        group,
        "--json",
        metavar="FILE",
        help="write the result as JSON; - is standard output, then nothing else goes there",
    )
    parser.option(
        group, "--html", metavar="FILE", help="write a page to look at, in one file; - as above"
    )
    parser.option(
        group, "--sarif", metavar="FILE", help="write SARIF 2.1.0, for editors; - as above"
    )
    add_force(parser, group)


def parts_of(known: Sequence[str]) -> Callable[[str], frozenset[str]]:
    """What reads the value of ``--show``, the parts of a report."""

    def parts(text: str) -> frozenset[str]:
        names = frozenset(name.strip() for name in text.split(","))
        unknown = names - {*known, "all"}
        if unknown:
            raise argparse.ArgumentTypeError(
                f"there is no {min(unknown)!r} to show; choose from {', '.join(known)}, all"
            )
        return names

    return parts


def add_force(parser: Parser, group: argparse._ArgumentGroup) -> None:
    """``--force``."""
    parser.option(
        group,
        "--force",
        flag="store_true",
        help="replace files that were there already and are not stripe's own; never what is read",
    )

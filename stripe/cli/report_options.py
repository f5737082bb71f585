"""The reports a verb can write to files: their options, and writing them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

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

if TYPE_CHECKING:
    from stripe.outputs.improvement import Writer


class Forced(Protocol):
    """Options that may say that files are replaced."""

    force: bool


FORMS = {
    "result": {"html": "stripe.report.html", "sarif": "stripe.report.sarif"},
    "changes-result": {"html": "stripe.report.html.changes"},
    "causes-result": {
        "html": "stripe.report.html.causes",
        "sarif": "stripe.report.sarif_causes",
        "picture": "stripe.report.pictures",
    },
    "suspects-result": {
        "html": "stripe.report.html.suspects",
        "sarif": "stripe.report.sarif_suspects",
    },
    "input-result": {"html": "stripe.report.html.inputs"},
    "why-result": {"html": "stripe.report.html.why"},
}
"""The forms of each kind of result beside JSON, by option, and the modules that make them."""

WRITES = {"html": "page", "sarif": "sarif", "picture": "picture"}
"""The kind of thing that each option writes beside ``--json``."""


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
    def files(self) -> list[str]:
        """All that is written to, but standard output."""
        return [each.target for each in self.outputs.values() if each.target != "-"]

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


def claim_forms(
    options: Forced,
    reads: Reads,
    kind: str,
    *,
    answers: Sequence[Output] = (),
    bare: bool = False,
    deadline: Deadline | None = None,
) -> Writing:
    """Make sure that what is asked for can be written, and harms nothing.

    ``kind``: that of the JSON; ``answers``: what is written beside the forms of the result;
    ``bare``, ``deadline``: see :class:`Writing`, which raises; UsageError: ``bad-option``.
    """
    outputs = [
        Output(f"--{face}", target, what)
        for face, what in {"json": kind, **WRITES}.items()
        if (target := getattr(options, face, None)) is not None
    ]
    picture = getattr(options, "picture", None)
    if picture is not None and picture != "-" and not picture.endswith((".svg", ".dot")):
        raise UsageError(
            "bad-option",
            f"--picture {picture}: pictures are SVG, or text for Graphviz.",
            "Name a file that ends in .svg or .dot; - is SVG.",
        )
    return Writing([*answers, *outputs], reads, force=options.force, bare=bare, deadline=deadline)


def write_forms(
    result: Plain, writing: Writing, kind: str = "", sources: Iterable[Path] = ()
) -> None:
    """Write a result in the forms that were asked for, but over none of its ``sources``."""
    writing.avoid(sources)
    if "--json" in writing.outputs:
        stored = write_trace(result, writing) if isinstance(result, Result) else None
        data = result.to_json(stored) if isinstance(result, Result) else result.to_json()
        writing.write("--json", as_json(data))
    for face, name in FORMS.get(kind, {}).items():
        output = writing.outputs.get(f"--{face}")
        if output is not None:
            writing.make(output.option, partial(_made, face, name, result, output.target))


def _made(face: str, name: str, result: Plain, target: str) -> bytes:
    """A form of a result, by its option and the module that makes it."""
    if face == "picture":
        name += ".dot" if target.endswith(".dot") else ".svg"
    module = import_module(name)
    if face == "html":
        page: str = module.page(result)
        return page.encode()
    if face == "sarif":
        return as_json(module.sarif(result))
    drawn: str = module.document(result)
    return drawn.encode()


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

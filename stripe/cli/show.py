"""``stripe show``: the reports of a result, made again from its JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from stripe.cli.grammar import Parser, result_file
from stripe.cli.options import Count, option, parts_of, shared
from stripe.cli.output import write_lines
from stripe.cli.reads import of_result, of_source
from stripe.cli.report_options import FORMS, Writing, claim_forms, write_forms
from stripe.errors import ExitStatus, UsageError
from stripe.inputs.result import InputResult
from stripe.reduce import Result
from stripe.report import DEFAULT_SECTIONS, SECTIONS, Style, lines
from stripe.report.progress import Reporter
from stripe.report.reading import read_any
from stripe.report.schema import NAMES
from stripe.report.schema import text as schema
from stripe.results.causes import CausesResult
from stripe.results.suspects import SuspectsResult
from stripe.results.why import Document

if TYPE_CHECKING:
    from stripe.report.reading import Answer

DESCRIPTION = """\
Reads a result that stripe why, trace, input, changes, causes or suspects has written with --json
(- is standard input) and makes reports of it. Nothing is run. Without an option it shows what the
verb would have."""

_LARGE = 4 << 20
"""Bytes of a result that takes about as long to read as nobody minds."""


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    text: bool = option("the terminal report (default)")
    show: frozenset[str] | None = option(
        "its parts, as for the verb that made it",
        "WHAT",
        read=parts_of((*SECTIONS, "patch", "story", "chain", "places", "ranking")),
    )
    json: str | None = shared()
    html: str | None = shared()
    sarif: str | None = shared()
    picture: str | None = shared()
    force: bool = shared()
    schema: bool = option(
        "print the JSON Schema of results of stripe trace, and end; --schema input, changes, "
        "causes, suspects or why: of these"
    )
    verbose: Count = shared()


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    source, options = result_file(arguments, parser, needs_none=("--schema",))
    if options.schema:
        write_lines([schema(_named(source)).rstrip()])
        return ExitStatus.OK
    assert source is not None
    writing, shown = _reports(source, options)
    writing.report(shown if options.text or not writing.outputs else (), None)
    return ExitStatus.OK


def _reports(source: str, options: Options) -> tuple[Writing, Iterable[str]]:
    """Write the reports of a result that go to files; and the one for the terminal."""
    with Reporter(sys.stderr) as reporter:
        reporter.doing(f"reading {source}", long=_is_large(source))
        result = read_any(source)
    shown = _shown(result)
    sections = _chosen(options.show, shown.sections, shown.default)
    for face, said in MISSING.items():
        if getattr(options, face) is not None and face not in FORMS[shown.kind]:
            raise UsageError("bad-option", said, f"Leave out --{face}, or take --html.")
    reads = of_result(source, result) if isinstance(result, Result) else of_source(source)
    writing = claim_forms(options, reads, shown.kind)
    write_forms(result, writing, shown.kind, getattr(result, "sources", ()))
    full = "all" in (options.show or ())
    style = Style.of(sys.stdout, full=full, verbose=bool(options.verbose))
    return writing, shown.lines(style, sections)


MISSING = {
    "sarif": "There is no SARIF of this result.",
    "picture": "There are pictures of results of stripe causes only.",
}
"""What is said where a kind of results has no such form."""


class _Shown(NamedTuple):
    """A kind of results: its parts, those that are shown unasked, and its report."""

    kind: str
    sections: Collection[str]
    default: Collection[str]
    lines: Callable[[Style, Collection[str]], Iterable[str]]


def _shown(result: Answer) -> _Shown:
    """How a result is shown."""
    if isinstance(result, Result):
        return _Shown(
            "result", SECTIONS, DEFAULT_SECTIONS, lambda style, parts: lines(result, parts, style)
        )
    if isinstance(result, CausesResult):
        from stripe.report import causes  # lazy

        report = partial(causes.causes_lines, result)
        return _Shown("causes-result", causes.SECTIONS, causes.SECTIONS, report)
    if isinstance(result, InputResult):
        from stripe.report.inputs import input_lines  # lazy

        return _Shown("input-result", (), (), lambda style, parts: input_lines(result, style))
    if isinstance(result, SuspectsResult):
        from stripe.report import suspects  # lazy

        report = partial(suspects.suspects_lines, result)
        return _Shown("suspects-result", suspects.SECTIONS, suspects.SECTIONS, report)
    if isinstance(result, Document):
        from stripe.report.why import why_lines  # lazy

        return _Shown("why-result", (), (), lambda style, parts: why_lines(result, style))
    from stripe.report import changes  # lazy

    report = partial(changes.changes_lines, result)
    return _Shown("changes-result", changes.SECTIONS, changes.DEFAULT_SECTIONS, report)


def _is_large(source: str) -> bool:
    """Whether it takes long to read, in which nothing else of this process can run."""
    try:
        return os.path.getsize(source) > _LARGE
    except OSError:
        return False


def _chosen(
    asked: Collection[str] | None, known: Collection[str], default: Collection[str]
) -> Collection[str]:
    """The parts of a report to show.

    Raises:
        UsageError: ``bad-option``, for parts that this kind of result does not have.
    """
    if asked is None:
        return default
    if "all" in asked:
        return known
    if strange := sorted(set(asked) - set(known)):
        raise UsageError(
            "bad-option",
            f"--show {strange[0]}: this result has no such part.",
            f"It has {', '.join(known)}.",
        )
    return asked


def _named(name: str | None) -> str:
    """Of which verb the schema is wanted.

    Raises:
        UsageError: ``bad-option``, for one that has none.
    """
    if name is not None and name not in NAMES:
        raise UsageError(
            "bad-option", f"There is no schema {name!r}.", f"There are {', '.join(NAMES)}."
        )
    return name or NAMES[0]


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(
        Options,
        prog="stripe show",
        usage="stripe show [OPTIONS] RESULT.json",
        description=DESCRIPTION,
    )

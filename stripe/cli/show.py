"""``stripe show``: the reports of a result, made again from its JSON."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Iterable, Sequence

from stripe.cli.grammar import Parser, result_file
from stripe.cli.output import write_lines
from stripe.cli.reads import of_result, of_source
from stripe.cli.report_options import (
    FACES,
    Writing,
    add_faces,
    add_picture,
    claim_faces,
    drawn_of,
    forms_of,
    parts_of,
    write_answer,
    write_drawn,
    write_faces,
    write_forms,
    write_suspects,
)
from stripe.errors import ExitStatus, UsageError
from stripe.reduce import Result
from stripe.report import DEFAULT_SECTIONS, SECTIONS, Style, lines
from stripe.report.progress import Reporter
from stripe.report.reading import read_any
from stripe.report.schema import NAMES
from stripe.report.schema import text as schema
from stripe.results.why import Document
from stripe.states.result import CausesResult
from stripe.suspects.result import SuspectsResult

DESCRIPTION = """\
Reads a result that stripe why, trace, changes, causes or suspects has written with --json (- is
standard input) and makes reports of it. Nothing is run. Without an option it shows what the verb
would have."""

_LARGE = 4 << 20
"""Bytes of a result that takes about as long to read as nobody minds."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    source, options = result_file(arguments, parser, needs_none=("--schema",))
    if options.help:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    if options.schema:
        write_lines([schema(_named(source)).rstrip()])
        return ExitStatus.OK
    assert source is not None
    writing, shown = _reports(source, options)
    asked = any(getattr(options, name) is not None for name in (*FACES, "picture"))
    writing.report(shown if options.text or not asked else (), None)
    return ExitStatus.OK


def _reports(source: str, options: argparse.Namespace) -> tuple[Writing, Iterable[str]]:
    """Write the reports of a result that go to files; and the one for the terminal."""
    with Reporter(sys.stderr) as reporter:
        reporter.doing(f"reading {source}", long=_is_large(source))
        result = read_any(source)
    full = "all" in (options.show or ())
    style = Style.of(sys.stdout, full=full, verbose=bool(options.verbose))
    if options.picture is not None and not isinstance(result, CausesResult):
        raise UsageError(
            "bad-option",
            "There are pictures of results of stripe causes only.",
            "Leave out --picture, or take --html.",
        )
    if isinstance(result, Result):
        sections = _chosen(options.show, SECTIONS, DEFAULT_SECTIONS)
        writing = claim_faces(options, of_result(source, result))
        write_faces(result, writing)
        return writing, lines(result, sections, style)
    if isinstance(result, CausesResult):
        from stripe.report import causes  # lazy

        sections = _chosen(options.show, causes.SECTIONS, causes.SECTIONS)
        writing = Writing(drawn_of(options), of_source(source), force=options.force)
        write_drawn(result, writing)
        return writing, causes.causes_lines(result, style, sections)
    if isinstance(result, SuspectsResult):
        from stripe.report import suspects  # lazy

        sections = _chosen(options.show, suspects.SECTIONS, suspects.SECTIONS)
        writing = claim_faces(options, of_source(source), "suspects-result")
        write_suspects(result, writing)
        return writing, suspects.suspects_lines(result, style, sections)
    if isinstance(result, Document):
        return _answer(source, options, result, style)
    from stripe.report import changes  # lazy

    sections = _chosen(options.show, changes.SECTIONS, changes.DEFAULT_SECTIONS)
    if options.sarif is not None:
        raise UsageError(
            "bad-option", "There is no SARIF of changes.", "Leave out --sarif, or take --html."
        )
    writing = Writing(forms_of(options), of_source(source), force=options.force)
    write_forms(result, writing)
    return writing, changes.changes_lines(result, style, sections)


def _answer(
    source: str, options: argparse.Namespace, document: Document, style: Style
) -> tuple[Writing, Iterable[str]]:
    """The reports of an answer of ``stripe why``."""
    from stripe.report.why import why_lines  # lazy

    _chosen(options.show, (), ())
    if options.sarif is not None:
        raise UsageError(
            "bad-option", "There is no SARIF of this.", "Leave out --sarif, or take --html."
        )
    outputs = forms_of(options, "why-result")
    writing = Writing(outputs, of_source(source), force=options.force)
    write_answer(document, writing)
    return writing, why_lines(document, style)


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


def build_parser() -> Parser:
    """The parser of all options."""
    parser = Parser(
        prog="stripe show",
        usage="stripe show [OPTIONS] RESULT.json",
        description=DESCRIPTION,
    )
    group = parser.add_argument_group("options")
    parser.option(group, "--text", flag="store_true", help="the terminal report (default)")
    parser.option(
        group,
        "--show",
        metavar="WHAT",
        type=parts_of((*SECTIONS, "patch", "story", "chain", "places", "ranking")),
        help="its parts, as for the verb that made it",
    )
    add_faces(parser, group)
    add_picture(parser, group)
    parser.option(
        group,
        "--schema",
        flag="store_true",
        help="print the JSON Schema of results of stripe trace, and end; --schema input, changes, "
        "causes, suspects or why: of these",
    )
    parser.option(group, "-v", "--verbose", flag="count", default=0, help="more about errors")
    parser.option(group, "-h", "--help", flag="store_true", help="this text")
    return parser

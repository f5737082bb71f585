"""``stripe show``: the reports of a result, made again from its JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from stripe.cli.faces import FACES, add_faces, claim_faces, parts_of, write_faces
from stripe.cli.grammar import Parser, result_file
from stripe.cli.output import write_lines
from stripe.cli.reads import of_result
from stripe.errors import ExitStatus
from stripe.report import DEFAULT_SECTIONS, SECTIONS, Style, lines, read_result
from stripe.report.schema import text as schema

SUMMARY = "make the reports of a result again: text, HTML, SARIF"

DESCRIPTION = """\
Reads a result that stripe trace --json has written (- is standard input) and makes reports of
it. Nothing is run. Without an option it shows what stripe trace would have shown."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    parser = build_parser()
    source, options = result_file(arguments, parser, needs_none=("--schema",))
    if options.help:
        write_lines([parser.format_help().rstrip()])
        return ExitStatus.OK
    if options.schema:
        write_lines([schema().rstrip()])
        return ExitStatus.OK
    assert source is not None
    result = read_result(source)
    writing = claim_faces(options, of_result(source, result))
    write_faces(result, writing)
    asked = any(getattr(options, name) is not None for name in FACES)
    if not writing.standard and (options.text or not asked):
        style = Style.of(sys.stdout, full="all" in options.show, verbose=bool(options.verbose))
        write_lines(lines(result, SECTIONS if style.full else options.show, style))
    writing.complain()
    return ExitStatus.OK


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
        type=parts_of(SECTIONS),
        default=frozenset(DEFAULT_SECTIONS),
        help="its parts, as for stripe trace",
    )
    add_faces(parser, group)
    parser.option(
        group, "--schema", flag="store_true", help="print the JSON Schema of results, and end"
    )
    parser.option(group, "-v", "--verbose", flag="count", default=0, help="more about errors")
    parser.option(group, "-h", "--help", flag="store_true", help="this text")
    return parser

"""The reports a verb can write to files: their options, and writing them."""

from __future__ import annotations

import argparse
from typing import Any, Protocol

from stripe.cli.grammar import Parser
from stripe.cli.output import close_quietly
from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.report.jsonfile import check_writable, write_json, write_text


class Targets(Protocol):
    """The options that name files to write."""

    json: str | None
    html: str | None
    sarif: str | None


FACES = ("json", "html", "sarif")


def check_faces(options: Targets) -> None:
    """Refuse targets that cannot be written, and two of them for standard output."""
    targets = [target for face in FACES if (target := getattr(options, face)) is not None]
    for target in targets:
        check_writable(target)
        if targets.count(target) > 1:
            raise UsageError(
                "bad-option",
                f"Two reports cannot both be written to {target!r}.",
                "Give each its own file.",
            )


def write_faces(result: Result, options: Targets) -> list[str]:
    """Write the reports that were asked for; their targets.

    A reader of standard output that went away is no error.
    """
    if options.json is not None:
        write_data(result.to_json(), options.json)
    try:
        if options.html is not None:
            from stripe.report.html import page

            write_text(page(result), options.html)
        if options.sarif is not None:
            from stripe.report.sarif import sarif

            write_json(sarif(result), options.sarif)
    except BrokenPipeError:
        close_quietly()
    return [target for face in FACES if (target := getattr(options, face)) is not None]


def write_data(data: dict[str, Any], target: str | None) -> bool:
    """Write a result as JSON, if asked for; whether standard output is left to the report.

    What goes to standard output stands alone; a reader that went away is no error.
    """
    if target is not None:
        try:
            write_json(data, target)
        except BrokenPipeError:
            close_quietly()
    return target != "-"


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

"""``stripe doctor``: what this machine has for STRIPE, and what to do about the rest."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stripe.backend import Finding, State
from stripe.cli.grammar import Parser
from stripe.cli.options import option
from stripe.cli.output import write_lines
from stripe.errors import ExitStatus

DESCRIPTION = """\
Tells which interpreter, sandbox, gdb, compilers, extras and cache folder stripe finds here, and
what to do about what is missing. Nothing is changed.

The exit status is 1 if something is missing (no) without which Python programs cannot be
traced as safely as they should; what is marked (-) is optional."""

MARKS = {State.GOOD: "ok", State.LESS: "-", State.BAD: "no"}
COLOURS = {State.GOOD: "green", State.LESS: "dim", State.BAD: "yellow"}


@dataclass(slots=True)
class Options:
    """What the command line asked for."""

    json: bool = option("the same as JSON")


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    options = build_parser().read(arguments)
    from stripe.doctor import as_json, examine  # lazy

    findings = list(examine())
    if options.json:
        write_lines([json.dumps(as_json(findings), indent=2)])
    else:
        write_lines(shown(findings))
    ill = any(each.state is State.BAD for each in findings)
    return ExitStatus.NOT_REDUCIBLE if ill else ExitStatus.OK


def shown(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings for people: a line each, and below it what to do."""
    from stripe.report.style import Style  # lazy

    style = Style.of(sys.stdout)
    column = max(len(each.about) for each in findings)
    for each in findings:
        lead = f"{MARKS[each.state]:<2}  {each.about:<{column}}  "
        yield from style.paragraph(each.says, lead, COLOURS[each.state])
        if each.advice:
            yield from style.paragraph(each.advice, " " * len(lead))


def build_parser() -> Parser[Options]:
    """The parser of all options."""
    return Parser(
        Options, prog="stripe doctor", usage="stripe doctor [--json]", description=DESCRIPTION
    )

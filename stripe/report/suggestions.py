"""Checks to ask for next: one for each line of output, where all of it was looked at together."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from stripe.reduce import Result
from stripe.report.style import printable

MOST = 8
"""Lines that get a check of their own."""


def suggestions(result: Result, width: int) -> Iterator[str]:
    """Ready checks for the lines of a run that was sliced for all that it printed."""
    recorded = result.recorded
    if recorded is None or [each.check for each in result.slices] != ["stdout"]:
        return
    lines = recorded.stdout.splitlines()
    checks = list(line_checks(lines))
    if len(lines) < 2 or not checks:
        return
    yield ""
    yield "The slice is for all lines printed. For one of them, give before the program's name:"
    words = [f"--check {shlex.quote(check)}" for check, _ in checks[:MOST]]
    column = max(map(len, words))
    for word, (_, line) in zip(words, checks, strict=False):
        yield f"  {word:<{column}}  {printable(line)}"[:width] if len(word) < width else f"  {word}"
    if len(checks) > MOST:
        yield f"  ... {len(checks) - MOST} lines more"


def line_checks(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """For each line that no other equals, a check that only this line meets, and the line."""
    for line in lines:
        if lines.count(line) > 1 or not line.strip() or not line.isprintable():
            continue
        for end in [match.end() for match in re.finditer(r"\w+|[^\w\s]+", line)]:
            start = line[:end]
            pattern = re.compile("^" + _escaped(start) + (r"\b" if start[-1].isalnum() else ""))
            if sum(1 for each in lines if pattern.search(each)) == 1:
                simple = re.compile("^" + _escaped(start))
                alone = sum(1 for each in lines if simple.search(each)) == 1
                yield f"stdout:/{(simple if alone else pattern).pattern}/", line
                break
        else:
            yield f"stdout:/^{_escaped(line)}$/", line


def _escaped(text: str) -> str:
    """``text`` as a regular expression that is as easy to read as can be."""
    return re.sub(
        r"([\\.^$*+?{}\[\]|()/])",
        lambda match: "\\x2f" if match[1] == "/" else "\\" + match[1],
        text,
    )

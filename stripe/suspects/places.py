"""What is told of a change that turns failing tests right."""

from __future__ import annotations

import re

from stripe.interventions import Shown
from stripe.results.limits import LONGEST_VALUE
from stripe.results.suspects import Found, Place, Values
from stripe.suspects.differences import first_difference, in_words
from stripe.suspects.edits import unified
from stripe.suspects.ranks import Repair
from stripe.suspects.sources import lines_of

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,16}(?=>)")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


def place_of(repair: Repair, shown: Shown, others: int) -> Place:
    """What is told of a repair."""
    change = repair.change
    # Where something was in memory means nothing to anybody.
    values = first_difference(
        *([_ADDRESS.sub("", each) for each in seen] for seen in (shown.before, shown.after))
    )
    number, lines = change.at.line, lines_of(shown.old)
    return Place(
        file=change.at.file,
        line=change.at.line,
        end=change.end,
        function=change.function,
        kind=change.kind,
        words=_short(in_words(change.words, shown.old, shown.new)),
        diff=None if shown.new is None else unified(change.at.file, shown.old, shown.new),
        size=change.size,
        repaired=repair.repaired,
        failing=repair.failing,
        kept=repair.passing - repair.broken,
        broken=repair.broken,
        passing=repair.passing,
        others=others,
        values=Values(tuple(values.before), tuple(values.after), values.first),
        source=lines[number - 1].strip()[:LONGEST_VALUE] if number <= len(lines) else "",
        righted=repair.righted,
        spoiled=repair.spoiled,
        found=repair.found and Found(*repair.found),
    )

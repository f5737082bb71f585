"""Dead values in words: what a recorded run computed, and nothing read."""

from __future__ import annotations

from collections.abc import Iterator

from stripe.reduce import Result
from stripe.report.style import plural, printable, short

TOLD = 5
"""Dead values that are told where there is not room for all."""

LONGEST_VALUE = 60
"""Characters of a value within a sentence."""


def dead_value_lines(result: Result, most: int | None = None) -> Iterator[tuple[str, str]]:
    """Where a dead value was computed, and a sentence about it; those nearest the symptom first."""
    trace = result.trace
    for each in result.dead_values[:most]:
        statement = trace.statements[trace.statement[each.event]]
        place = f"{short(trace.files[statement.file].path)}:{statement.line}"
        value = each.value
        if len(value) > LONGEST_VALUE:
            value = f"{value[: LONGEST_VALUE - 3]}..."
        computed = f"{each.name} = {value}" if value else each.name
        if each.overwritten is None:
            end = f"{statement.function} ended"
        else:
            line = trace.statements[trace.statement[each.overwritten]].line
            end = f"line {line}{' again' if line == statement.line else ''} overwrote it"
        often = f" ({plural(each.times, 'value')} of this line)" if each.times > 1 else ""
        yield place, printable(f"computed {computed}; {end}, and nothing had read it{often}")

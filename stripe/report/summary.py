"""The summary: what was found, at what cost, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from stripe.backend import End
from stripe.dd import Outcome, Reason
from stripe.reduce import CriticalSlice, Result
from stripe.reduce.result import lines_of
from stripe.report.style import Style, cells, duration, pad, plural, printable, rate
from stripe.report.words import level_lines, outcomes

STOPPED = {
    Reason.FINISHED: "not certified",
    Reason.MAX_TESTS: "the limit of tests was reached",
    Reason.MAX_TIME: "the time limit was reached",
    Reason.STOPPED: "interrupted",
    Reason.MEMORY: "memory was used up",
    Reason.DISK: "the disk was full",
}
"""Why a slice is not certified to be 1-minimal."""

MOST_OTHERS = 3
"""Events that are told to see other values than in the run."""


def summary(result: Result, style: Style) -> Iterator[str]:
    """A column a criterion, a row a fact; then the notes."""
    yield from columns(list(_facts(result)), style)
    for each in result.slices:
        yield from levels(each, style)
    for each in result.slices:
        yield from others(result, each, style)
    if result.interpreter:
        yield f"{style.dim('ran with')}       {printable(result.interpreter)}"
    yield from _reasons(result, style)
    if style.verbose:
        yield from work(result, style)
    yield from note_lines(result.notes, style)


def fact_lines(facts: Iterable[tuple[str, str]], style: Style) -> Iterator[str]:
    """A summary of one line for each fact."""
    told = list(facts)
    width = max(len(label) for label, _ in told)
    for label, value in told:
        yield f"{style.dim(f'{label:<{width}}')}  {printable(value)}"


def note_lines(notes: Iterable[str], style: Style) -> Iterator[str]:
    """Notes, as paragraphs."""
    for note in notes:
        lines = wrapped(note, style.width - 6)
        for index, line in enumerate(lines):
            yield (style.warn("note: ") if index == 0 else "      ") + line


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a paragraph."""
    from textwrap import wrap  # most results have none

    return wrap(printable(text), width, break_on_hyphens=False)


def _facts(result: Result) -> Iterator[tuple[str, list[str]]]:
    """What is told of every slice: a label, and a text for each."""
    slices = result.slices
    executed = len(lines_of(result.trace, set(result.trace.statement)))
    yield "", [printable(each.name) for each in slices]
    yield "events kept", [f"{len(each.events)} of {each.of}" for each in slices]
    yield "lines kept", [f"{len(each.lines(result.trace))} of {executed}" for each in slices]
    yield from _conditions(result)
    yield "tests", [str(each.tests) for each in slices]
    yield "  of them", [outcomes(each.outcomes) for each in slices]
    if any(each.resumed for each in slices):
        yield "  resumed", [str(each.resumed) for each in slices]
    yield "time", [_time(each) for each in slices]
    yield "in all", [duration(result.statistics.total_seconds)] * len(slices)
    yield "1-minimal", [minimality(each) for each in slices]
    yield "fresh process", [verified(each) for each in slices]
    if any(each.others is not None for each in slices):
        yield "values", [faithfulness(each) for each in slices]
    if result.sandbox:
        yield "sandbox", [result.sandbox] * len(slices)


def _conditions(result: Result) -> Iterator[tuple[str, list[str]]]:
    """What is not kept, and decided that kept executions ran, if there is any."""
    if any(each.governing for each in result.slices):
        yield "conditions", [conditions(result, each) for each in result.slices]


def conditions(result: Result, found: CriticalSlice) -> str:
    """How many executions decided that kept ones ran, and on how many lines."""
    statement = result.trace.statement
    lines = lines_of(result.trace, {statement[event] for event in found.governing})
    return f"+{len(found.governing)}, on {plural(len(lines), 'line')}" if lines else "0"


FIRST = 3
"""Reasons that are told unasked."""


def mostly_undecided(found: CriticalSlice) -> bool:
    """Whether more than half of the tests could not be told, for reasons nobody asked for."""
    asked_for = found.undecided.get(End.DIFFERED.value, 0) if found.same else 0
    return 2 * (found.outcomes.get(Outcome.UNRESOLVED, 0) - asked_for) > found.tests


def little(found: CriticalSlice) -> bool:
    """Whether hardly anything could be left out."""
    return 10 * len(found.events) >= 8 * found.of


def _reasons(result: Result, style: Style) -> Iterator[str]:
    """Why tests did not decide: if asked for, or where that may be why so much is left."""
    for each in result.slices:
        counts = sorted(each.undecided.items(), key=lambda item: -item[1])
        if not counts or not (style.verbose or little(each) or mostly_undecided(each)):
            continue
        shown = counts if style.verbose else counts[:FIRST]
        total = each.outcomes.get(Outcome.UNRESOLVED, 0)
        heading = (
            f"{total} of {plural(each.tests, 'test')} for {printable(each.name)} cannot be told:"
        )
        yield style.dim(style.cut(heading, style.width))
        width = len(str(shown[0][1]))
        for why, count in shown:
            yield style.cut(f"  {count:>{width}}  {printable(why)}", style.width)
        if len(shown) < len(counts):
            yield style.dim(f"  and {plural(len(counts) - len(shown), 'reason')} more: -v")


def work(result: Result, style: Style) -> Iterator[str]:
    """What each pass of the search has done, and how often fast paths and caches served."""
    for each in result.slices:
        if not each.passes:
            continue
        heading = f"{'pass for ' + printable(each.name):<24} tests  successes   events  seconds"
        yield style.dim(style.cut(heading, style.width))
        for name, tests, successes, events, seconds in each.passes:
            line = f"  {name:<22} {tests:>5}  {successes:>9}  {events:>7}  {seconds:>7.2f}"
            yield style.cut(line, style.width)
    uses = {name: counts for name, counts in result.statistics.uses.items() if counts[0]}
    if uses:
        yield style.dim(style.cut(f"{'fast path or cache':<24}   served   did not", style.width))
        for name, (served, missed) in uses.items():
            yield style.cut(f"  {printable(name):<22} {served:>8,}  {missed:>8,}", style.width)


def minimality(slice_: CriticalSlice) -> str:
    """``yes``, of which units only, or ``no`` with the reason."""
    if slice_.certified:
        if slice_.others:
            return f"yes, but {len(slice_.others)} of {len(slice_.events)} saw other values"
        return "yes: all of it is needed" if len(slice_.events) == slice_.of else "yes"
    if slice_.stopped is Reason.FINISHED and slice_.verified is False:
        return "no: a fresh process did not show it"
    if slice_.untried:
        return f"could not be tried: {slice_.untried}"
    if slice_.certified_at:
        return f"in {slice_.certified_at} only"
    why = f"no: {STOPPED[slice_.stopped]}"
    return f"{why} at level {slice_.level}" if slice_.levels else why


def _time(slice_: CriticalSlice) -> str:
    return f"{duration(slice_.seconds)}, {rate(slice_.tests, slice_.seconds)}"


def verified(slice_: CriticalSlice) -> str:
    """Whether a slice did the same in a fresh process."""
    if slice_.verified is None:
        return "not tried"
    return "reproduced" if slice_.verified else "NOT reproduced"


def faithfulness(slice_: CriticalSlice) -> str:
    """Whether kept events see what they saw in the recorded run."""
    if slice_.others is None:
        return "not compared"
    if not slice_.others:
        freer = slice_.freer
        return "as in the run" + (f"; with others {len(freer.events)} would do" if freer else "")
    return f"{len(slice_.others)} of {len(slice_.events)} kept events saw others"


def levels(slice_: CriticalSlice, style: Style) -> Iterator[str]:
    """What the levels that were passed have brought."""
    for told in level_lines(slice_):
        lines = wrapped(f"{slice_.name}: {told}", style.width - 7)
        for index, line in enumerate(lines):
            yield (style.dim("level  ") if index == 0 else " " * 7) + line


def others(result: Result, slice_: CriticalSlice, style: Style) -> Iterator[str]:
    """The first values that are not those of the run."""
    found = slice_.others or {}
    for event in list(found)[:MOST_OTHERS]:
        texts = (
            f"{name} was {then} in the run, is {now}" for name, (then, now) in found[event].items()
        )
        line = f"{result.trace.name(event)}: {', '.join(texts)}"
        yield style.warn("other values: ") + style.cut(printable(line), style.width - 14)


def columns(facts: Sequence[tuple[str, Sequence[str]]], style: Style) -> Iterator[str]:
    """Facts in columns, as many criteria side by side as fit."""
    label_width = max(len(label) for label, _ in facts)
    count = len(facts[0][1])
    widths = [
        min(max(cells(values[index]) for _, values in facts), max(12, style.width // 2))
        for index in range(count)
    ]
    # As many criteria side by side as fit, the others below them.
    start = 0
    while start < count:
        stop = start + 1
        used = label_width + 2 + widths[start]
        while stop < count and used + 2 + widths[stop] <= style.width:
            used += 2 + widths[stop]
            stop += 1
        for row, (label, values) in enumerate(facts):
            text = "  ".join(
                pad(style.cut(values[index], widths[index]), widths[index])
                for index in range(start, stop)
            ).rstrip()
            text = style.bold(text) if row == 0 else text
            yield f"{style.dim(f'{label:<{label_width}}')}  {text}"
        start = stop

"""The summary: what was found, at what cost, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import batched
from typing import TYPE_CHECKING

from stripe.backend import End
from stripe.dd import Outcome, Reason
from stripe.reduce import CriticalSlice, Result
from stripe.reduce.result import lines_of
from stripe.report.style import Style, cells, duration, plural, printable, rate, short
from stripe.report.words import level_lines, outcomes

if TYPE_CHECKING:
    from stripe.inputs.result import InputResult
    from stripe.results.causes import CausesResult
    from stripe.results.changes import ChangesResult

STOPPED = {
    Reason.FINISHED: "not certified",
    Reason.MAX_TESTS: "the limit of tests was reached",
    Reason.MAX_TIME: "the time limit was reached",
    Reason.STOPPED: "interrupted",
    Reason.MEMORY: "memory was used up",
    Reason.DISK: "the disk was full",
    Reason.IDLE: "all may be needed, not all was tried",
}
"""Why a slice is not certified to be 1-minimal."""

MOST_LINES = 8
"""Lines that are named of those of which not all executions were left out alone."""

CRITERION_WIDTH = 26
"""Columns of the screen for a criterion that has others beside it; more if its words are longer."""

VERIFIED = {True: "reproduced", False: "NOT reproduced", None: "not tried"}
"""Whether an answer did the same once more in the end."""

MOST_OTHERS = 3
"""Events that are told to see other values than in the run."""


def summary(result: Result, style: Style) -> Iterator[str]:
    """A column a criterion, a row a fact; then the notes."""
    yield from columns(list(_facts(result)), style)
    for each in result.slices:
        yield from levels(each, style)
    for each in result.slices:
        yield from others(result, each, style)
        yield from untried(result, each, style)
    if result.interpreter:
        yield from style.paragraph(result.interpreter, "ran with       ")
    yield from _reasons(result, style)
    if style.verbose:
        yield from work(result, style)
    yield from note_lines(result.notes, style)


def note_lines(notes: Iterable[str], style: Style) -> Iterator[str]:
    """Notes, as paragraphs."""
    for note in notes:
        yield from style.paragraph(note, "note: ", "yellow")


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
        yield from style.paragraph(heading, how="dim")
        rows = [(f"  {count}", printable(why)) for why, count in shown]
        yield from style.table(rows, right=[0])
        if len(shown) < len(counts):
            yield style.dim(f"  and {plural(len(counts) - len(shown), 'reason')} more: -v")


def work(result: Result, style: Style) -> Iterator[str]:
    """What each pass of the search has done, and how often fast paths and caches served."""
    for each in result.slices:
        if each.passes:
            head = (f"pass for {printable(each.name)}", "tests", "successes", "events", "seconds")
            rows = [
                (f"  {name}", str(tests), str(successes), str(events), f"{seconds:.2f}")
                for name, tests, successes, events, seconds in each.passes
            ]
            yield from style.table([head, *rows], right=range(1, 5), head="dim")
    uses = [
        (f"  {printable(name)}", f"{served:,}", f"{missed:,}")
        for name, (served, missed) in result.statistics.uses.items()
        if served
    ]
    if uses:
        uses.insert(0, ("fast path or cache", "served", "did not"))
        yield from style.table(uses, right=[1, 2], head="dim")


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


def untried(result: Result, slice_: CriticalSlice, style: Style) -> Iterator[str]:
    """Of which lines not every kept execution was left out alone, if any was."""
    if not slice_.tried:
        return
    rest = set(slice_.events).difference(slice_.tried)
    if not rest:
        return  # it is another thing that is not certified
    lines = sorted(lines_of(result.trace, map(result.trace.statement.__getitem__, rest)))
    named, last = list[str](), -1
    for file, line in lines[:MOST_LINES]:
        path = short(result.trace.files[file].path)
        named.append(str(line) if file == last else f"{path}:{line}")
        last = file
    more = [f"{len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    told = f"{len(rest)} of {len(slice_.events)} executions kept for {slice_.name}"
    yield from note_lines([f"Not left out alone: {told}, of {', '.join(named + more)}."], style)


def _time(slice_: CriticalSlice) -> str:
    return f"{duration(slice_.seconds)}, {rate(slice_.tests, slice_.seconds)}"


def verified(slice_: CriticalSlice) -> str:
    """Whether a slice did the same in a fresh process."""
    return VERIFIED[slice_.verified]


def account(
    search: InputResult | ChangesResult | CausesResult,
    undecided: Iterable[tuple[str, int]] = (),
    predicted: int = 0,
) -> Iterator[tuple[str, str]]:
    """Facts: how many tests a search took, what came of them, and how long it was."""
    yield "tests", f"{search.tests}"
    yield "  of them", outcomes(search.outcomes)
    for why, count in undecided:
        yield "    because", f"{count}: {why}"
    if predicted:
        yield "  not run", f"{predicted}, which cannot be right"
    if search.resumed:
        yield "  from before", f"{search.resumed} more"
    yield "time", f"{duration(search.seconds)}, {rate(search.tests, search.seconds)}"


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
        yield from style.paragraph(f"{slice_.name}: {told}", "level  ")


def others(result: Result, slice_: CriticalSlice, style: Style) -> Iterator[str]:
    """The first values that are not those of the run."""
    found = slice_.others or {}
    for event in list(found)[:MOST_OTHERS]:
        texts = (
            f"{name} was {then} in the run, is {now}" for name, (then, now) in found[event].items()
        )
        line = f"{result.trace.name(event)}: {', '.join(texts)}"
        yield from style.paragraph(line, "other values: ", "yellow")


def columns(facts: Sequence[tuple[str, Sequence[str]]], style: Style) -> Iterator[str]:
    """Facts in columns, as many criteria side by side as fit: the others are below them."""
    labels = [label for label, _ in facts]
    words = [word for _, values in facts for value in values for word in value.split()]
    narrowest = max([CRITERION_WIDTH, *(cells(word) + 2 for word in words)])
    fitting = max(1, (style.width - max(map(len, labels))) // narrowest)
    for some in batched(zip(*(values for _, values in facts), strict=True), fitting):
        yield from style.table(zip(labels, *some, strict=True), head="bold", labels=True)

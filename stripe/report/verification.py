"""The terminal's face of a verification: what changed, and what still holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stripe.reduce.verify import Verdict, Verification
from stripe.report.style import Style, plural, printable
from stripe.report.summary import columns
from stripe.results.agreement import Agreement
from stripe.trace.levels import LEVELS

SHOWN = 3
"""Events that are named; more are counted."""


def verification(found: Verification, style: Style) -> Iterator[str]:
    """What changed in the program, then a column a slice."""
    yield style.heading("the program")
    if not found.changed:
        yield "source   as recorded"
    for path, lines in found.changed:
        yield style.warn(f"source   {style.path(path)}: changed, {plural(lines, 'line')}")
    events = f"events   {found.events} of {found.of} match"
    if found.parted is not None:
        events += f"; from {found.parted} on, the run takes another course"
    yield events if found.events == found.of else style.warn(events)
    if found.streams:
        yield style.warn(f"output   {' and '.join(found.streams)} changed")
    yield ""
    yield style.heading("the slice" if len(found.verdicts) == 1 else "the slices")
    facts: list[tuple[str, Sequence[str]]] = [
        ("", [printable(each.name) for each in found.verdicts]),
        ("behaviour", [behaviour(each) for each in found.verdicts]),
        ("events", [_events_of(each) for each in found.verdicts]),
        ("fresh process", [reproduced(each) for each in found.verdicts]),
        ("1-minimal", [_minimal(each) for each in found.verdicts]),
        ("the slice", ["HOLDS" if each.holds else "does NOT hold" for each in found.verdicts]),
    ]
    yield from columns(facts, style)
    for each in found.verdicts:
        if each.reason:
            yield style.warn(f"{printable(each.name)}: {printable(each.reason)}")


def behaviour(verdict: Verdict) -> str:
    """Whether the program does what it did."""
    return "as recorded" if verdict.behaviour else "changed"


def _events_of(verdict: Verdict) -> str:
    if verdict.missing:
        return f"{len(verdict.missing)} of {verdict.kept} gone: {some(verdict.missing)}"
    if verdict.added:
        return f"needs {len(verdict.added)} more: {some(verdict.added)}"
    return f"all {verdict.kept} found"


def reproduced(verdict: Verdict) -> str:
    """Whether the kept events, replayed, do what they did."""
    if verdict.reproduced is None:
        return "not tried"
    return "reproduced" if verdict.reproduced else "NOT reproduced"


def _minimal(verdict: Verdict) -> str:
    if verdict.needless is None:
        return "not tried"
    if not verdict.needless:
        return "yes" if verdict.level == LEVELS[-1] else f"in {verdict.level} only"
    return f"no: {len(verdict.needless)} can go: {some(verdict.needless)}"


def some(names: Sequence[str]) -> str:
    """The first few names."""
    return ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")


FATES = {"holds": "HOLDS", "gone": "NOT found again", "untried": "not decided"}


def answers(found: Agreement, style: Style) -> Iterator[str]:
    """What happens now, and what became of each reason of an answer of ``stripe why``."""
    yield style.heading("what happens")
    if found.same:
        yield f"as it was: {printable(found.now)}"
    else:
        yield style.warn(f"now:  {printable(found.now)}")
        yield f"then: {printable(found.then)}"
    yield ""
    yield style.heading("what the answer rests on")
    for each in found.again:
        told = f"{FATES[each.fate]}: {each.says}" + (f" ({each.why})" if each.why else "")
        line = f"{style.path(each.file)}:{each.line}  {printable(told)}"
        yield line if each.fate == "holds" else style.warn(line)
    if not found.again:
        yield "It names no place: there is nothing to try again."
    yield f"the answer  {'HOLDS' if found.holds else 'does NOT hold as it was'}"

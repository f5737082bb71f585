"""The page of suspects: one file without a script, in the style of the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stripe.dd import Reason
from stripe.report.html import heat
from stripe.report.html.document import asset, document
from stripe.report.html.heat import WIDEST_NAME
from stripe.report.html.search import safe
from stripe.report.html.sections import notes
from stripe.report.style import cut, duration, middle, plural, rate
from stripe.report.summary import STOPPED
from stripe.report.suspects import (
    LEGEND,
    SAID,
    STANDING,
    beforehand,
    evidence,
    suspected,
    which_values,
    without_values,
)
from stripe.suspects import Line, Place, SuspectsResult

MOST_ROWS = 1000
"""Rows of the ranking."""

MOST_NAMES = 200
"""Tests that are named."""

SPOKEN = {" ": "", "-": "removed ", "+": "added "}
"""What a sign says to those who do not see it."""

COUNTS = ("offered", "tried", "repaired", "partly", "broken")
"""What the ranking tells of changes."""

KINDS = {" ": "", "-": "minus", "+": "plus"}

_HUNK = re.compile(r"@@ -(\d{1,9})\S* \+(\d{1,9})")


def page(result: SuspectsResult) -> str:
    """The whole page as text."""
    title = f"Where {cut(suspected(result), WIDEST_NAME)} may be wrong"
    style = asset("page.css") + asset("suspects.css") + heat.rules()
    return "".join(document(title, style, "", _body(result)))


def _body(result: SuspectsResult) -> Iterator[str]:
    yield '<a class="skip" href="#code">Skip to the code</a>\n<header>\n'
    what = suspected(result)
    program = safe(cut(what, WIDEST_NAME))
    program = f"<code>{program}</code>" if what == result.program else program
    yield f"<h1>Suspects <span>where {program} may be wrong</span></h1>\n"
    yield '<p class="lead">One small thing of the program was changed at a time, and its tests '
    yield "were run again. What makes failing tests pass and breaks none says where to look. It is "
    yield "no proof: the change need not be the right one.</p>\n"
    yield from _cards(result)
    yield "</header>\n<main>\n"
    yield from _places(result)
    yield from _code(result)
    yield from _ranking(result)
    yield from notes(result.notes)
    yield "</main>\n"


def _cards(result: SuspectsResult) -> Iterator[str]:
    yield '<ul class="cards">\n<li class="card"><h2>Places</h2>'
    yield f"<p class='big'>{len(result.places)} <small>of "
    yield f"{plural(len(result.ranking), 'suspected line')}</small></p></li>\n"
    yield '<li class="card"><h2>Tests</h2><dl>'
    for label, names in (
        ("failing", result.failing),
        ("passing", result.passing),
        ("left out", result.left_out),
    ):
        if names or label != "left out":
            yield f"<dt>{label}</dt><dd>{len(names)}</dd>"
    yield "</dl>"
    for label, names in (("fail", result.failing), ("are left out", result.left_out)):
        yield from _names(label, names)
    yield '</li>\n<li class="card"><h2>Search</h2><dl>'
    lost = sum(result.ended.get(each, 0) for each in ("fuel", "crashed"))
    yield f"<dt>changes</dt><dd>{result.tried:,} of {result.offered:,} tried</dd>"
    if lost:
        yield f"<dt>lost</dt><dd>{lost:,}: killed, or out of fuel</dd>"
    yield f"<dt>time</dt><dd>{duration(result.seconds)}, {rate(result.runs, result.seconds)}</dd>"
    if result.stopped is not Reason.FINISHED:
        yield f"<dt>ended</dt><dd>{STOPPED[result.stopped]}</dd>"
    if (sliced := result.slice) is not None:
        sure = "" if sliced.certified else ", not certified"
        yield f"<dt>slice</dt><dd>{sliced.kept:,} of {plural(sliced.of, 'execution')} of "
        yield f"<code>{safe(middle(sliced.run, WIDEST_NAME))}</code>{sure}</dd>"
    if result.sandbox:
        yield f"<dt>sandbox</dt><dd>{safe(result.sandbox)}</dd>"
    yield "</dl></li>\n</ul>\n"


def _names(label: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield f'<details><summary>Which {label}</summary><ul class="names">'
        for name in names[:MOST_NAMES]:
            yield f"<li>{safe(cut(name, 2 * WIDEST_NAME))}</li>"
        if len(names) > MOST_NAMES:
            yield f"<li>and {len(names) - MOST_NAMES} more</li>"
        yield "</ul></details>"


# -- the places


def _places(result: SuspectsResult) -> Iterator[str]:
    yield '<section id="places" aria-labelledby="places-h"><h2 id="places-h">Places</h2>\n'
    if (said := beforehand(result)) is not None:
        yield f'<p class="hint">{said}</p>\n'
    files = heat.anchors(result)
    for number, place in enumerate(result.places, 1):
        where = f"{middle(place.file, WIDEST_NAME)}:{place.line}"
        link = f'<a href="#f{files.get(place.file, 0)}l{place.line}">{safe(where)}</a>'
        within = f", in <code>{safe(middle(place.function, WIDEST_NAME))}</code>"
        yield f'<article class="step" id="place{number}" aria-labelledby="place{number}-h">'
        yield f'<h3 id="place{number}-h">{number}. {link}{within if place.function else ""}</h3>\n'
        yield f'<p class="evidence">{_with_code(evidence(place))}</p>\n'
        yield from _diff(place, number)
        yield from _facts(place, result)
        yield from _names("pass with it", place.righted)
        yield from _names("it breaks", place.spoiled)
        yield "</article>\n"
    yield "</section>\n"


def _with_code(text: str) -> str:
    """As HTML; what is between backquotes is code."""
    parts = safe(text).split("`")
    if len(parts) % 2 == 0:  # one of them is part of the program
        return "".join(parts)
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def _facts(place: Place, result: SuspectsResult) -> Iterator[str]:
    yield f'<dl class="facts"><dt>turns right</dt><dd>{place.repaired} of '
    yield f"{plural(place.failing, 'failing test')}</dd><dt>still pass</dt><dd>"
    yield f"{place.kept} of {plural(place.passing, 'passing test')}</dd>"
    if place.before or place.after:
        yield f"<dt>{which_values(place)}</dt><dd>"
        yield from _values(place.before, place.after, without_values(place))
        yield "</dd><dt>with the change</dt><dd>"
        yield from _values(place.after, place.before, without_values(place))
        yield "</dd>"
    if result.slice is not None:
        stands = result.slice.of_line(Line(place.file, place.line))
        yield f"<dt>the line is</dt><dd>{SAID[stands]}</dd>"
    yield "</dl>\n"


def _values(values: Sequence[str], others: Sequence[str], none: str) -> Iterator[str]:
    """Values; those that are not the same in ``others`` are marked."""
    if not values:
        yield none
    for index, value in enumerate(values):
        other = others[index] if index < len(others) else None
        mark = ' class="differs"' if value != other else ""
        yield f"{', ' if index else ''}<code{mark}>{safe(value)}</code>"


def _diff(place: Place, number: int) -> Iterator[str]:
    """The change as a diff, or the line itself."""
    yield '<div class="file"><div class="scroll" tabindex="0" role="region" '
    yield f'aria-label="Change {number}"><table class="src diff"><thead><tr>'
    for column in ("before", "after"):
        yield f'<th scope="col" class="n"><span class="sr">{column}</span></th>'
    yield '<th scope="col" class="c"><span class="sr">line</span></th></tr></thead>\n<tbody>'
    if place.diff is None:
        yield _diff_row(str(place.line), "", " ", place.source)
    before = after = 0
    for line in (place.diff or "").split("\n"):
        if hunk := _HUNK.match(line):
            if before:
                yield '<tr class="foldrow"><td colspan="3">⋮</td></tr>\n'
            before, after = int(hunk[1]), int(hunk[2])
        elif before and line[:1] in KINDS and line:
            sign = line[0]
            old, new = "" if sign == "+" else str(before), "" if sign == "-" else str(after)
            yield _diff_row(old, new, sign, line[1:].removesuffix("\r"))
            before += sign != "+"
            after += sign != "-"
    yield "</tbody></table></div></div>\n"
    if place.diff is None:
        yield '<p class="hint">This change cannot be written as a text of the file.</p>\n'


def _diff_row(old: str, new: str, sign: str, text: str) -> str:
    kind = f' class="{KINDS[sign]}"' if KINDS[sign] else ""
    return (
        f'<tr{kind}><td class="n">{old}</td><td class="n">{new}</td><td class="c">'
        f'<span class="sr">{SPOKEN[sign]}</span><code><i aria-hidden="true">{sign}</i>'
        f"{safe(text)}</code></td></tr>\n"
    )


# -- all lines


def _code(result: SuspectsResult) -> Iterator[str]:
    yield '<section id="code" aria-labelledby="code-h"><h2 id="code-h">Code</h2>\n'
    yield '<p class="hint">A bar tells what was tried at a line: the longer, the more changes, and '
    yield "its parts are those that</p>\n"
    yield from heat.legend()
    yield '<p class="hint">Behind it, how many of them repaired something and broke nothing. Lines '
    yield "without a bar have no change that was tried, faded ones are not executed by what fails."
    yield "</p>\n"
    yield from heat.code(result)
    yield "</section>\n"


def _ranking(result: SuspectsResult) -> Iterator[str]:
    yield '<section id="ranking" aria-labelledby="ranking-h"><h2 id="ranking-h">Ranking</h2>\n'
    yield '<p class="hint">Lines with a change that repairs all failing tests and breaks none come '
    yield "first. The others are in order of the spectrum (Ochiai: which tests execute a line). "
    yield "Changes that repair some, or break few, add something to that.</p>\n"
    yield '<div class="scroll tall" tabindex="0" role="region" aria-label="The ranking">'
    yield '<table class="ranking"><thead><tr><th scope="col">rank</th>'
    yield '<th scope="col" class="l">line</th>'
    slices = () if result.slice is None else ("slice",)
    for column in (*COUNTS, *result.spectrum, *slices):
        yield f'<th scope="col">{column}</th>'
    yield "</tr></thead>\n<tbody>"
    files = heat.anchors(result)
    places = {(each.file, each.line) for each in result.places}
    for each in result.ranking[:MOST_ROWS]:
        at = Line(each.file, each.line)
        tally = result.tallies.get(at)
        where = safe(f"{middle(each.file, WIDEST_NAME)}:{each.line}")
        link = (
            f'<a href="#f{files[each.file]}l{each.line}">{where}</a>'
            if at in result.source
            else where
        )
        kind = ' class="place"' if at in places else ""
        yield f'<tr{kind}><td>{each.rank}</td><td class="l">{link}</td>'
        for name in COUNTS:
            yield f"<td>{getattr(tally, name) or '' if tally else ''}</td>"
        for scores in result.spectrum.values():
            score = scores.get(at, 0.0)
            yield f"<td>{'∞' if score == float('inf') else f'{score:.3f}'}</td>"
        if result.slice is not None:
            yield f"<td>{STANDING[result.slice.of_line(at)]}</td>"
        yield "</tr>\n"
    yield "</tbody></table></div>\n"
    if result.slice is not None:
        yield f'<p class="hint">{LEGEND}</p>\n'
    if len(result.ranking) > MOST_ROWS:
        yield f'<p class="hint">{len(result.ranking) - MOST_ROWS:,} more are in the JSON.</p>\n'
    yield "</section>\n"

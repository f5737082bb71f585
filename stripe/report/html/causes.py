"""The page of a cause-effect chain: one file without a script, in the style of the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from stripe.report.causes import (
    WIDEST,
    WIDEST_NAME,
    listed,
    place,
    question,
    steps,
    together,
    values,
)
from stripe.report.html.document import asset, document
from stripe.report.html.search import safe
from stripe.report.html.sections import notes
from stripe.report.pictures.svg import LEGEND, drawn, style
from stripe.report.style import cut, duration, middle, plural
from stripe.report.summary import STOPPED
from stripe.report.words import WORDS
from stripe.states.explanation import AROUND
from stripe.states.isolation import Cause
from stripe.states.result import CausesResult


def page(result: CausesResult) -> str:
    """The whole page as text."""
    title = f"Why {cut(result.program, WIDEST_NAME)} fails"
    return "".join(document(title, asset("page.css") + style(), "", _body(result)))


def _body(result: CausesResult) -> Iterator[str]:
    yield '<a class="skip" href="#chain">Skip to the chain</a>\n<header>\n'
    program = safe(cut(result.program, WIDEST_NAME))
    yield f"<h1>Causes <span>that make <code>{program}</code> fail</span></h1>\n"
    yield f'<p class="lead">{safe(question(result))}</p>\n<dl class="happened">'
    yield f'<dt>it fails with</dt><dd class="exception">{safe(result.ends[0])}</dd>'
    yield f"<dt>it passes with</dt><dd>{safe(result.ends[1])}</dd></dl>\n"
    yield from _cards(result)
    yield "</header>\n<main>\n"
    yield from _chain(result)
    yield from _table(result)
    yield from _steps(result)
    yield from notes(result.notes)
    yield "</main>\n"


def _cards(result: CausesResult) -> Iterator[str]:
    counts = ", ".join(
        f"{result.outcomes.get(outcome, 0)} {word}" for outcome, word in WORDS.items()
    )
    steps = result.steps
    sure = "yes, each" if result.certified else f"no: {STOPPED[result.stopped]}"
    yield '<ul class="cards">\n<li class="card"><h2>Chain</h2>'
    yield f"<p class='big'>{len(steps)} <small>{'cause' if len(steps) == 1 else 'causes'}, "
    yield f"{plural(len(result.transitions), 'transition')}</small></p>"
    yield f"<dl><dt>1-minimal</dt><dd>{sure}</dd></dl></li>\n"
    yield '<li class="card"><h2>Runs</h2><dl>'
    for label, text in (("fails", result.failing), ("passes", result.passing)):
        yield f"<dt>{label}</dt><dd><code>{safe(cut(text, 200)) or 'no input'}</code></dd>"
    yield f"<dt>check</dt><dd><code>{safe(result.check)}</code></dd></dl></li>\n"
    yield '<li class="card"><h2>Search</h2><dl>'
    yield f"<dt>tests</dt><dd>{result.tests} in {duration(result.seconds)}: {counts}</dd>"
    if result.resumed:
        yield f"<dt>from before</dt><dd>{result.resumed} more</dd>"
    yield f"<dt>moments</dt><dd>{result.matched:,} of {result.moments:,} are in both runs, "
    yield f"{len(result.chain)} looked at</dd></dl>"
    if result.undecided:
        yield f"<details><summary>Why {plural(sum(result.undecided.values()), 'test')} decided "
        yield "nothing</summary><ul>"
        for why, count in sorted(result.undecided.items(), key=lambda item: -item[1]):
            yield f"<li>{count} × {safe(why)}</li>"
        yield "</ul></details>"
    yield "</li>\n</ul>\n"


def _chain(result: CausesResult) -> Iterator[str]:
    """The narrative: each step leads to its picture."""
    yield '<section id="chain" aria-labelledby="chain-h"><h2 id="chain-h">The chain</h2>\n'
    if not result.chain:
        yield '<p class="hint">Nothing was found before the search ended.</p></section>\n'
        return
    yield '<p class="hint">Each of these was set in the run that passes to what it is in the run '
    yield "that fails, and then it failed. <i>Hence</i>: the one before "
    yield "makes it so, as tests have shown. "
    yield "Where the cause passes from one variable to another, or "
    yield "next to it, there is often the fault.</p>\n<ol class='chain'>\n"
    for number, (how, cause, doubt) in enumerate(steps(result), 1):
        yield f'<li>{how} <a href="#step{number}"><code>{safe(place(cause))}</code></a>, '
        yield f"{_sentence(cause)}{safe(doubt)};</li>\n"
    yield f'<li class="end">hence the failure: <b>{safe(result.ends[0])}</b>.</li>\n'
    yield "</ol></section>\n"


def _sentence(cause: Cause) -> str:
    """What was the cause; names in it are code."""
    parts = safe(together(cause)).split("`")
    if len(parts) != 1 + 2 * (len(cause.variables) + len(cause.context)):
        return "".join(parts)  # a name has such signs itself
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def _table(result: CausesResult) -> Iterator[str]:
    if not result.chain:
        return
    yield '<section id="table" aria-labelledby="table-h"><h2 id="table-h">Table</h2>\n'
    yield '<div class="scroll" tabindex="0" role="region" aria-label="The chain as a table">'
    yield '<table class="causes"><thead><tr><th scope="col">moment</th>'
    for column in ("variable", "failing", "passing", "before"):
        yield f'<th scope="col">{column}</th>'
    yield "</tr></thead>\n<tbody>"
    for number, cause in enumerate(result.steps):
        file, line, _ = cause.match.failing
        text = result.source.get((file, line), "").strip()
        for index, each in enumerate(cause.variables):
            first = f'<a href="#step{number + 1}">{safe(place(cause))}</a>' if not index else ""
            name = safe(middle(each.name, WIDEST_NAME))
            passing, failing = values(each, WIDEST)
            yield f'<tr><td>{first}</td><td class="name"><code>{name}</code></td>'
            yield f'<td><code class="failing">{safe(failing) or "-"}</code></td>'
            yield f'<td><code class="passing">{safe(passing) or "-"}</code></td>'
            yield f"<td><code>{safe(text) if not index else ''}</code></td></tr>\n"
    yield "</tbody></table></div></section>\n"


# -- each step, with its place and its states


def _steps(result: CausesResult) -> Iterator[str]:
    if not result.chain:
        return
    yield '<section id="steps" aria-labelledby="steps-h"><h2 id="steps-h">States</h2>\n'
    yield '<p class="hint">What the variables were just before the marked line was executed. '
    yield f"Without a sign: the same in both runs. {LEGEND}</p>\n"
    into = {id(each.after): each for each in result.transitions}
    shown = (*result.steps, *(each.before for each in result.transitions))
    marked = {each.match.failing[:2] for each in shown}
    for number, cause in enumerate(result.steps):
        yield f'<article class="step" id="step{number + 1}" aria-labelledby="step{number + 1}-h">'
        yield f'<h3 id="step{number + 1}-h">{number + 1}. {safe(place(cause))}: {_sentence(cause)}'
        yield "</h3>\n"
        transition = into.get(id(cause))
        if transition is not None:
            how = "" if transition.direct else ", perhaps others between"
            yield '<p class="transition">Cause transition: '
            yield f"{_names(transition.before)} since <code>{safe(place(transition.before))}</code>"
            yield f"{how}; now {_names(cause)}.</p>\n"
        yield from _source(result, cause, number, marked)
        yield from _known(cause)
        yield '<div class="scroll" tabindex="0" role="region" '
        yield f'aria-label="States of step {number + 1}">'
        yield from drawn(cause, number + 1)
        yield "</div></article>\n"
    yield "</section>\n"


def _names(cause: Cause) -> str:
    names = [safe(middle(each.name, WIDEST_NAME)) for each in cause.variables]
    return listed([f"<code>{name}</code>" for name in names])


def _known(cause: Cause) -> Iterator[str]:
    """How many differences there were, and how sure it is."""
    told = f"{plural(cause.deltas, 'difference')} between the states"
    if cause.context:
        told += f", {len(cause.context)} of them changed as well"
    if not cause.certified:
        told += "; the search ended before it was certain that no single one can be left out"
    calls = " from ".join(
        f"{call.function}:{call.line}"
        if call.function != "<module>"
        else f"{call.file}:{call.line}"
        for call in cause.match.backtrace
    )
    yield f'<p class="hint">{told}. On the stack: <code>{safe(cut(calls, 400))}</code></p>\n'


def _source(
    result: CausesResult, cause: Cause, number: int, marked: Collection[tuple[str, int]]
) -> Iterator[str]:
    """The lines around a moment; those of other steps are marked as well."""
    file, line, _ = cause.match.failing
    lines = {n: result.source.get((file, n)) for n in range(line - AROUND, line + AROUND + 1)}
    if not any(text is not None for text in lines.values()):
        return
    yield '<div class="file"><div class="scroll" tabindex="0" role="region" '
    yield f'aria-label="Lines of step {number + 1}"><table class="src around">'
    yield f"<caption>{safe(cut(file, WIDEST_NAME))}</caption><tbody>"
    for n, text in lines.items():
        if text is not None:
            kind = ' class="now"' if n == line else ' class="also"' if (file, n) in marked else ""
            said = '<span class="sr">next: </span>' if n == line else ""
            yield f'<tr{kind}><td class="n">{n}</td><td class="c">{said}<code>{safe(text) or " "}'
            yield "</code></td></tr>\n"
    yield "</tbody></table></div></div>\n"

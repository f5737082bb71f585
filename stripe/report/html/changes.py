"""The page of changes that make a test fail: one file, in the style of the page of a slice."""

from __future__ import annotations

from collections.abc import Iterator

from stripe.changes.narrative import narrative
from stripe.changes.result import ChangedFile, ChangesResult, Passage
from stripe.report.changes import author, chart_of, minimality, place, sentence, told
from stripe.report.html.document import asset, document
from stripe.report.html.search import legend, picture, safe
from stripe.report.html.sections import notes
from stripe.report.style import duration, plural
from stripe.report.summary import VERIFIED
from stripe.report.words import WORDS

KINDS = {" ": "", "-": "minus", "+": "plus"}
"""What a row of a diff is called in the style."""

SAID = {" ": "", "-": "removed ", "+": "added "}
"""What a sign says to those who do not see it."""


def page(result: ChangesResult) -> str:
    """The whole page as text."""
    title = f"Changes that make {result.test} fail"
    return "".join(document(title, asset("page.css"), asset("search.js"), _body(result)))


def _body(result: ChangesResult) -> Iterator[str]:
    yield '<a class="skip" href="#answer">Skip to the changes</a>\n<header>\n'
    yield f"<h1>Changes <span>that make <code>{safe(result.test)}</code> fail</span></h1>\n"
    yield f'<p class="lead">{safe(sentence(result))}.</p>\n'
    yield f'<dl class="happened"><dt>it fails with</dt><dd class="exception">{safe(result.failure)}'
    if result.failure_now != result.failure:
        yield f"</dd><dt>the answer with</dt><dd>{safe(result.failure_now)}"
    yield "</dd></dl>\n"
    yield from _cards(result)
    yield "</header>\n<main>\n"
    yield from _answer(result)
    yield from _story(result)
    yield from _search(result)
    yield from _patch(result)
    yield from notes(result.notes)
    yield "</main>\n"


def _cards(result: ChangesResult) -> Iterator[str]:
    counts = ", ".join(
        f"{result.outcomes.get(outcome, 0)} {word}" for outcome, word in WORDS.items()
    )
    yield '<ul class="cards">\n<li class="card"><h2>To blame</h2>'
    yield f"<p class='big'>{result.blamed_lines} <small>of {plural(result.lines, 'line')} changed"
    yield f"</small></p><dl><dt>1-minimal</dt><dd>{minimality(result)}</dd>"
    yield f"<dt>run once more</dt><dd>{VERIFIED[result.verified]}</dd></dl></li>\n"
    yield '<li class="card"><h2>Versions</h2><dl>'
    yield f"<dt>good</dt><dd><code>{safe(result.good)}</code></dd>"
    yield f"<dt>bad</dt><dd><code>{safe(result.bad)}</code></dd>"
    yield f"<dt>between</dt><dd>{plural(result.steps, 'step')}, {plural(result.changes, 'hunk')}"
    yield "</dd>"
    if result.build is not None:
        yield f"<dt>build</dt><dd><code>{safe(result.build)}</code></dd>"
    yield f"<dt>test</dt><dd><code>{safe(result.test)}</code></dd></dl></li>\n"
    yield '<li class="card"><h2>Search</h2><dl>'
    yield f"<dt>tests</dt><dd>{result.tests} in {duration(result.seconds)}: {counts}</dd>"
    if result.predicted:
        yield f"<dt>not run</dt><dd>{result.predicted}, which cannot be right</dd>"
    if result.resumed:
        yield f"<dt>from before</dt><dd>{result.resumed} more</dd>"
    for level in filter(told, result.levels):
        yield f"<dt>{safe(level.name)}</dt><dd>{level.after} of {level.before}, "
        yield f"{plural(level.tests, 'test')}</dd>"
    yield "</dl></li>\n</ul>\n"


# -- the answer


def _answer(result: ChangesResult) -> Iterator[str]:
    yield '<section id="answer" aria-labelledby="answer-h"><h2 id="answer-h">The changes</h2>\n'
    yield '<p class="hint">What the good version needs to fail, and what is around it.</p>\n'
    for file in result.files:
        path = file.after or file.before
        named = f"{file.before} → {path}" if file.before not in ("", path) else path
        gone = "" if file.after else " <small>is removed</small>"
        new = "" if file.before else " <small>is new</small>"
        yield f'<details class="file" open><summary>{safe(named)}{gone}{new}</summary>'
        yield from _makers(result, file)
        if file.passages:
            yield '<div class="scroll" tabindex="0" role="region" aria-label="Changes of '
            yield f'{safe(path)}">'
            yield from _table(result, file)
            yield "</div>"
        yield "</details>\n"
    yield "</section>\n"


def _makers(result: ChangesResult, file: ChangedFile) -> Iterator[str]:
    """By whom a file was changed, and where."""
    yield '<ul class="makers">'
    owners = {by for passage in file.passages for _, _, by in passage.lines if by >= 0}
    for number, each in enumerate(result.blamed):
        if number in owners or each.path == (file.after or file.before):
            who = author(each)
            yield f"<li><code>{safe(place(each))}</code>"
            yield f"<br>{safe(who)}</li>" if who else "</li>"
    yield "</ul>"


def _table(result: ChangesResult, file: ChangedFile) -> Iterator[str]:
    yield '<table class="src diff"><thead><tr>'
    for column in ("before", "after", "by"):
        yield f'<th scope="col" class="n"><span class="sr">{column}</span></th>'
    yield '<th scope="col" class="c"><span class="sr">line</span></th></tr></thead>\n<tbody>'
    for number, passage in enumerate(file.passages):
        if number or passage.before > 1 or passage.after > 1:
            yield '<tr class="foldrow"><td colspan="4">⋮</td></tr>\n'
        yield from _rows(result, passage)
    yield "</tbody></table>"


def _rows(result: ChangesResult, passage: Passage) -> Iterator[str]:
    before, after = passage.before, passage.after
    for sign, text, by in passage.lines:
        old = "" if sign == "+" else str(before)
        new = "" if sign == "-" else str(after)
        commit = safe(result.blamed[by].commit[:7]) if by >= 0 else ""
        kind = f' class="{KINDS[sign]}"' if sign != " " else ""
        yield (
            f'<tr{kind}><td class="n">{old}</td><td class="n">{new}</td><td class="n by">{commit}'
            f'</td><td class="c"><span class="sr">{SAID[sign]}</span><code>'
            f'<i aria-hidden="true">{sign}</i>{safe(text)}</code></td></tr>\n'
        )
        before += sign != "+"
        after += sign != "-"


# -- what is known of it


def _story(result: ChangesResult) -> Iterator[str]:
    statements = narrative(result)
    if not statements:
        return
    yield '<section id="story" aria-labelledby="story-h"><h2 id="story-h">What tests have shown'
    yield "</h2>\n<dl class='story'>"
    for each in statements:
        kind = each.about.replace(" ", "-")
        yield f'<dt class="{kind}">{safe(each.about)}</dt><dd>{safe(each.text)}'
        if each.items:
            yield "<ul>" + "".join(f"<li>{safe(item)}</li>" for item in each.items) + "</ul>"
        yield "</dd>\n"
    yield "</dl></section>\n"


def _search(result: ChangesResult) -> Iterator[str]:
    yield '<section id="search" aria-labelledby="search-h"><h2 id="search-h">Search</h2>\n'
    yield '<p class="hint">A row is a test: the changes it had, from the first to the last, and '
    yield "whether it failed as the bad version does: it did (kept), it passed (lost), or it said "
    yield "neither (other). The line on the right is the size of the best answer by then.</p>\n"
    yield from legend(predicted=any(each.predicted for each in result.log))
    yield from picture(chart_of(result), 0, "All levels", result.undecided)
    yield "</section>\n"


def _patch(result: ChangesResult) -> Iterator[str]:
    lines = result.patch.decode("utf-8", "replace").splitlines()
    yield '<section id="patch" aria-labelledby="patch-h"><h2 id="patch-h">The patch</h2>\n'
    yield f'<p class="hint">For <code>git apply</code> on {safe(result.good)}, '
    yield f"{plural(len(lines), 'line')}.</p>\n"
    yield "<details><summary>Show it</summary><pre tabindex='0'>"
    yield "\n".join(map(safe, lines))
    yield "</pre></details></section>\n"

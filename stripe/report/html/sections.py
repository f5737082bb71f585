"""The parts of the page that can be read without its script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from stripe.reduce import CriticalSlice, Result
from stripe.report.chart import Chart
from stripe.report.happened import happened, marked
from stripe.report.html.search import legend, picture, safe
from stripe.report.levels import level_lines
from stripe.report.source import ELSEWHERE, Line, folds, lines_of
from stripe.report.style import Style, duration, plural
from stripe.report.summary import conditions, faithfulness, minimality, verified
from stripe.report.table import Item, Layout, Repeat, Row, Unkept, items_of
from stripe.report.words import WORDS

MOST_LINES = 20_000
"""Source lines of a page; of more, stretches with nothing kept are left out."""

MOST_ROWS = 1000
"""Rows of the folded table; the list that the script makes has all events."""

MOST_VALUES = 4
"""Variables shown at the end of a line."""

BAR = 34
"""Width of a heat bar."""


def rules(criteria: int) -> str:
    """The style rules that name a criterion."""
    return "".join(
        f'[data-c="{n}"] tr.k{n}>.c{{color:var(--kept);font-weight:600}}'
        f'[data-c="{n}"] tr.k{n}{{background:var(--keptbg)}}'
        f'[data-c="{n}"] tr.k{n}>.h{n},[data-c="{n}"] tr.g{n}>.h{n}{{color:var(--text)}}'
        f'[data-c="{n}"] tr.g{n}>.c{{color:var(--text)}}'
        f'[data-c="{n}"] tr.g{n}>.n{{box-shadow:inset 3px 0 var(--pale)}}'
        f'[data-c="{n}"] tr.k{n}>.n{{color:var(--accent);box-shadow:inset 3px 0 var(--accent)}}'
        f'.js [data-c="{n}"] .h:not(.h{n}),.js [data-c="{n}"] .v:not(.v{n}){{display:none}}'
        for n in range(criteria)
    )


# -- the head


def header(result: Result, title: str) -> Iterator[str]:
    """Title, what was found, and how sure it is."""
    yield '<a class="skip" href="#source">Skip to the source</a>\n<header>\n'
    yield f"<h1>Critical slice <span>of <code>{escape(title)}</code></span></h1>\n"
    yield '<p class="lead">The few executions that make the program do what it did. Each was '
    yield "left out once more, alone, and each time the behaviour was lost, unless it says "
    yield "otherwise below.</p>\n"
    yield from what_happened(result)
    yield '<ul class="cards">\n'
    executed = {
        (trace.file, trace.line) for trace in map(result.trace.statements.__getitem__,
                                                  set(result.trace.statement))
    }  # fmt: skip
    for number, each in enumerate(result.slices):
        kept = len(each.lines(result.trace))
        counts = ", ".join(
            f"{each.outcomes.get(outcome, 0)} {word}" for outcome, word in WORDS.items()
        )
        check = "" if each.check == each.name else f"<p><code>{safe(each.check)}</code></p>"
        yield f'<li class="card" id="card{number}"><h2>{safe(each.name)}</h2>'
        yield f"{check}<p class='big'>{len(each.events)} <small>of {each.of} events</small></p>"
        yield f"<dl><dt>lines kept</dt><dd>{kept} of {len(executed)}</dd>"
        if each.governing:
            yield f"<dt>conditions</dt><dd>{conditions(result, each)}</dd>"
        yield f"<dt>tests</dt><dd>{each.tests} in {duration(each.seconds)}: {counts}</dd>"
        yield f"<dt>1-minimal</dt><dd>{minimality(each)}</dd>"
        if each.levels:
            told = "<br>".join(map(safe, level_lines(each)))
            yield f"<dt>levels</dt><dd>{told}</dd>"
        yield f"<dt>fresh process</dt><dd>{verified(each)}</dd>"
        yield f"<dt>values</dt><dd>{faithfulness(each)}</dd></dl></li>\n"
    yield "</ul>\n</header>\n"


def what_happened(result: Result) -> Iterator[str]:
    """The exception, the end, the lines of output that checks look at."""
    facts = list(happened(result))
    if facts:
        yield '<dl class="happened">'
        for label, lines in facts:
            text = "\n".join(map(safe, lines))
            kind = safe(label.partition(" ")[0])  # it may be the name of a check: anybody's text
            yield f'<dt>{safe(label)}</dt><dd class="{kind}">{text}</dd>'
        yield "</dl>\n"


# -- the source


def source(result: Result) -> Iterator[str]:
    """Every file that was executed, with a column of heat bars for each criterion."""
    trace, slices = result.trace, result.slices
    marks = [lines_of(trace, each) for each in slices]
    seen = [last_values(result, each) for each in slices]
    total = sum(len(trace.files[number].lines) for number in marks[0]) if marks else 0
    yield '<section id="source" aria-labelledby="source-h"><h2 id="source-h">Source</h2>\n'
    yield '<p class="hint">A bar tells how many of a line\'s executions are kept: '
    yield "<b>3/4</b> is three of four. <b>+2/4</b>: two are not kept, but decided, as conditions, "
    yield "that kept ones ran. Faded lines do not matter.</p>\n"
    if any(file.elsewhere for file in trace.files):
        yield f'<p class="hint"><b>~</b>: {ELSEWHERE}.</p>\n'
    yield '<div id="tools" class="tools" hidden></div>\n'
    yield '<div class="split"><div class="files" id="files" data-c="0">\n'
    for number in sorted(marks[0]) if marks else ():
        columns = [each[number] for each in marks]
        executed = sum(line.executed for line in columns[0].values())
        if not executed:
            continue
        path = safe(trace.files[number].path)
        open_ = " open" if any(line.kept for each in columns for line in each.values()) else ""
        yield f'<details class="file"{open_}><summary>{path} <small>{plural(executed, "event")}'
        yield '</small></summary><div class="scroll" tabindex="0" role="region" '
        yield f'aria-label="Source of {path}">'
        yield from _table_of(result, number, columns, seen, total > MOST_LINES)
        yield "</div></details>\n"
    yield '</div><aside id="inspector" aria-live="polite" hidden></aside></div>\n</section>\n'


def last_values(result: Result, found: CriticalSlice) -> dict[tuple[int, int], dict[str, str]]:
    """The values at the last kept event of each line."""
    statements = result.trace.statements
    seen: dict[tuple[int, int], dict[str, str]] = {}
    for event in sorted(found.with_values):
        place = statements[result.trace.statement[event]]
        seen[place.file, place.line] = found.held(event)
    return seen


def _table_of(
    result: Result,
    number: int,
    columns: Sequence[Mapping[int, Line]],
    seen: Sequence[Mapping[tuple[int, int], Mapping[str, str]]],
    short: bool,
) -> Iterator[str]:
    """One file as a table."""
    slices, said = result.slices, marked(result)
    yield '<table class="src"><thead><tr><th class="g" scope="col"><span class="sr">arrows</span>'
    yield '</th><th class="n" scope="col"><span class="sr">line</span></th>'
    for which, each in enumerate(slices):
        yield f'<th class="h h{which}" scope="col">{safe(each.name)}</th>'
    yield '<th class="c" scope="col"><span class="sr">code</span></th></tr></thead>\n<tbody>'
    texts = result.trace.files[number].lines
    nothing = Line()
    hidden = folds([
        next((each[n + 1] for each in columns if n + 1 in each and each[n + 1].marked), None)
        for n in range(len(texts))
    ])  # fmt: skip
    folded = False
    for line, text in enumerate(texts, 1):
        if (line in hidden) != folded:
            folded = not folded
            kind = ' class="fold"' if folded else ""
            yield f"</tbody>\n<tbody{kind}>"
            if folded and short:
                gone = next(n for n in range(line, len(texts) + 2) if n not in hidden) - line
                yield f'<tr><td class="c" colspan="{3 + len(slices)}">{gone} lines, nothing kept'
                yield "</td></tr>"
        if folded and short:
            continue
        marks = [each.get(line, nothing) for each in columns]
        yield _source_line(f"f{number}l{line}", line, text, marks, [
            each.get((number, line), {}) for each in seen
        ], said.get((number, line), ""))  # fmt: skip
    yield "</tbody></table>"


def _source_line(
    name: str,
    number: int,
    text: str,
    marks: Sequence[Line],
    values: Sequence[Mapping[str, str]],
    said: str,
) -> str:
    kinds = [f"k{which}" for which, mark in enumerate(marks) if mark.kept_part]
    kinds += [f"g{w}" for w, mark in enumerate(marks) if mark.governs_part and not mark.kept_part]
    if marks[0].executed:
        kinds.append("x")
    cells = "".join(f'<td class="h h{which}">{heat(mark)}</td>' for which, mark in enumerate(marks))
    shown = "".join(
        f' <span class="v v{which}">{line_values(each)}</span>'
        for which, each in enumerate(values)
        if each
    )
    if said:
        shown += f' <b class="said">← {safe(said)}</b>'
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<tr id="{name}"{kind}><td class="g"></td><td class="n">{number}</td>{cells}'
        f'<td class="c"><code>{safe(text) or " "}</code>{shown}</td></tr>\n'
    )


def heat(mark: Line) -> str:
    """``3/4`` and a bar of that length."""
    if not mark.executed:
        if mark.elsewhere:
            return f'<span title="{ELSEWHERE}">~</span>'
        return "-" if mark.statements else ""
    width = BAR * mark.kept / mark.executed
    bar = f'<rect class="fill" width="{width:.3g}" height="8" rx="2"/>' if mark.kept else ""
    if mark.governs:
        more = BAR * mark.governs / mark.executed
        bar += f'<rect class="pale" x="{width:.3g}" width="{more:.3g}" height="8" rx="2"/>'
    return (
        f'{mark.share}<svg class="bar" width="{BAR}" height="8" aria-hidden="true">'
        f'<rect class="back" width="{BAR}" height="8" rx="2"/>{bar}</svg>'
    )


def line_values(values: Mapping[str, str]) -> str:
    """The first values of a line."""
    parts = [f"{safe(name)} = {safe(text)}" for name, text in values.items()]
    return ", ".join(parts[:MOST_VALUES]) + (", …" if len(parts) > MOST_VALUES else "")


# -- the trace


def trace(result: Result) -> Iterator[str]:
    """The table of events (Figure 6): a column a criterion, loops folded."""
    slices = result.slices
    yield '<section id="trace" aria-labelledby="trace-h"><h2 id="trace-h">Trace</h2>\n'
    yield f'<p class="hint">{plural(len(result.trace), "event")}, named line_time: 8_26 is line 8, '
    yield "executed as number 26. Stretches that nobody keeps, and repetitions, are folded.</p>\n"
    yield '<div id="list" hidden></div>\n<div class="scroll" id="folded" tabindex="0" '
    yield 'role="region" aria-label="Folded trace"><table class="trace"><thead><tr>'
    yield '<th scope="col">event</th><th scope="col">statement</th>'
    for each in slices:
        yield f'<th scope="col" class="m">{safe(each.name)}</th>'
    yield '<th scope="col">values</th></tr></thead><tbody>\n'
    rows = _table_rows(result, items_of(result.trace, slices))
    for number, row in enumerate(rows):
        if number == MOST_ROWS:
            yield note(len(slices), "The rest is left out here; the list of all events has it.")
            break
        yield row
    yield "</tbody></table></div></section>\n"


def _table_rows(result: Result, items: Sequence[Item]) -> Iterator[str]:
    layout = Layout(result.trace, result.slices, Style(full=True), [])
    yield from _item_rows(result, layout, items)


def _item_rows(result: Result, layout: Layout, items: Sequence[Item]) -> Iterator[str]:
    columns = len(result.slices)
    for item in items:
        if isinstance(item, Row):
            yield _event_row(result, layout, item)
        elif isinstance(item, Unkept):
            yield note(columns, f"{plural(item.size, 'event')} left out")
        else:
            yield from _item_rows(result, layout, item.items)
            yield note(columns, _repeated(result, item))


def _repeated(result: Result, item: Repeat) -> str:
    more = item.times - 1
    last = result.trace.name(item.last)
    return f"and so {more} times more, {item.times} in all; the last ends with {last}"


MARKS = (
    "",
    "<b>○</b><span class=sr>decides that kept ones ran</span>",
    "<b>●</b><span class=sr>kept</span>",
)
"""The marks of a row, by what they mean."""


def _event_row(result: Result, layout: Layout, row: Row) -> str:
    name = result.trace.name(row.event)
    marks = "".join(f'<td class="m">{MARKS[mark]}</td>' for mark in row.marks)
    values: Mapping[str, str] = next(
        (each.held(row.event) for each in result.slices if row.event in each.with_values), {}
    )
    kind = ' class="kept"' if row.kept else ""
    return (
        f'<tr id="e{row.event + 1}"{kind}><td class="e"><a href="#e{row.event + 1}">{name}</a></td>'
        f'<td class="c"><code>{safe(layout.text(row.statement))}</code></td>{marks}'
        f'<td class="vals">{line_values(values)}</td></tr>\n'
    )


def note(columns: int, text: str) -> str:
    """A row of the table that is a remark."""
    return f'<tr class="note"><td>⋮</td><td colspan="{columns + 2}">{escape(text)}</td></tr>\n'


# -- the rest


def search(result: Result) -> Iterator[str]:
    """The tests of each search."""
    yield '<section id="search" aria-labelledby="search-h"><h2 id="search-h">Search</h2>\n'
    yield '<p class="hint">A row is a test: the events it kept, and what became of the behaviour: '
    yield "kept, lost, or something other happened.</p>\n"
    yield from legend()
    for number, each in enumerate(result.slices):
        yield from picture(Chart.of_slice(each), number, each.name, each.undecided)
    yield "</section>\n"


def recorded(result: Result) -> Iterator[str]:
    """What the program printed, and how it ended."""
    seen = result.recorded
    if seen is None:
        return
    yield '<section id="run" aria-labelledby="run-h"><h2 id="run-h">The recorded run</h2>\n'
    if seen.exception is not None:
        raised = seen.exception
        message = f": {raised.message}" if raised.message else ""
        yield f"<p>It ended with <code>{safe(raised.type + message)}</code>.</p>\n"
    else:
        how = "exited with status" if seen.end == "EXITED" else "was ended by signal"
        yield f"<p>It {how} {seen.status}.</p>\n"
    if result.interpreter:
        yield f"<p>It ran with <code>{safe(result.interpreter)}</code>.</p>\n"
    for name, text in (("Standard output", seen.stdout), ("Standard error", seen.stderr)):
        if text:
            lines = "\n".join(safe(line) for line in text.split("\n"))
            yield f"<details><summary>{name}</summary><pre tabindex='0'>{lines}</pre></details>\n"
    yield "</section>\n"


def notes(texts: Sequence[str]) -> Iterator[str]:
    """What the user must know."""
    if texts:
        yield '<section id="notes" aria-labelledby="notes-h"><h2 id="notes-h">Notes</h2><ul>\n'
        for each in texts:
            yield f"<li>{safe(each)}</li>\n"
        yield "</ul></section>\n"

"""How notebooks show a result: a piece of HTML with its own style, no script, no names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stripe.reduce import CriticalSlice, Result
from stripe.report.happened import marked
from stripe.report.html.search import safe
from stripe.report.html.sections import heat, last_values, line_values, what_happened
from stripe.report.source import Line, folds, lines_of
from stripe.report.style import plural
from stripe.report.summary import conditions, faithfulness, minimality, verified

STYLE = """\
.stripe-slice{font-size:13px}
.stripe-slice table{border-collapse:collapse;font-family:monospace;margin:.3em 0 1em}
.stripe-slice td{padding:0 .6em!important;text-align:left!important;white-space:pre;border:0;
color:var(--jp-ui-font-color2,#68707c);background:none;font-size:13px}
.stripe-slice tr.kept td.c{color:var(--jp-ui-font-color0,inherit);font-weight:600}
.stripe-slice tr.governs td.c{color:var(--jp-ui-font-color1,inherit)}
.stripe-slice tr.governs{box-shadow:inset 3px 0 #8cc1e0}.stripe-slice .pale{fill:#8cc1e0}
.stripe-slice tr.kept{box-shadow:inset 3px 0 #0072b2}
.stripe-slice .back{fill:#8884}.stripe-slice .fill{fill:#0072b2}
.stripe-slice .happened{display:grid;grid-template-columns:auto 1fr;gap:0 1em;margin:0}
.stripe-slice .happened dd{margin:0;white-space:pre-wrap;font-family:monospace}
.stripe-slice dd.exception{font-weight:600}
.stripe-slice .v{color:var(--jp-brand-color1,#0063a0);font-weight:400}"""


def fragment(result: Result) -> str:
    """The slices of ``result``, each over its source."""
    return "".join(parts(result))


def parts(result: Result) -> Iterator[str]:
    """The pieces of what a notebook shows."""
    yield f'<div class="stripe-slice"><style>{STYLE}</style>'
    yield from what_happened(result)
    for each in result.slices:
        kept = f"{len(each.events)} of {plural(each.of, 'event')} kept"
        if each.governing:
            kept += f" (conditions: {conditions(result, each)})"
        yield f"<p><b>{safe(each.name)}</b>: {kept}, "
        yield f"1-minimal: {minimality(each)}, fresh process: {verified(each)}, "
        yield f"values: {faithfulness(each)}</p>"
        yield from tables(result, each)
    for note in result.notes:
        yield f"<p>note: {safe(note)}</p>"
    yield "</div>"


def tables(result: Result, found: CriticalSlice) -> Iterator[str]:
    """The marked source of each file with something kept."""
    values, said = last_values(result, found), marked(result)
    for number, lines in sorted(lines_of(result.trace, found).items()):
        if not any(line.kept or line.governs for line in lines.values()):
            continue
        if len(result.trace.files) > 1:
            yield f"<p><code>{safe(result.trace.files[number].path)}</code></p>"
        yield "<table>"
        yield from rows(result.trace.files[number].lines, lines, {
            line: each for (file, line), each in values.items() if file == number
        }, {line: text for (file, line), text in said.items() if file == number})  # fmt: skip
        yield "</table>"


def rows(
    texts: list[str],
    lines: Mapping[int, Line],
    values: Mapping[int, Mapping[str, str]],
    said: Mapping[int, str],
) -> Iterator[str]:
    """The lines of a file, with what is far from any kept one folded."""
    hidden = folds([lines.get(number + 1) for number in range(len(texts))])
    nothing = Line()
    for number, text in enumerate(texts, 1):
        if number in hidden:
            if number + 1 not in hidden:
                yield "<tr><td>⋮</td><td></td><td></td></tr>"
            continue
        line = lines.get(number, nothing)
        mark = "kept" if line.kept_part else "governs" if line.governs_part else ""
        kept = f' class="{mark}"' if mark else ""
        seen = (
            f'   <span class="v">{line_values(values[number])}</span>' if number in values else ""
        )
        if number in said:
            seen += f"   <b>← {safe(said[number])}</b>"
        yield f"<tr{kept}><td>{number}</td><td>{heat(line)}</td>"
        yield f'<td class="c">{safe(text)}{seen}</td></tr>'

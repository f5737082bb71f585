"""The tests of a search on a page: what colours mean, the picture, why tests decided nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from stripe.report.chart import Chart
from stripe.report.html.chart import drawn
from stripe.report.style import plural, printable
from stripe.report.words import PREDICTED, WORDS


def safe(text: str) -> str:
    """Text of the program: as HTML, and without anything invisible."""
    return escape(printable(text), quote=True)


def legend(*, predicted: bool = False) -> Iterator[str]:
    """What the colours mean."""
    yield '<p class="legend">'
    for outcome, word in WORDS.items():
        yield f'<span class="{outcome.name.lower()}">{word}</span> '
    if predicted:
        yield f'<span class="predicted">{PREDICTED}: predicted</span> '
    yield "</p>\n"


def picture(chart: Chart, number: int, name: str, undecided: Mapping[str, int]) -> Iterator[str]:
    """A search, with the means to play it."""
    count = sum(not each.predicted for each in chart.log)
    yield f'<div class="tests" data-s="{number}" data-of="{chart.of}" data-noun="{chart.noun}">'
    yield f"<h3>{safe(name)}: {plural(count, 'test')}</h3>"
    yield from _reasons(undecided)
    yield '<div class="play" hidden></div>'
    yield '<div class="scroll charts" tabindex="0" role="region" aria-label="Tests of '
    yield f'{safe(name)}">'
    yield from drawn(chart, number)
    yield "</div></div>\n"


def _reasons(undecided: Mapping[str, int]) -> Iterator[str]:
    """Why tests decided nothing, the most common reasons first."""
    if undecided:
        yield "<details><summary>Why "
        yield f"{plural(sum(undecided.values()), 'test')} decided nothing</summary><ul>"
        for why, count in sorted(undecided.items(), key=lambda item: -item[1]):
            yield f"<li>{count} × {safe(why)}</li>"
        yield "</ul></details>"

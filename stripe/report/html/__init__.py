"""The page: one HTML file that needs nothing else, to look at in any browser.

It can be read without JavaScript; the script adds selection, arrows, playback, comparison and
the game of predicting.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from stripe.reduce import Result
from stripe.report.html import sections
from stripe.report.html.data import Data, data_of
from stripe.report.html.document import asset, document
from stripe.report.style import printable

__all__ = ["page"]


def page(result: Result) -> str:
    """The whole page as text."""
    title = printable(" ".join(result.command)) or "a program"
    return "".join(
        document(
            f"Critical slice of {title}",
            asset("page.css") + sections.rules(len(result.slices)),
            asset("search.js") + asset("page.js"),
            body(result, title, data_of(result)),
        )
    )


def body(result: Result, title: str, data: Data) -> Iterator[str]:
    """All that is read."""
    yield from sections.header(result, title)
    yield "<main>\n"
    yield from sections.source(result)
    yield from sections.trace(result)
    yield from sections.search(result)
    yield from sections.recorded(result)
    yield from sections.notes(result.notes)
    yield "</main>\n"
    # As JSON in a script element, `<` is all that could end it.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    yield f'<script type="application/json" id="data">{text}</script>\n'

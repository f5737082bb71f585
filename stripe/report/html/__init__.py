"""The page: one HTML file that needs nothing else, to look at in any browser.

It can be read without JavaScript; the script adds selection, arrows, playback, comparison and
the game of predicting.  Its Content-Security-Policy allows exactly the style and the script in
it, by their digests, and no request.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files

from stripe.reduce import Result
from stripe.report.html import sections
from stripe.report.html.data import Data, data_of
from stripe.report.style import printable

__all__ = ["page"]


def page(result: Result) -> str:
    """The whole page as text."""
    data = data_of(result)
    return "".join(parts(result, data))


def parts(result: Result, data: Data) -> Iterator[str]:
    style = asset("page.css") + sections.rules(len(result.slices))
    script = asset("page.js")
    policy = (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = printable(" ".join(result.command)) or "a program"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n'
    yield '<meta name="generator" content="stripe">\n'
    yield f"<title>Critical slice of {escape(title)}</title>\n"
    yield f"<style>{style}</style>\n</head>\n<body>\n"
    yield from sections.header(result, title)
    yield "<main>\n"
    yield from sections.source(result)
    yield from sections.trace(result)
    yield from sections.search(result)
    yield from sections.recorded(result)
    yield from sections.notes(result)
    yield "</main>\n"
    # As JSON in a script element, `<` is all that could end it.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    yield f'<script type="application/json" id="data">{text}</script>\n'
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def asset(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """How a Content-Security-Policy names an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

"""The page of an answer of ``stripe why``: the answer, the story, the code, what was tried."""

from __future__ import annotations

from pathlib import Path

from stripe.report.markup import template
from stripe.report.why import NAMES, UNTESTED
from stripe.results.why import Document

AROUND = 6
"""Lines of code above and below what is marked."""


def page(document: Document) -> str:
    """The whole page as text."""
    return template("html/why.html.jinja").render(
        **document.members(), names=NAMES, untested=UNTESTED, files=_code(document)
    )


def _code(document: Document) -> list[tuple[str, list[tuple[int, str, str]]]]:
    """The code around places and steps, with what each line is, as far as its files are there."""
    heat: dict[str, dict[int, str]] = {}
    for step in document.story:
        heat.setdefault(step.file, {})[step.line] = "kept"
    for place in document.places:
        heat.setdefault(place.file, {})[place.line] = "place"
    found = []
    for file, marks in heat.items():
        try:
            text = Path(document.asked.directory, file).read_text(errors="replace").splitlines()
        except OSError:
            continue
        near = {n for line in marks for n in range(line - AROUND, line + AROUND + 1)}
        lines = [(n, text[n - 1], marks.get(n, "")) for n in sorted(near) if 1 <= n <= len(text)]
        found.append((file, lines))
    return found

"""The heat strip beside the code of suspects: what was tried at a line, and what it did there.

Each line's bar is as long as its share of the most that was tried at one.  The ground of its number
is as strong as the spectrum finds it suspicious.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from stripe.interventions import Line
from stripe.report.html.search import safe
from stripe.report.style import middle, plural
from stripe.suspects import SuspectsResult, Tally

WIDTH, HEIGHT = 128, 11

WIDEST_NAME = 120
"""Characters of a file's name."""

LEAST = 4
"""Width of the smallest part of a bar."""

SHADES = 9
"""Grounds that a line's number can have."""

STRONGEST = 45
"""Per cent of colour in the strongest; numbers must be legible on it."""

OPEN = 3
"""Files that are shown unfolded though no change was found for them."""

TALL = {"repaired": 11, "partly": 8, "broken": 8, "nothing": 5, "lost": 5}
"""How high a part is, so that nobody depends on colours."""

WORDS = {
    "repaired": "repair all failing tests, and break none",
    "partly": "repair some, and break none",
    "broken": "repair some, and break others",
    "nothing": "repair none",
    "lost": "killed, or out of fuel",
}


def rules() -> str:
    """The style rules for the shades."""
    return "".join(
        f".s{n}{{background:color-mix(in srgb,var(--fill) {STRONGEST * n // SHADES}%,transparent);"
        "color:var(--text)!important}"
        for n in range(1, SHADES + 1)
    )


def legend() -> Iterator[str]:
    """What the parts of a bar mean."""
    yield '<ul class="keys">'
    for name, words in WORDS.items():
        yield f'<li><svg class="strip" viewBox="0 0 16 {HEIGHT}" aria-hidden="true">'
        yield f"{_part(name, 0, 16)}</svg>{words}</li>"
    yield f'<li><b class="s2">1</b><b class="s{SHADES}">2</b>the spectrum: the stronger, the more '
    yield "suspicious</li></ul>\n"


def anchors(result: SuspectsResult) -> dict[str, int]:
    """The numbers of the files in the page, the most suspicious one first."""
    files = dict.fromkeys(each.file for each in result.suspected)
    return {file: number for number, file in enumerate(files)}


def code(result: SuspectsResult) -> Iterator[str]:
    """Every file with suspected lines, as far as the result has its text."""
    by_file: dict[str, dict[int, str]] = {}
    for (file, number), text in result.source.items():
        by_file.setdefault(file, {})[number] = text
    counts = Counter(each.file for each in result.suspected)
    told = {each.file for each in result.places}
    for file, number in anchors(result).items():
        if file in by_file:
            unfolded = " open" if file in told or (not told and number < OPEN) else ""
            yield f'<details class="file"{unfolded}><summary>{safe(middle(file, WIDEST_NAME))} '
            yield f"<small>{plural(counts[file], 'suspected line')}</small></summary>"
            yield '<div class="scroll" tabindex="0" role="region" aria-label="Code of '
            yield f'{safe(file)}">'
            yield from _table(result, file, number, by_file[file])
            yield "</div></details>\n"


def _table(
    result: SuspectsResult, file: str, number: int, texts: Mapping[int, str]
) -> Iterator[str]:
    """The lines of a file; ``number`` is what anchors call it."""
    most = max((each.tried for each in result.tallies.values()), default=0)
    scores = result.spectrum["ochiai"]
    strongest = max(scores.values(), default=0.0)
    places = {each.line: place for place, each in enumerate(result.places, 1) if each.file == file}
    yield '<table class="src heat"><thead><tr>'
    for name, column in (("n", "line"), ("t", "tried"), ("h", "repaired"), ("c", "code")):
        yield f'<th class="{name}" scope="col"><span class="sr">{column}</span></th>'
    yield "</tr></thead>\n<tbody>"
    before = 0
    for line, text in sorted(texts.items()):
        if line != before + 1:
            yield '<tr class="foldrow"><td colspan="4">⋮</td></tr>\n'
        before = line
        at = Line(file, line)
        shade = round(SHADES * scores.get(at, 0.0) / strongest) if strongest else 0
        yield _row(f"f{number}l{line}", line, shade, places.get(line), at in scores)
        yield from _bar(result.tallies, at, most)
        yield f'</td><td class="c"><code>{safe(text) or " "}</code></td></tr>\n'
    yield "</tbody></table>"


def _row(anchor: str, line: int, shade: int, place: int | None, suspected: bool) -> str:
    """The beginning of a row, up to its bar."""
    kind = "suspected place" if place else "suspected" if suspected else ""
    shown = f'<a href="#place{place}">▶ {line}</a>' if place else f"{line}"
    ground = f" s{shade}" if shade else ""
    return f'<tr id="{anchor}" class="{kind}"><td class="n{ground}">{shown}</td><td class="t">'


def _bar(tallies: Mapping[Line, Tally], at: Line, most: int) -> Iterator[str]:
    """What was tried at a line, as a bar and in numbers."""
    tally = tallies.get(at)
    if tally is None:
        yield '</td><td class="h">'
        return
    said = told(tally)
    yield f'<svg class="strip" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" '
    yield f'aria-hidden="true"><title>{said}</title>'
    parts = [(name, getattr(tally, name)) for name in WORDS if getattr(tally, name)]
    room = WIDTH - LEAST * len(WORDS)
    x = 0.0
    for name, count in parts:
        width = LEAST + room * count / most
        yield _part(name, x, width)
        x += width
    yield f'</svg><span class="sr">{said}</span></td><td class="h">'
    good = tally.repaired + tally.partly
    if tally.tried:
        yield f"<b>{good}</b>/{tally.tried}" if good else f"0/{tally.tried}"


def told(tally: Tally) -> str:
    """What was tried, in words."""
    if not tally.tried:
        return f"none of {plural(tally.offered, 'change')} tried"
    parts = [f"{count} {words}" for name, words in WORDS.items() if (count := getattr(tally, name))]
    return f"{tally.tried} of {plural(tally.offered, 'change')} tried: {'; '.join(parts)}"


def _part(name: str, x: float, width: float) -> str:
    inset = 0.5 if name in ("partly", "lost") else 0.0
    tall = TALL[name] - 2 * inset
    return (
        f'<rect class="{name}" x="{x + inset:g}" y="{(HEIGHT - tall) / 2:g}" '
        f'width="{width - 1 - 2 * inset:.4g}" height="{tall:g}"/>'
    )

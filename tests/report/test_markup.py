"""Every place of every page: whatever a result has there as a text is shown as that text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jinja2 import UndefinedError

from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.reduce.reading import parse
from stripe.report.html import causes, changes, page, suspects
from stripe.report.markup import template
from stripe.report.notebook import fragment
from stripe.report.pictures import svg
from stripe.report.style import printable
from stripe.results.causes import from_json as read_causes
from stripe.results.changes import from_json as read_changes
from stripe.results.suspects import from_json as read_suspects
from tests.changes.answers import answer_to, divides, interfering
from tests.states.answers import sample as sample_of_causes
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.results import reduced
from tests.suspects.answers import sample as sample_of_suspects

TEXTS = (
    "</script><script>alert(1)</script>\"' onload='x' <!--]]>\0\ud800\u202e\x1b[31m{{1}}{%x%}&lt;",
    "</title></style><img src=x>\"'&{{ 7 * 7 }}\u202e\x9b\u2066\ufeff",
    "<b>\"'&\u202e",
    "<&>",
)
"""From the worst to what nearly every reader takes."""

MARKED = re.compile(r"§(\d+),(\d)§")


def marked(place: int, which: int) -> str:
    """A hostile text that says which it is."""
    return f"§{place},{which}§{TEXTS[which]}"


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where a document has texts, as the object and what is written there (``None``: a key)."""
    if isinstance(value, dict):
        yield from ((value, (key,)) for key in list(value))
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in list(members):
        if isinstance(each, str):
            yield value, key
        elif isinstance(each, dict | list):
            yield from places(each)


def hostile(document: Any, read: Callable[[Any], Any]) -> tuple[Any, int]:
    """The result with as hostile a text as its reader takes in each place; how many there are."""
    count = 0
    for place, (container, key) in enumerate(places(document)):
        if takes(document, read, container, key, marked(place, len(TEXTS) - 1)):
            count += 1
            key = (marked(place, len(TEXTS) - 1),) if isinstance(key, tuple) else key
            any(
                takes(document, read, container, key, marked(place, which))
                for which in range(len(TEXTS) - 1)
            )
    return read(document), count


def takes(document: Any, read: Callable[[Any], Any], container: Any, key: Any, text: str) -> bool:
    """Writes a text there, if the reader takes the document with it."""
    before = container.copy()
    if isinstance(key, tuple):
        container.clear()
        container.update({text if name == key[0] else name: v for name, v in before.items()})
    else:
        container[key] = text
    with suppress(UsageError):
        read(document)
        return True
    container.clear()
    if isinstance(container, dict):
        container.update(before)
    else:
        container.extend(before)
    return False


class Reader(HTMLParser):
    """A page as its elements, and its texts: those between tags, and the values of attributes."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts = [""]
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data


def read_slices(document: Any) -> Result:
    return parse(json.dumps(document), "it")


def sliced() -> Result:
    return reduced(SAMPLE, "stdout", "s=stdout:/mul/", stdin=SAMPLE_INPUT)


PAGES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], str], int]] = {
    "slice": (sliced, read_slices, page, 20),
    "notebook": (sliced, read_slices, fragment, 5),
    "changes": (lambda: answer_to(interfering(), divides), read_changes, changes.page, 20),
    "causes": (sample_of_causes, read_causes, causes.page, 20),
    "suspects": (sample_of_suspects, read_suspects, suspects.page, 20),
}
"""What makes a result, reads it, and makes the page; the least places that the page shows."""


@pytest.fixture(scope="module", params=PAGES)
def shown(request: pytest.FixtureRequest) -> tuple[str, str, int]:
    """A page, the same with hostile texts everywhere, and how many of these it has to show."""
    make, read, form, least = PAGES[request.param]
    document = json.loads(json.dumps(make().to_json()))
    plain = form(read(document))
    result, count = hostile(document, read)
    assert count >= least
    return plain, form(result), least


def test_no_text_becomes_markup(shown: tuple[str, str, int]) -> None:
    plain, page, _ = shown
    page.encode()
    known, reader = Reader(plain), Reader(page)
    assert set(reader.elements) <= {*known.elements, "ul", "li", "small", "br"}
    assert reader.elements.count("script") == known.elements.count("script")
    names = {name for name, _ in reader.attributes}
    assert not [name for name in names if name.startswith("on") or name in ("src", "style")]
    assert all(value.startswith("#") for name, value in reader.attributes if name == "href")
    assert not [char for char in set(page) if not char.isprintable() and char != "\n"]


def test_each_text_is_shown_as_that_text(shown: tuple[str, str, int]) -> None:
    """Up to where it is cut: with a sign, or after the 7 characters of a commit or 10 of a day."""
    _, page, least = shown
    reader = Reader(page)
    found = set()
    for each in (*reader.texts, *(value for _, value in reader.attributes)):
        for text in strings(json.loads(each)) if each.startswith("{") else [each]:
            text = text.replace("\ufffd" * 3, "\\ud800")  # a patch is of bytes
            for mark in MARKED.finditer(text):
                found.add(mark[1])
                whole, rest = printable(TEXTS[int(mark[2])]), text[mark.end() :]
                same = next(n for n in range(len(whole), -1, -1) if rest.startswith(whole[:n]))
                cut = rest[same:].startswith(("…", "...")) or len(mark[0]) + same in (7, 10)
                assert same == len(whole) or cut, text
    assert len(found) >= least


def strings(value: Any) -> Iterator[str]:
    """All texts of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in (*value, *(value.values() if isinstance(value, dict) else ())):
            yield from strings(each)


def test_pictures_are_documents_with_the_same_elements() -> None:
    document = json.loads(json.dumps(sample_of_causes().to_json()))
    result, _ = hostile(document, read_causes)
    tree = ElementTree.fromstring(svg.document(result))
    names = {each.tag.partition("}")[2] for each in tree.iter()}
    assert names == {"svg", "title", "style", "rect", "path", "g", "text"}
    assert any(MARKED.search(each.text or "") for each in tree.iter())


def test_an_unknown_name_is_no_empty_text() -> None:
    with pytest.raises(UndefinedError):
        template("html/changes.html.jinja").render()


@pytest.mark.parametrize(("option", "refused"), [("--html", True), ("--json", False)])
def test_only_pages_need_the_library(option: str, refused: bool, tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)\n")
    command = "import sys; sys.modules['jinja2'] = None; from stripe.cli.main import main; sys.exit"
    words = ["trace", "p.py", "--check", "stdout", option, "out"]
    done = subprocess.run(
        [sys.executable, "-c", f"{command}(main(sys.argv[1:]))", *words],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert ("[no-library]" in done.stderr) == refused, done.stderr
    assert (done.returncode, bool(done.stdout)) == ((2, False) if refused else (0, True))
    assert (tmp_path / "out").exists() != refused

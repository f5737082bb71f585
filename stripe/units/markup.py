"""Elements of HTML and XML as units, by a small scanner: end tags may be missing, and all be wrong.

- An element is a unit, and so are its tags, the frame of what is in it: without its frame, it is
  what is in it.
- An attribute is a unit, and its value one within; so are a comment, a document type, a processing
  instruction, and the text between.
- The end of an element is a unit of the frame: without it, ``<a></a>`` is ``<a/>``.
"""

from __future__ import annotations

import re

from stripe.units.model import ROOT
from stripe.units.syntax import Either, Piece, Syntax, Unit

_MARKUP = re.compile(
    rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<![^>\[]*\[[^\]]*\]\s*>|<[!?][^>]*>"
    rb"|(?P<head><(?P<raw>script|style)\b(?:\"[^\"]*\"|'[^']*'|[^>\"'])*>).*?</(?P=raw)\s*>"
    rb"""|<(?P<close>/)?(?P<name>[A-Za-z_][^\s/>]*)(?:"[^"]*"|'[^']*'|[^>"'])*>""",
    re.DOTALL | re.IGNORECASE,
)
_VOID = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())
_ATTRIBUTE = re.compile(
    rb"""(\s+[^\s=/>"']+)(?:(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s>"'`]+)))?""", re.DOTALL
)
_NAME = re.compile(rb"<[^\s/>]+")
_END = re.compile(rb"\s*/?>\Z")


def markup(data: bytes) -> Syntax:
    """Elements of HTML or XML, with their attributes, and the text between them."""
    return _Reader(data).units()


class _Reader:
    """The units so far, and the elements around the place that was come to."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._units: list[Unit] = []
        self._pieces: list[tuple[int, Piece]] = []
        self._around: list[tuple[bytes, int, int]] = []  # name, element, its end

    def units(self) -> Syntax:
        position = 0
        for match in _MARKUP.finditer(self._data):
            self._leaf(self._data[position : match.start()])
            position = match.end()
            if match["close"]:
                self._close(match["name"].lower(), match[0])
            elif match["raw"]:
                self._open(match["raw"].lower(), match["head"])
                end = match[0].rindex(b"</")
                self._leaf(match[0][len(match["head"]) : end])
                self._close(match["raw"].lower(), match[0][end:])
            elif match["name"]:
                self._open(match["name"].lower(), match[0])
            else:
                self._leaf(match[0])
        self._leaf(self._data[position:])
        return Syntax(self._units, self._pieces)

    def _unit(self, parent: int) -> int:
        number = len(self._units)
        self._units.append(Unit(parent, number, number))
        return number

    def _write(self, unit: int, text: bytes) -> None:
        if text:
            self._pieces.append((unit, text))

    def _leaf(self, text: bytes) -> None:
        """Text, or what has the form of a tag, and nothing in it."""
        if text:
            self._write(self._unit(self._around[-1][1] if self._around else ROOT), text)

    def _open(self, name: bytes, tag: bytes) -> None:
        """An element begins with its tag."""
        element = self._unit(self._around[-1][1] if self._around else ROOT)
        frame = self._unit(element)
        begun, ended = _NAME.match(tag), _END.search(tag)
        assert begun is not None, "it is a tag"
        assert ended is not None, "it ends"
        self._write(frame, begun[0])
        self._attributes(frame, tag, begun.end(), ended.start())
        if name in _VOID or ended[0].endswith(b"/>"):
            self._write(frame, ended[0])
            return
        end = self._unit(frame)
        self._pieces.append((frame, Either(end, ended[0], b"/>")))
        self._around.append((name, element, end))

    def _attributes(self, frame: int, tag: bytes, position: int, end: int) -> None:
        for match in _ATTRIBUTE.finditer(tag, position, end):
            if match.start() > position:
                self._write(frame, tag[position : match.start()])
            position = match.end()
            attribute = self._unit(frame)
            group = match.lastindex or 1
            if group < 3:
                self._write(attribute, match[0])
                continue
            self._write(attribute, tag[match.start() : match.start(group)])
            if match[group]:
                self._write(self._unit(attribute), match[group])
            self._write(attribute, tag[match.end(group) : position])
        self._write(frame, tag[position:end])

    def _close(self, name: bytes, tag: bytes) -> None:
        """The element of that name ends, and all that were not closed within; if there is one."""
        if all(name != each for each, _, _ in self._around):
            self._leaf(tag)
            return
        while self._around[-1][0] != name:
            self._around.pop()
        _, _, end = self._around.pop()
        self._write(end, tag)

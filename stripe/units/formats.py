"""Small scanners that read an input as a tree: braces, indentation, JSON, CSV."""

from __future__ import annotations

import json
import re

from stripe.units.model import ROOT, Node, Tree

_BRACES = re.compile(
    rb"""
      //[^\n]* | /\*.*?\*/                                # comments
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `[^`]*`  # strings
    | ^[ \t]*\#(?:\\.|[^\n\\])*\n?                         # preprocessor lines
    | [{}()\[\];]
    | [^/"'`{}()\[\];\n]+ | .
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class _Builder:
    """A tree under construction: what was read since the last unit, and the units around."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.around: list[int] = []
        self.text = bytearray()

    @property
    def parent(self) -> int:
        return self.around[-1] if self.around else ROOT

    def leaf(self) -> None:
        """What was read is a unit without units in it."""
        if self.text:
            self.nodes.append(Node(self.parent, start=bytes(self.text)))
            self.text.clear()

    def open(self, separator: bytes = b"") -> None:
        """What was read begins a unit with units in it."""
        self.nodes.append(Node(self.parent, separator, bytes(self.text)))
        self.around.append(len(self.nodes) - 1)
        self.text.clear()

    def close(self, end: bytes = b"") -> None:
        """The innermost unit ends here."""
        self.nodes[self.around.pop()].end = end

    def tree(self) -> Tree:
        self.leaf()
        return Tree(self.nodes)


def braces(data: bytes) -> Tree:
    """Statements up to their semicolon, and blocks in braces, as C and its descendants have them.

    What stands before an opening brace, such as the head of a function, belongs to its block.
    """
    building = _Builder()
    nested = 0  # parentheses: the semicolons in a for loop's head end no statement
    depths: list[int] = []
    for match in _BRACES.finditer(data):
        token = match[0]
        building.text += token
        if token in (b"(", b"["):
            nested += 1
        elif token in (b")", b"]"):
            nested = max(0, nested - 1)
        elif token == b"{":
            building.open()
            depths.append(nested)
            nested = 0
        elif token == b"}" and building.around:
            del building.text[-1:]
            building.leaf()
            building.close(token)
            nested = depths.pop()
        elif (token == b";" and not nested) or token.lstrip().startswith((b"#", b"//", b"/*")):
            building.leaf()
    return building.tree()


def indent(data: bytes) -> Tree:
    """Lines, each within the line before it that is indented less."""
    nodes: list[Node] = []
    around: list[tuple[int, int]] = []  # indentation, node
    for line in data.splitlines(keepends=True):
        stripped = line.lstrip(b" \t")
        if stripped.strip():
            depth = len(line[: len(line) - len(stripped)].expandtabs(8))
            while around and around[-1][0] >= depth:
                around.pop()
        nodes.append(Node(around[-1][1] if around else ROOT, start=line))
        if stripped.strip():
            around.append((depth, len(nodes) - 1))
    return Tree(nodes)


_PUNCTUATION = frozenset((b"{", b"}", b"[", b"]", b","))
_JSON = re.compile(rb'"(?:\\.|[^"\\])*"|[{}\[\],]|[^"{}\[\],]+', re.DOTALL)


def json_tree(data: bytes) -> Tree:
    """Members of objects and elements of arrays, with the comma before them.

    What is not JSON, or not any more, is one unit.
    """
    if not is_json(data):
        return Tree([Node(start=data)])
    nodes: list[Node] = []
    around: list[int] = []
    separator = b""
    text = b""  # read since the last bracket or comma
    closed: int | None = None  # the value whose bracket was closed since then
    for match in _JSON.finditer(data + b","):
        token = match[0]
        if token not in _PUNCTUATION:
            text += token
            continue
        parent = around[-1] if around else ROOT
        if token in (b"{", b"["):
            nodes.append(Node(parent, separator, text + token))
            around.append(len(nodes) - 1)
            text, separator = b"", b""
            continue
        if closed is not None:
            nodes[closed].end += text  # blanks
        elif text.strip():
            nodes.append(Node(parent, separator, text))
        else:
            nodes[parent].start += text  # between the brackets of an empty value
        text, closed = b"", None
        if token == b",":
            separator = token
        else:
            closed = around.pop()
            nodes[closed].end = token
    return Tree(nodes)


def is_json(data: bytes) -> bool:
    """Whether the input is a JSON document."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def csv(data: bytes) -> Tree:
    """Rows, and the fields in them with the delimiter before them."""
    first = data.split(b"\n", 1)[0]
    delimiter = max((b",", b";", b"\t", b"|"), key=first.count)
    field = re.compile(
        rb'(?:"(?:""|[^"])*"|[^%b\r\n"]|")*' % re.escape(delimiter), re.DOTALL
    )  # a quote that is never closed is a character like others
    nodes: list[Node] = []
    position = 0
    while position < len(data):
        row = len(nodes)
        nodes.append(Node())
        separator = b""
        while True:
            match = field.match(data, position)
            assert match is not None, "a field may be empty"
            nodes.append(Node(row, separator, match[0]))
            position = match.end()
            if data[position : position + 1] != delimiter:
                break
            separator = delimiter
            position += 1
        end = re.compile(rb"\r?\n|\r|").match(data, position)
        assert end is not None, "it may be empty"
        nodes[row].end = end[0]
        position = end.end()
    return Tree(nodes)

"""Edits that belong to one statement: applied apart, they make a program that nobody wrote.

Within a step of the history, a statement before the step and the one after it are two versions of
one unit if an edit touches both.  Joined are

- all edits of the lines of a simple statement (a docstring is one), or of one header;
- a changed header of ``if``, ``while``, ``try``, ``else``, ... with all edits in its block;
- a function that only one of the two versions has, with its body; a class with all but its
  functions, which need it;
- what goes in one place and comes in another, word for word, or as a function of the same name.

What belongs to no statement, such as comments, is joined by hunk; so is all of a file whose
language is not read (:mod:`.statements`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from stripe.changes.disjoint import DisjointSets
from stripe.changes.edits import Edit
from stripe.changes.statements import BLOCK, CLASS, FUNCTION, Statement, Statements

MIN_MOVED_BYTES = 4
"""A shorter statement, such as ``}``, is not looked for elsewhere."""

type Place = tuple[int, bool, int]
"""A statement: its file, whether of the version after the step, and its number there."""


class Cohesion(DisjointSets):
    """The units of one step, as sets of edits and what joins them.

    Attributes:
        read: the files whose statements are known.
        needs: pairs of an edit and one that it makes no sense without.
    """

    def __init__(self) -> None:
        super().__init__()
        self.read: set[int] = set()
        self.needs: list[tuple[int, int]] = []


def cohesion_of(
    edits: Sequence[tuple[int, Edit]],
    statements: Callable[[Edit, bool], Statements | None],
) -> Cohesion:
    """The units of the edits of one step.

    Args:
        edits: them, each with its number.
        statements: those of an edit's file, before or after the step.
    """
    found = Cohesion()
    by_file: dict[int, list[tuple[int, Edit]]] = {}
    for number, edit in edits:
        if edit.kind == "lines":
            by_file.setdefault(edit.file, []).append((number, edit))
    files: list[_File] = []
    for file, own in by_file.items():
        before, after = (statements(own[0][1], side) for side in (False, True))
        if before is None or after is None:
            for number, edit in own:
                found.join(number, ("hunk", edit.hunk))
            continue
        found.read.add(file)
        files.append(_File(file, own, (before, after), found))
    for each in files:
        each.join()
    _join_moved(files, found)
    return found


class _File:
    """The edits of a file, and its statements before and after."""

    def __init__(
        self,
        file: int,
        edits: list[tuple[int, Edit]],
        sides: tuple[Statements, Statements],
        found: Cohesion,
    ) -> None:
        self.file = file
        self.edits = edits
        self.sides = sides
        self.touched: dict[Place, set[int]] = {}
        """The lines touched of each statement's header."""
        self._found = found
        self._headers: dict[Place, int] = {}
        names = [{each.name for each in side.all if each.name} for side in sides]
        self._other_names = (names[1], names[0])

    def join(self) -> None:
        """Join what belongs together in this file."""
        for number, edit in self.edits:
            for after, line in _lines(edit):
                own = self.sides[after].at.get(line)
                if own is not None:
                    place = (self.file, after, own)
                    self.touched.setdefault(place, set()).add(line)
                    self._headers.setdefault(place, number)
                    self._found.join(number, place)
        self._join_interleaved()
        headers = {place for place in self.touched if self._governs(place)}
        for number, edit in self.edits:
            belongs = False
            for after, line in _lines(edit):
                belongs |= line in self.sides[after].at
                belongs |= self._under(number, after, line, headers)
            if not belongs:
                self._found.join(number, ("rest", edit.hunk))

    def _join_interleaved(self) -> None:
        """Join statements that share a line, and edits between the lines of a statement with it."""
        lines = list(self._woven())
        for old, new, number in lines:
            if number is None:
                places = [self._own(False, old), self._own(True, new)]
                if None not in places:
                    self._found.join(*places)
        for after in (False, True):
            above: Place | None = None
            between: list[int] = []
            for old, new, number in lines:
                line = new if after else old
                if line is None:
                    between += [] if number is None else [number]
                    continue
                own = self._own(after, line)
                if own is not None and own == above:
                    for each in between:
                        self._found.join(each, own)
                above, between = own, []

    def _own(self, after: bool, line: int | None) -> Place | None:
        """The statement that a line belongs to."""
        number = None if line is None else self.sides[after].at.get(line)
        return None if number is None else (self.file, after, number)

    def _woven(self) -> Iterator[tuple[int | None, int | None, int | None]]:
        """The lines of both versions in the order of the weave: before, after, and whose it is.

        Edits are numbered from the end of a file to its beginning.
        """
        old = new = 0
        for number, edit in reversed(self.edits):
            while old < edit.before or (edit.before < 0 and new < edit.line):
                yield old, new, None
                old, new = old + 1, new + 1
            if edit.before >= 0:
                yield old, None, number
                old += 1
            if edit.added:
                yield None, new, number
                new += 1
        for line in range(self.sides[False].lines - old):
            yield old + line, new + line, None

    def statement(self, place: Place) -> Statement:
        """The statement at a place."""
        return self.sides[place[1]].all[place[2]]

    def is_alone(self, place: Place) -> bool:
        """Whether it is a function or class that the other version does not have."""
        each = self.statement(place)
        return each.kind in (FUNCTION, CLASS) and each.name not in self._other_names[place[1]]

    def _governs(self, place: Place) -> bool:
        return self.statement(place).kind == BLOCK or self.is_alone(place)

    def _under(self, number: int, after: bool, line: int, headers: set[Place]) -> bool:
        """Join an edit with the changed headers that it stands under, if there are any."""
        inner = ""
        joined = False
        for around in self.sides[after].around(line):
            place = (self.file, after, around)
            kind = self.statement(place).kind
            if place in headers:
                if kind == CLASS and inner:
                    header = self._headers[place]
                    self._found.needs.append((number, header) if after else (header, number))
                else:
                    self._found.join(number, place)
                    joined = True
            if kind in (FUNCTION, CLASS):
                inner = kind
        return joined


def _lines(edit: Edit) -> Iterator[tuple[bool, int]]:
    """The lines that an edit of lines touches: whether after the step, and which one."""
    if edit.added:
        yield True, edit.line
    if edit.before >= 0:
        yield False, edit.before


def _join_moved(files: Sequence[_File], found: Cohesion) -> None:
    """Join what goes with what comes elsewhere, if there is one of each."""
    ways: dict[Hashable, tuple[list[Place], list[Place]]] = {}
    for file in files:
        for place, lines in file.touched.items():
            each = file.statement(place)
            if len(lines) <= each.head - each.first:
                continue
            key: Hashable = (file.file, each.kind, each.text)
            if file.is_alone(place):
                key = (each.kind, each.name)
            elif len(each.text) < MIN_MOVED_BYTES:
                continue
            ways.setdefault(key, ([], []))[place[1]].append(place)
    for gone, come in ways.values():
        if len(gone) == len(come) == 1:
            found.join(gone[0], come[0])

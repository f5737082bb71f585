"""Whether a version is one that somebody could have written: each statement of some version."""

from __future__ import annotations

from collections.abc import Collection

from stripe.changes.statements import Statements, statements_of
from stripe.changes.universe import Universe

type _Texts = frozenset[tuple[str, bytes]]


class Plausibility:
    """Parts of hunks are plausible if what comes of them consists of statements of versions.

    Whole hunks are taken for edits that somebody could make, and so is all of files whose language
    is not read: ``unread`` has those of which parts of hunks were asked about.
    """

    def __init__(self, universe: Universe) -> None:
        self._universe = universe
        self._hunks: dict[int, set[int]] = {}
        for number in universe.deltas:
            self._hunks.setdefault(universe.edits[number].hunk, set()).add(number)
        self._known: dict[int, _Texts | None] = {}
        self._found: dict[tuple[int, bytes], bool] = {}
        self.unread: set[str] = set()

    def holds(self, chosen: Collection[int]) -> bool:
        """Whether it holds of the good version with these edits."""
        universe = self._universe
        wanted = set(chosen)
        parts: dict[int, int] = {}
        for number in wanted:
            edit = universe.edits[number]
            if edit.file not in parts and not self._hunks.get(edit.hunk, set()) <= wanted:
                parts[edit.file] = number
        return all(self._of_file(file, number, chosen) for file, number in parts.items())

    def _of_file(self, file: int, number: int, chosen: Collection[int]) -> bool:
        known = self._texts(file)
        if known is None:
            self.unread.add(self._universe.path_of(number))
            return True
        content = self._universe.content(file, tuple(chosen))
        key = file, content
        if key not in self._found:
            statements = statements_of(self._universe.path_of(number), content)
            self._found[key] = statements is not None and _texts_of(statements) <= known
        return self._found[key]

    def _texts(self, file: int) -> _Texts | None:
        """The statements of all versions of a file; ``None`` where one cannot be read."""
        if file not in self._known:
            universe = self._universe
            steps = {universe.edits[each].step: each for each in universe.files[file].edits}
            found = [
                universe.statements(universe.edits[each], after)
                for each in steps.values()
                for after in (False, True)
            ]
            read = [_texts_of(each) for each in found if each is not None]
            all_read = len(read) == len(found)
            self._known[file] = frozenset().union(*read) if all_read else None
        return self._known[file]


def _texts_of(statements: Statements) -> _Texts:
    return frozenset((each.kind, each.text) for each in statements.all)

"""What changes need of each other, read from the names in them: section 5.1 of the paper.

A name that is new comes with the change that defines it, and a change that uses it needs that one;
what removes the last definition of a name needs all that remove its uses.  That holds of the whole
program, of a file, and of the local variables of a function; and where a compiler counts arguments,
a definition that takes others needs all calls to change with it, and these need it.

All of that is a guess, for a name may stand in a comment: searches use it to keep together what
probably belongs together, and the answer is tested without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from stripe.changes.occurrences import IDENTIFIER, TYPED, Occurrences
from stripe.changes.universe import Universe
from stripe.units.grammars import suffix_of

type Needs = Mapping[int, Iterable[int]]

type Known = Mapping[int, Occurrences]

MOST = 4
"""A name that is defined in more hunks says little about which one is needed."""

_DEFINED = (
    rb"\b(?:def|class|struct|enum|union|fn|func|function|let|const|var|val|type|interface|trait|mod"
    rb"|module|namespace|define|typedef|import|from|as|using|macro_rules!)\b[^\n]*?\b%s\b"
    rb"|\b%s\s*(?::[^=\n]*)?=(?!=)|^[A-Za-z_][^\n=;]*\b%s\s*\([^;]*$|^\s*%s\s*:"
)

_INCLUDED = re.compile(rb"^\s*#\s*include\s*[\"<](?P<path>[^\">]+)")


def words_of(texts: Iterable[bytes]) -> set[bytes]:
    """The names in lines."""
    return {word for text in texts for word in IDENTIFIER.findall(text)}


def needs_of(universe: Universe, known: Known) -> dict[int, set[int]]:
    """For each edit those it probably needs, by names; without those of ``universe.requires``.

    ``known``: the occurrences of names in each.
    """
    needs: dict[int, set[int]] = {}
    good, bad = (words_of(_contents(universe, chosen)) for chosen in ((), universe.deltas))
    _Names(universe, known, universe.deltas, needs).add_defined(good, bad)
    typed: list[int] = []
    for file, edits in _by_file(universe).items():
        good, bad = (words_of([universe.content(file, chosen)]) for chosen in ((), universe.deltas))
        own = _Names(universe, known, edits, needs)
        own.add_defined(good, bad)
        if suffix_of(universe.path_of(edits[0])) in TYPED:
            typed += edits
            own.add_included(good)
            own.add_locals()
    _Names(universe, known, typed, needs).add_signatures()
    for number, others in needs.items():
        others.discard(number)
    return {number: others for number, others in needs.items() if others}


def _by_file(universe: Universe) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number in universe.deltas:
        found.setdefault(universe.edits[number].file, []).append(number)
    return found


def _contents(universe: Universe, chosen: Sequence[int]) -> Iterable[bytes]:
    return (content for _, content in universe.tree(chosen).values())


class _Names:
    """What some edits need of each other, added to ``needs``."""

    def __init__(
        self, universe: Universe, known: Known, edits: Sequence[int], needs: dict[int, set[int]]
    ) -> None:
        self._universe = universe
        self._edits = edits
        self._needs = needs
        self._known = {number: known[number] for number in edits if number in known}

    def _add(self, users: Iterable[int], needed: Iterable[int]) -> None:
        for user in users:
            self._needs.setdefault(user, set()).update(needed)

    def add_defined(self, good: set[bytes], bad: set[bytes]) -> None:
        """Add what is needed for names that only one of two versions of a place has."""
        adds: dict[bytes, list[int]] = {}
        removes: dict[bytes, list[int]] = {}
        for number in self._edits:
            new, old = self._universe.texts(number)
            for word in words_of(new) - good:
                adds.setdefault(word, []).append(number)
            for word in words_of(old) - bad:
                removes.setdefault(word, []).append(number)
        for word, users in adds.items():
            self._add(users, self._defining(word, users, new=True))
        for word, users in removes.items():
            self._add(self._defining(word, users, new=False), users)

    def _defining(self, word: bytes, users: list[int], *, new: bool) -> list[int]:
        """The edits among ``users`` that define a name, if they are few."""
        universe = self._universe
        if len({universe.edits[user].hunk for user in users}) == 1:
            return users[:1]
        found = [user for user in users if self._declares(user, word)]
        if not found:
            pattern = re.compile(_DEFINED.replace(b"%s", re.escape(word)), re.MULTILINE)
            side = 0 if new else 1
            found = [user for user in users if any(map(pattern.search, universe.texts(user)[side]))]
        hunks = {universe.edits[each].hunk for each in found}
        return found if len(hunks) <= MOST else []

    def _declares(self, number: int, word: bytes) -> bool:
        known = self._known.get(number)
        return known is not None and (word in known.variables or word in known.signatures)

    def add_included(self, good: set[bytes]) -> None:
        """Add that who uses what a header has needs the change that includes it."""
        headers: list[tuple[int, set[bytes]]] = []
        for number in self._edits:
            for text in self._universe.texts(number)[0]:
                found = _INCLUDED.match(text)
                if found is not None:
                    path = found["path"].decode("latin-1")
                    headers.append((number, _words_of_header(self._universe, path)))
        for number in self._edits if headers else ():
            new = words_of(self._universe.texts(number)[0]) - good
            self._add([number], [each for each, words in headers if words & new])

    def add_locals(self) -> None:
        """Add what is needed for variables that a function declares, or declares no more."""
        functions: dict[str, list[int]] = {}
        for number in self._known:
            function = self._universe.function_of(number)
            if function:
                functions.setdefault(function, []).append(number)
        for own in functions.values():
            declared: dict[bytes, list[int]] = {}
            for number in own:
                for name in self._known[number].variables:
                    declared.setdefault(name, []).append(number)
            for name, definers in declared.items():
                total = sum(self._known[number].variables[name] for number in definers)
                users = [n for n in own if self._known[n].names.get(name, 0) * total > 0]
                if total > 0:
                    self._add(users, definers)
                elif total < 0:
                    self._add(definers, users)

    def add_signatures(self) -> None:
        """Add that prototypes and definitions, and the calls they count for, change together."""
        declaring: dict[bytes, list[int]] = {}
        calling: dict[bytes, list[int]] = {}
        for number, each in self._known.items():
            for name in each.signatures:
                declaring.setdefault(name, []).append(number)
            for name in {name for name, _ in each.calls}:
                calling.setdefault(name, []).append(number)
        for name, definers in declaring.items():
            files = {self._universe.edits[number].file for number in definers}
            if len(files) > 1 and any(self._known[n].signatures[name] for n in definers):
                for file in files:
                    self._add_signature(name, definers, calling.get(name, []), file)
            else:
                self._add_signature(name, definers, calling.get(name, []))

    def _add_signature(
        self, name: bytes, definers: list[int], calling: list[int], file: int = -1
    ) -> None:
        """Have those change together that declare a function, and those that call it.

        ``file``: only that one, in which it is static.
        """
        own, callers = (
            [n for n in numbers if file in (-1, self._universe.edits[n].file)]
            for numbers in (definers, calling)
        )
        before, after = (
            {
                count
                for number in own
                for (called, count), change in self._known[number].calls.items()
                if called == name and change * sign > 0
            }
            for sign in (-1, 1)
        )
        if before and after:
            users = [
                number
                for number in callers
                for (called, count), change in self._known[number].calls.items()
                if called == name and count in (after - before if change > 0 else before - after)
            ]
            self._add(users, own)
            self._add(own, users)
            self._add(own, own)
        elif not before and not after:
            self._add(own, own)


def _words_of_header(universe: Universe, path: str) -> set[bytes]:
    """The names in a file that the bad version has under some folder."""
    tree = universe.tree(universe.deltas)
    found = [each for each in tree if each == path or each.endswith(f"/{path}")]
    return words_of(tree[each][1] for each in found)


def closure(wanted: Iterable[int], *needs: Needs) -> set[int]:
    """What is wanted, and all it needs."""
    found = set(wanted)
    pending = list(found)
    while pending:
        each = pending.pop()
        for need in needs:
            for other in need.get(each, ()):
                if other not in found:
                    found.add(other)
                    pending.append(other)
    return found

"""The names that edits bring or take, and with how many arguments: those of whole statements.

A call or a signature may go over several lines, of which an edit changes one.  So what counts are
*logical lines*: lines up to the one that closes all parentheses.  Edits of one logical line have
their occurrences in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from stripe.changes.disjoint import DisjointSets
from stripe.changes.universe import Universe
from stripe.units.grammars import suffix_of

IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")

TYPED = frozenset({"c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "java", "cs"})
"""Suffixes of languages in which a type comes before what is declared."""

MAX_LINES = 40
"""A longer logical line is taken for several: there is a parenthesis in a string or comment."""

_TYPE = rb"^\s*(?!(?:return|goto|else|case|delete|throw|new|import|package|using)\b)"
_TYPE += rb"(?:[A-Za-z_][\w:<>]*(?:\(\([^()]*\)\))?[\s*&]+)+"
_VARIABLE = re.compile(_TYPE + rb"(?P<name>[A-Za-z_]\w*)\s*(?:[;,\[]|=(?!=))")
_SIGNATURE = re.compile(_TYPE + rb"(?P<name>[A-Za-z_]\w*)\s*(?P<rest>\([^{;]*)")
_CALL = re.compile(rb"\b(?P<name>[A-Za-z_]\w*)\s*\(")

type Call = tuple[bytes, int]
"""A name, and how many arguments it is given, or takes."""


@dataclass(slots=True)
class Occurrences:
    """What an edit brings (positive) or takes (negative), with all edits of its logical lines.

    - ``names``: names, by how many occurrences more or less there are
    - ``calls``: calls, and signatures
    - ``variables``: names that are declared as variables or fields
    - ``signatures``: functions whose signatures it changes; whether they are of their file alone
    """

    names: dict[bytes, int] = field(default_factory=dict)
    calls: dict[Call, int] = field(default_factory=dict)
    variables: dict[bytes, int] = field(default_factory=dict)
    signatures: dict[bytes, bool] = field(default_factory=dict)

    @property
    def touched(self) -> set[bytes]:
        """All names that something complains of when it lacks other edits."""
        return {*self.names, *(name for name, _ in self.calls), *self.signatures}


def occurrences_of(universe: Universe) -> dict[int, Occurrences]:
    """Those of each edit of lines."""
    found: dict[int, Occurrences] = {}
    steps: dict[tuple[int, int], list[int]] = {}
    for number in universe.deltas:
        edit = universe.edits[number]
        if edit.kind == "lines":
            steps.setdefault((edit.step, edit.file), []).append(number)
    for (step, _), own in steps.items():
        sign = 1 if universe.history.steps[step].side >= 0 else -1
        for edits, before, after in _clusters(universe, own):
            sides = (before, after)[::sign]
            typed = suffix_of(universe.path_of(edits[0])) in TYPED
            counted = _occurrences(*sides, typed=typed)
            found |= dict.fromkeys(edits, counted)
    return found


def _clusters(
    universe: Universe, numbers: list[int]
) -> Iterator[tuple[list[int], list[bytes], list[bytes]]]:
    """Edits of a step that share logical lines, and these lines before and after it."""
    edits = {number: universe.edits[number] for number in numbers}
    first = edits[numbers[0]]
    texts = [universe.around(first, after=after).split(b"\n") for after in (False, True)]
    starts = [_logical(lines) for lines in texts]
    sets = DisjointSets()
    for number, edit in edits.items():
        if edit.before >= 0:
            sets.join(number, (False, starts[False][edit.before]))
        if edit.added:
            sets.join(number, (True, starts[True][edit.line]))
    clusters: dict[object, list[int]] = {}
    for number in numbers:
        clusters.setdefault(sets.root(number), []).append(number)
    for own in clusters.values():
        gone = {edits[number].before for number in own if edits[number].before >= 0}
        come = {edits[number].line for number in own if edits[number].added}
        old, new = (
            _lines(texts[side], starts[side], lines) for side, lines in enumerate((gone, come))
        )
        if not gone:  # what was there before them is what is there after them, without them
            old = _lines(texts[True], starts[True], come, come)
        if not come:
            new = _lines(texts[False], starts[False], gone, gone)
        yield own, old, new


def _logical(lines: list[bytes]) -> list[int]:
    """For each line the number of the first one of its logical line."""
    found: list[int] = []
    start = depth = 0
    for number, line in enumerate(lines):
        if depth <= 0 or number - start >= MAX_LINES or not line.strip():
            start, depth = number, 0
        found.append(start)
        depth += line.count(b"(") - line.count(b")")
    return found


def _lines(
    lines: list[bytes], starts: list[int], touched: set[int], but: Iterable[int] = ()
) -> list[bytes]:
    """The logical lines of which some lines are touched, without some lines."""
    found: list[bytes] = []
    left = set(but)
    for start in sorted({starts[line] for line in touched}):
        end = start
        while end < len(starts) and starts[end] == start:
            end += 1
        found.append(b"\n".join(lines[n] for n in range(start, end) if n not in left))
    return found


def _occurrences(old: list[bytes], new: list[bytes], *, typed: bool) -> Occurrences:
    found = Occurrences()
    for sign, texts in ((-1, old), (1, new)):
        for text in texts:
            for word in IDENTIFIER.findall(text):
                found.names[word] = found.names.get(word, 0) + sign
            for call in calls_of(text):
                found.calls[call] = found.calls.get(call, 0) + sign
            variable = _VARIABLE.match(text) if typed else None
            if variable is not None:
                name = variable["name"]
                found.variables[name] = found.variables.get(name, 0) + sign
    for counts in (found.names, found.calls, found.variables):
        for key in [key for key, count in counts.items() if not count]:
            del counts[key]  # type: ignore[arg-type]
    if typed:
        before, after = (
            {m["name"]: m[0].split() for m in map(_SIGNATURE.match, texts) if m}
            for texts in (old, new)
        )
        for name in before.keys() | after.keys():
            if before.get(name) != after.get(name):
                found.signatures[name] = b"static" in (after.get(name) or before[name])
    return found


def calls_of(text: bytes) -> Iterator[Call]:
    """What is called in a text, or declared there, with so many arguments."""
    for found in _CALL.finditer(text):
        depth, commas = 0, 0
        for at in range(found.end() - 1, len(text)):
            char = text[at]
            if char in b"([{":
                depth += 1
            elif char in b")]}":
                depth -= 1
                if depth == 0:
                    inner = text[found.end() : at].strip()
                    yield found["name"], commas + 1 if inner not in (b"", b"void") else 0
                    break
            elif char == b","[0] and depth == 1:
                commas += 1

"""The answer as people want to read it: where it is, by whom, in which surroundings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from stripe.changes.edits import File
from stripe.changes.granularity import Group
from stripe.changes.snapshots import is_text
from stripe.changes.universe import Universe
from stripe.changes.weave import Line
from stripe.results.changes import Blamed, ChangedFile, Passage, Tested

AROUND = 8
"""Lines that are shown before and after one that is blamed."""

type Shown = tuple[str, int]
"""A line of a passage: a blank, - or +, and its text; and which part of the answer it is by."""


def lines_in(universe: Universe, edits: Group) -> int:
    """How many lines are touched: one that is replaced counts once."""
    return sum(
        max(len(edit.added), len(edit.removed), 1)
        for edit in map(universe.edits.__getitem__, edits)
    )


def parts_of(universe: Universe, edits: Group) -> list[Group]:
    """Edits by step and file."""
    found: dict[tuple[int, int], list[int]] = {}
    for number in edits:
        edit = universe.edits[number]
        found.setdefault((edit.step, edit.file), []).append(number)
    return [tuple(numbers) for numbers in found.values()]


def blamed_of(universe: Universe, numbers: Group) -> Blamed:
    """What is to be said of edits of one step and file."""
    by = universe.history.steps[universe.edits[numbers[0]].step]
    lines: list[str] = []
    for number in numbers:
        added, removed = universe.texts(number)
        lines += ["-" + _text(line) for line in removed]
        lines += ["+" + _text(line) for line in added]
    functions = dict.fromkeys(filter(None, map(universe.function_of, numbers)))
    return Blamed(
        _readable(universe.path_of(numbers[0])),
        tuple(dict.fromkeys(universe.edits[number].kind for number in numbers)),
        tuple(functions),
        by.name if by.date else "",
        by.subject,
        by.author,
        by.date,
        tuple(lines),
        Tested(),
        Tested(),
    )


def files_of(universe: Universe, base: Group, parts: Sequence[Group]) -> Iterator[ChangedFile]:
    """The files in which parts of the answer are, one after the other, with what is around."""
    owners = {edit: number for number, part in enumerate(parts) for edit in part}
    before, after = (universe.applied(each) for each in (base, (*base, *owners)))
    for place in dict.fromkeys(universe.edits[edit].file for edit in owners):
        file = universe.files[place]
        there = [file.there(version) for version in (before, after)]
        lines = [
            (_sign(was, now), line, _owner(line, file, owners))
            for line in file.weave.lines
            if (was := there[0] and line.there(before)) | (now := there[1] and line.there(after))
        ]
        shown: list[Shown] = []
        if all(is_text(line.text) for _, line, _ in lines):
            shown = [
                (sign + _text(line.text), -1 if sign == " " else owner)
                for sign, line, owner in lines
            ]
        paths = [
            _readable(file.path(version)) if is_there else ""
            for version, is_there in zip((before, after), there, strict=True)
        ]
        yield ChangedFile(paths[0], paths[1], tuple(passages(shown)))


def passages(lines: Sequence[Shown]) -> Iterator[Passage]:
    """The parts of a file that are changed, and :data:`AROUND` lines around."""
    wanted: list[int] = []
    for number, (text, _) in enumerate(lines):
        if text[0] != " ":
            first = max(number - AROUND, wanted[-1] + 1 if wanted else 0)
            wanted += range(first, min(number + AROUND + 1, len(lines)))
    before = after = 1
    numbers = []
    for text, _ in lines:
        numbers.append((before, after))
        before += text[0] != "+"
        after += text[0] != "-"
    start = 0
    for index, number in enumerate(wanted):
        if index + 1 == len(wanted) or wanted[index + 1] != number + 1:
            chosen = wanted[start : index + 1]
            yield Passage(*numbers[chosen[0]], tuple(lines[each] for each in chosen))
            start = index + 1


def _sign(was: bool, now: bool) -> str:
    return " " if was and now else "-" if was else "+"


def _owner(line: Line, file: File, owners: dict[int, int]) -> int:
    """Which part of the answer a line is changed by: maybe with its file."""
    edits = (*line.dead, line.born, *file.dead, file.born)
    return next((owners[each] for each in edits if each in owners), -1)


def others_than(universe: Universe, answer: Collection[int]) -> Group:
    """All other edits, but those that need one of these."""
    needed_by: dict[int, list[int]] = {}
    for edit, others in universe.requires.items():
        for other in others:
            needed_by.setdefault(other, []).append(edit)
    gone = set(answer)
    pending = list(gone)
    while pending:
        for edit in needed_by.get(pending.pop(), ()):
            if edit not in gone:
                gone.add(edit)
                pending.append(edit)
    return tuple(edit for edit in universe.deltas if edit not in gone)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\n")


def _readable(path: str) -> str:
    """A path as text that can be written as UTF-8."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

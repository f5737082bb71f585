"""All that distinguishes two versions of a program, cut into edits of single lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain

from stripe.changes.alignment import matched
from stripe.changes.cohesion import Cohesion, cohesion_of
from stripe.changes.edits import Clash, Edit, File
from stripe.changes.functions import FunctionAt, functions_of
from stripe.changes.renames import renamed
from stripe.changes.snapshots import (
    SUBMODULE,
    Entry,
    History,
    Snapshot,
    Step,
    Tree,
    folders_of,
    is_text,
    kind_of,
    name_of,
)
from stripe.changes.statements import Statements, statements_of
from stripe.changes.weave import BASE, Applied, Replaced, Weave
from stripe.errors import UsageError


class Universe:
    """The edits that lead from the good version to the bad one.

    Args:
        history: the versions.
        context: stretches with no more than twice so many lines between them are one hunk.

    Attributes:
        edits: all of them, by number.
        deltas: the numbers of those that can be applied or not.
        requires: edits that an edit makes no sense without.
    """

    def __init__(self, history: History, context: int = 0) -> None:
        self.history = history
        self.edits: list[Edit] = []
        self.files: list[File] = []
        self.requires: dict[int, set[int]] = {}
        self._context = context
        self._hunks = 0
        self._by_root: dict[str, int] = {}
        self._rendered: dict[int, tuple[frozenset[int], bytes]] = {}
        self._functions: dict[tuple[str, bytes], FunctionAt] = {}
        self._statements: dict[tuple[str, bytes], Statements | None] = {}
        self._sides: dict[tuple[int, int, bool], bytes] = {}
        self._contents: dict[bytes, bytes] = {}
        self._cohesion: dict[int, Cohesion] = {}
        self._ancestors: list[int] = []
        for number, step in enumerate(history.steps):
            above = 0
            for parent in step.parents:
                above |= self._ancestors[parent] | 1 << parent
            self._ancestors.append(above)
            self._add_step(number, step)
        sides = [step.side for step in history.steps]
        self._inverse = frozenset(n for n, edit in enumerate(self.edits) if sides[edit.step] < 0)
        self._always = frozenset(n for n, edit in enumerate(self.edits) if sides[edit.step] == 0)
        self.deltas = tuple(sorted(set(range(len(self.edits))) - self._always, key=self._order_of))
        self.base: Tree = {
            path: (entry.mode, history.root.read(entry.name))
            for path, entry in history.root.entries.items()
            if path not in self._by_root and entry.mode != SUBMODULE
        }
        self._folders = set(chain.from_iterable(map(folders_of, self.base)))

    # --- what is asked of it

    def applied(self, configuration: Sequence[int]) -> Applied:
        """Which edits take effect when these are chosen: the good version's own ones go."""
        chosen = frozenset(configuration)
        on = (chosen - self._inverse) | (self._inverse - chosen) | self._always
        return on.__contains__

    def tree(self, configuration: Sequence[int]) -> Tree:
        """The good version with these edits; all of them give the bad one.

        Raises:
            Clash: when two files would be at the same place.
        """
        return self.base | self.changed(configuration)

    def changed(self, configuration: Sequence[int]) -> Tree:
        """The files of :meth:`tree` that the history changes anywhere.

        Raises:
            Clash: when two files would be at the same place.
        """
        applied = self.applied(configuration)
        changed: Tree = {}
        for number, file in enumerate(self.files):
            if file.there(applied):
                path = file.path(applied)
                if path in changed or path in self.base:
                    raise Clash(f"two files would be {path}")
                changed[path] = file.mode(applied), self._content(number, applied)
        folders = set(chain.from_iterable(map(folders_of, changed)))
        for path in changed.keys() & (self._folders | folders):
            raise Clash(f"{path} would be a file and a folder")
        for path in folders & self.base.keys():
            raise Clash(f"{path} would be a file and a folder")
        return changed

    def content(self, file: int, configuration: Sequence[int]) -> bytes:
        """A file of the version with these edits."""
        return self._content(file, self.applied(configuration))

    def texts(self, number: int) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        """The lines that choosing an edit adds, and those that it removes."""
        edit = self.edits[number]
        if number in self._inverse:
            return edit.removed, edit.added
        return edit.added, edit.removed

    def mentioned(self, number: int) -> Iterator[bytes]:
        """The lines that an edit adds or removes; the names of a file that comes, goes or moves."""
        edit = self.edits[number]
        yield from edit.added
        yield from edit.removed
        if edit.kind in ("create", "delete", "rename"):
            yield from map(os.fsencode, self.paths_of(number))

    def function_of(self, number: int) -> str:
        """The function that an edit is in; "" for none."""
        edit = self.edits[number]
        if edit.kind != "lines":
            return ""
        key = self.path_of(number), self.around(edit, after=bool(edit.added))
        if key not in self._functions:
            self._functions[key] = functions_of(*key, self.statements_in(*key))
        return self._functions[key](edit.line)

    def statements(self, edit: Edit, after: bool) -> Statements | None:
        """The statements of an edit's file, before or after its step, if they can be read."""
        return self.statements_in(
            self.files[edit.file].paths[-1][1], self.around(edit, after=after)
        )

    def statements_in(self, path: str, content: bytes) -> Statements | None:
        """The statements of what a file has in some version, if they can be read."""
        key = path, content
        if key not in self._statements:
            self._statements[key] = statements_of(path, content)
        return self._statements[key]

    def cohesion(self, step: int) -> Cohesion:
        """Which edits of a step belong to one statement; :attr:`requires` has what these need."""
        if step not in self._cohesion:
            own = [each for each in enumerate(self.edits) if each[1].step == step]
            found = self._cohesion[step] = cohesion_of(own, self.statements)
            for edit, other in found.needs:
                self._require(edit, other)
        return self._cohesion[step]

    def unit(self, number: int) -> Hashable:
        """What stands for the unit of an edit in its step: equal for edits of one statement."""
        return self.cohesion(self.edits[number].step).root(number)

    def around(self, edit: Edit, *, after: bool) -> bytes:
        """The file of an edit, as it is before or after its step."""
        key = edit.step, edit.file, after
        if key not in self._sides:
            steps = self._ancestors[edit.step] | after << edit.step
            content = self.files[edit.file].weave.render(self._in_steps(steps))
            self._sides[key] = self._contents.setdefault(content, content)
        return self._sides[key]

    def paths(self) -> Iterator[str]:
        """What files are called in any version."""
        yield from self.base
        for file in self.files:
            yield from (path for _, path in file.paths)

    def paths_of(self, edit: int) -> set[str]:
        """What the file of an edit is called in any version."""
        return {path for _, path in self.files[self.edits[edit].file].paths}

    def path_of(self, edit: int) -> str:
        """What the file of an edit is called in the end, or was before it went."""
        return self.files[self.edits[edit].file].paths[-1][1]

    # --- inside

    def _order_of(self, number: int) -> tuple[int, str, int, int]:
        """Edits that belong together are near each other: by step, place, and line."""
        edit = self.edits[number]
        return edit.step, self.path_of(number), edit.line, number

    def _in_steps(self, steps: int) -> Applied:
        """The edits of a set of steps, which is a number with a bit for each."""
        return lambda edit: bool(steps >> self.edits[edit].step & 1)

    def _content(self, number: int, applied: Applied) -> bytes:
        file = self.files[number]
        on = frozenset(filter(applied, file.edits))
        known = self._rendered.get(number)
        if known is None or known[0] != on:
            known = self._rendered[number] = on, file.weave.render(applied)
        return known[1]

    def _add_step(self, number: int, step: Step) -> None:
        """Add the edits of a step to its parents' version."""
        applied = self._in_steps(self._ancestors[number])
        where = self._where(number, step, applied)
        before = self._before(step, where, applied)
        after = step.snapshot
        gone = [path for path in before if path not in after.entries]
        new = [path for path in after.entries if path not in before]
        for path in [*gone, *new]:
            _refuse_submodule(path, before.get(path), after.entries.get(path))

        def old(path: str) -> bytes:
            return self._old(path, where, applied)

        moved = renamed(gone, new, before, after, old)
        for path, entry in after.entries.items():
            earlier = moved.get(path, path)
            if earlier not in before:
                self._create(number, path, entry, after)
                continue
            if earlier == path and before[path] == entry:
                continue
            _refuse_submodule(path, before[earlier], entry)
            place = self._place(earlier, where)
            if earlier != path:
                edit = self._add(Edit("rename", number, place, self._next_hunk()))
                self.files[place].paths.append((edit, path))
                self._require_born(edit, place)
            self._change(number, place, before[earlier], entry, after.read, applied)
        for path in gone:
            if path not in moved.values():
                self._delete(number, self._place(path, where), applied)

    def _where(self, number: int, step: Step, applied: Applied) -> dict[str, int]:
        """The files of the parents' version by path; only one of several at one path is kept.

        Parents of a merge may each have a file of their own at a path.  The merge deletes all but
        the one that it leaves unchanged, or the last: so every version has one file at a path.
        """
        found: dict[str, list[int]] = {}
        for place, file in enumerate(self.files):
            if file.there(applied):
                found.setdefault(file.path(applied), []).append(place)
        where: dict[str, int] = {}
        for path, places in found.items():
            entry = step.snapshot.entries.get(path)
            same = [each for each in places[:-1] if self._entry(each, applied) == entry]
            where[path] = same[0] if same else places[-1]
            for place in places:
                if place != where[path]:
                    edit = self._delete(number, place, applied)
                    self._require_born(edit, where[path])
        return where

    def _entry(self, place: int, applied: Applied) -> Entry:
        file = self.files[place]
        return Entry(file.mode(applied), name_of(file.weave.render(applied)))

    def _delete(self, step: int, place: int, applied: Applied) -> int:
        file = self.files[place]
        removed = tuple(line.text for line in file.weave.visible(applied))
        edit = self._add(Edit("delete", step, place, self._next_hunk(), removed=removed))
        file.dead.append(edit)
        self._require_born(edit, place)
        return edit

    def _before(self, step: Step, where: dict[str, int], applied: Applied) -> dict[str, Entry]:
        """The version that a step changes: its parent, or what its parents give together."""
        if not step.parents:
            return dict(self.history.root.entries)
        if len(step.parents) == 1:
            return dict(self.history.steps[step.parents[0]].snapshot.entries)
        entries = {
            path: entry
            for path, entry in self.history.root.entries.items()
            if path not in self._by_root
        }
        for path, place in where.items():
            entries[path] = self._entry(place, applied)
        return entries

    def _old(self, path: str, where: dict[str, int], applied: Applied) -> bytes:
        if path in where:
            return self.files[where[path]].weave.render(applied)
        return self.history.root.content(path)

    def _place(self, path: str, where: dict[str, int]) -> int:
        """The file at a path, which is taken up when it is first changed."""
        if path not in where:
            where[path] = self._by_root[path] = len(self.files)
            entry = self.history.root.entries[path]
            content = self.history.root.read(entry.name)
            self.files.append(File(Weave(content), [(BASE, path)], [(BASE, entry.mode)]))
        return where[path]

    def _create(self, step: int, path: str, entry: Entry, after: Snapshot) -> None:
        place, hunk = len(self.files), self._next_hunk()
        self.files.append(File(Weave(), [], []))
        born = self._add(Edit("create", step, place, hunk))
        file = self.files[place]
        file.born = born
        file.paths.append((born, path))
        file.modes.append((born, entry.mode))
        content = after.read(entry.name)
        if not is_text(content) or kind_of(entry.mode) != kind_of(0o100644):
            file.weave = Weave(content, born)
            return
        for replaced in file.weave.replaced(content, lambda edit: True):
            self._replace(step, place, hunk, replaced)

    def _change(
        self,
        step: int,
        place: int,
        before: Entry,
        entry: Entry,
        read: Callable[[str], bytes],
        applied: Applied,
    ) -> None:
        """Add the edits of a file that is there before and after."""
        file = self.files[place]
        same_kind = kind_of(before.mode) == kind_of(entry.mode)
        if before.mode != entry.mode and same_kind:
            edit = self._add(Edit("mode", step, place, self._next_hunk()))
            file.modes.append((edit, entry.mode))
            self._require_born(edit, place)
        if before.name == entry.name and same_kind:
            return
        content = read(entry.name)
        old = file.weave.render(applied)
        if not same_kind or not is_text(content) or not is_text(old):
            if same_kind and content == old:
                return
            edit = self._add(Edit("content", step, place, self._next_hunk()))
            for line in file.weave.visible(applied):
                self._kill(line.born, line.dead, edit)
            for text in reversed(Weave(content).lines):
                file.weave.insert(0, text.text, edit)
            if not same_kind:
                file.modes.append((edit, entry.mode))
            self._require_born(edit, place)
            return
        hunk, below = self._next_hunk(), -1
        for each in list(file.weave.replaced(content, applied)):
            if below >= 0 and below - each.end > 2 * self._context:
                hunk = self._next_hunk()
            below = each.start
            self._replace(step, place, hunk, each)

    def _replace(self, step: int, place: int, hunk: int, replaced: Replaced) -> None:
        """Add the edits of a stretch: a line takes the place of one that it is alike to."""
        weave = self.files[place].weave
        around = weave.lines[replaced.at - 1 : replaced.at + 1] if replaced.at else []
        behind = replaced.at
        for old, new in reversed(matched([line.text for line in replaced.old], replaced.new)):
            removed = [] if old is None else [replaced.old[old]]
            added = () if new is None else (replaced.new[new],)
            line = replaced.start + (old or 0) if new is None else replaced.first + new
            texts = tuple(each.text for each in removed)
            before = -1 if old is None else replaced.start + old
            edit = self._add(Edit("lines", step, place, hunk, line, before, texts, added))
            self._require_born(edit, place)
            for each in removed:
                self._kill(each.born, each.dead, edit)
                behind = weave.place_of(each, behind)
            for text in added:
                weave.insert(behind + len(removed), text, edit)
            if len(around) == 2 and not replaced.old and self._same_hunk(*(a.born for a in around)):
                self._require(edit, around[0].born)

    def _same_hunk(self, one: int, other: int) -> bool:
        """Whether two lines were written together, so that what is between them needs both."""
        return BASE not in (one, other) and self.edits[one].hunk == self.edits[other].hunk

    def _kill(self, born: int, dead: list[int], edit: int) -> None:
        """Have an edit delete a line: it needs what writes the line."""
        dead.append(edit)
        if born != BASE:
            self._require(edit, born)

    def _require_born(self, edit: int, place: int) -> None:
        born = self.files[place].born
        if born != BASE:
            self._require(edit, born)

    def _require(self, edit: int, other: int) -> None:
        """Note that ``edit`` takes effect only where ``other`` does."""
        if self.history.steps[self.edits[edit].step].side < 0:
            edit, other = other, edit  # to choose an edit of the good version is to take it back
        self.requires.setdefault(edit, set()).add(other)

    def _add(self, edit: Edit) -> int:
        self.edits.append(edit)
        self.files[edit.file].edits.append(len(self.edits) - 1)
        return len(self.edits) - 1

    def _next_hunk(self) -> int:
        self._hunks += 1
        return self._hunks


def _refuse_submodule(path: str, before: Entry | None, after: Entry | None) -> None:
    """Refuse what is not in this repository.

    Raises:
        UsageError: ``submodule-changed``.
    """
    if any(entry is not None and entry.mode == SUBMODULE for entry in (before, after)):
        raise UsageError(
            "submodule-changed",
            f"The submodule {path!r} is not the same in both versions.",
            "Its changes are in a repository of its own: run stripe changes there, with --test "
            "on the whole, or compare two versions that have the same one.",
        )

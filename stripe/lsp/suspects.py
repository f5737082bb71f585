"""Suspects in an editor: places that are shown, and changes that can be tried."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.uris import from_fs_path

from stripe.lsp.slices import orderly
from stripe.report.style import plural, printable
from stripe.report.suspects import evidence, which_values
from stripe.suspects import Line, Place, SuspectsResult
from stripe.suspects.edits import Edit, edits

SUSPECT = "suspect"
"""The code of diagnostics."""

SOURCE = "stripe"
TRY = "stripe.try"
"""The annotation of an edit that wants to be confirmed."""

MOST = 20
"""Results that are remembered."""

LONGEST = 80
"""Characters of a change in the title of an action."""

type Texts = Callable[[str], str | None]
"""The text of a file, by its resolved path."""


@dataclass(eq=False)
class Suspected:
    """A result, the request it answers, and the texts that it is about, by resolved paths.

    Texts are those of files with places, if they are still what ran; else there are none.
    """

    result: SuspectsResult
    request: Mapping[str, Any]
    directory: str
    texts: dict[str, str]

    @classmethod
    def from_result(
        cls, result: SuspectsResult, request: Mapping[str, Any], directory: str, saved: Texts
    ) -> Suspected:
        """A result, just found; what ran is what was ``saved``, unless the lines differ."""
        found = cls(result, request, directory, {})
        for place in result.places:
            path = found.path(place.file)
            text = saved(path)
            if text is not None and _agrees(result, place.file, text):
                found.texts[path] = text
        return found

    def path(self, file: str) -> str:
        """Where a file of the result is."""
        return os.path.realpath(os.path.join(self.directory, file))

    def uri(self, file: str) -> str:
        """The same for clients."""
        path = self.path(file)
        return from_fs_path(path) or path

    @property
    def changed(self) -> list[str]:
        """The files with places that are not what ran."""
        paths = {self.path(each.file) for each in self.result.places}
        return sorted(paths - set(self.texts))


def _agrees(result: SuspectsResult, file: str, text: str) -> bool:
    lines = text.split("\n")
    return all(
        number <= len(lines) and lines[number - 1].startswith(line)
        for (name, number), line in result.source.items()
        if name == file
    )


class FoundSuspects:
    """The results so far, the latest first; ``text`` tells what a file is now."""

    def __init__(self, text: Texts) -> None:
        self._text = text
        self._found: list[Suspected] = []

    def add(self, found: Suspected) -> None:
        """Put a result on top; it replaces one for the same request."""
        self._found = [each for each in self._found if each.request != found.request]
        self._found.insert(0, found)
        del self._found[MOST:]

    def clear(self, path: str | None = None) -> None:
        """Forget those with places in a file, or all."""
        self._found = [
            each for each in self._found if path is not None and path not in each.texts
        ]  # fmt: skip

    def shown(self, path: str) -> Suspected | None:
        """The latest with this file, if its text, and that of the others, is what ran."""
        for each in self._found:
            if path in each.texts:
                same = all(self._text(other) == text for other, text in each.texts.items())
                return each if same else None
        return None


@dataclass(frozen=True, slots=True)
class SuspectsView:
    """The places in one open document, whose lines are ``texts``.

    ``units`` is the length of a text as the client counts it.
    """

    found: Suspected
    path: str
    texts: list[str]
    units: Callable[[str], int]

    def places(self) -> Iterator[tuple[int, Place]]:
        """Those of this document, with their numbers in the answer."""
        for number, place in enumerate(self.found.result.places, 1):
            if self.found.path(place.file) == self.path and place.end <= len(self.texts):
                yield number, place

    def diagnostics(self) -> Iterator[types.Diagnostic]:
        """An information for each place."""
        for number, place in self.places():
            yield self.diagnostic(number, place)

    def diagnostic(self, number: int, place: Place) -> types.Diagnostic:
        """What is known of a place."""
        result = self.found.result
        message = f"{number}. {printable(evidence(place))}"
        rank = result.ochiai_ranks().get(Line(place.file, place.line))
        if rank is not None:
            message += f" By which tests execute it, the line is number {rank}."
        before, after = place.values.before, place.values.after
        if before or after:
            then, now = (", ".join(each) or "none" for each in (before, after))
            which = which_values(place).capitalize()
            message += f" {which}: {printable(then)}; with the change: {printable(now)}."
        first, last = self.texts[place.line - 1], self.texts[place.end - 1]
        return types.Diagnostic(
            range=types.Range(
                types.Position(place.line - 1, self.units(first[: _indent(first)])),
                types.Position(place.end - 1, self.units(last.rstrip())),
            ),
            message=message,
            severity=types.DiagnosticSeverity.Information,
            code=SUSPECT,
            source=SOURCE,
        )

    def actions(
        self,
        uri: str,
        version: int | None,
        within: types.Range,
        *,
        annotated: bool,
        versioned: bool,
    ) -> Iterator[types.CodeAction]:
        """An action for each change in a range that can be written as an edit.

        ``annotated``: the client asks before it makes what wants to be confirmed; ``versioned``: an
        edit may say of which version of the document it is.
        """
        for number, place in self.places():
            touched = place.line - 1 <= within.end.line and within.start.line <= place.end - 1
            found = [self.edit(each) for each in edits(place.diff or "")]
            wanted = [each for each in found if each is not None]
            if not touched or not wanted or len(wanted) < len(found):
                continue
            words = printable(place.words)
            words = words if len(words) <= LONGEST else f"{words[: LONGEST - 3]}..."
            yield types.CodeAction(
                title=f"Try this change: {words}",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[self.diagnostic(number, place)],
                edit=_workspace_edit(
                    uri, version, wanted, printable(evidence(place)),
                    annotated=annotated, versioned=versioned,
                ),
            )  # fmt: skip

    def edit(self, edit: Edit) -> types.TextEdit | None:
        """A part of a change, if the lines that it replaces are those of the document."""
        old = orderly(edit.old).split("\n")
        first = edit.first - 1
        if self.texts[first : first + len(old) - 1] != old[:-1]:
            return None
        rest = old[-1]
        last = first + len(old) - 1
        if rest and (last >= len(self.texts) or self.texts[last] != rest):
            return None
        return types.TextEdit(
            types.Range(types.Position(first, 0), types.Position(last, self.units(rest))), edit.new
        )


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _workspace_edit(
    uri: str,
    version: int | None,
    edits: list[types.TextEdit],
    why: str,
    *,
    annotated: bool,
    versioned: bool,
) -> types.WorkspaceEdit:
    """The edit, in the best form that the client knows."""
    if not versioned:
        return types.WorkspaceEdit(changes={uri: edits})
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    if not annotated:
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, edits)])
    marked = [types.AnnotatedTextEdit(TRY, each.range, each.new_text) for each in edits]
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(document, marked)],
        change_annotations={
            TRY: types.ChangeAnnotation("Try this change", needs_confirmation=True, description=why)
        },
    )


def headline(result: SuspectsResult) -> str:
    """What was found, in a few words."""
    count = len(result.places)
    found = plural(count, "place") if count else "no place"
    return f"{found}; {result.tried:,} of {result.offered:,} changes tried"


def answer(found: Suspected) -> dict[str, Any]:
    """The answer of the command ``stripe.suspects``."""
    result = found.result
    return {
        "status": "found",
        "places": [
            {
                "uri": found.uri(each.file),
                "line": each.line,
                "change": each.words,
                "repaired": each.repaired,
                "failing": each.failing,
                "still_passing": each.kept,
                "passing": each.passing,
            }
            for each in result.places
        ],
        "tried": result.tried,
        "offered": result.offered,
        "stopped": result.stopped.value,
        "notes": list(result.notes),
    }

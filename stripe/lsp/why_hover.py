"""What an answer of ``stripe.why`` shows in the source: hovers, and a lens over what failed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stripe.lsp.lenses import Lens
from stripe.lsp.view import code
from stripe.report.style import plural, printable
from stripe.results.why import Document


@dataclass(frozen=True, slots=True)
class WhyHover:
    """The last answer, whose files are relative to ``directory``.

    Args:
        request: what was asked.
        failing: the text of the line that failed, when it was asked.
    """

    document: Document
    directory: str
    request: Mapping[str, Any]
    failing: str

    def text(self, path: str, number: int, source: str) -> str | None:
        """Markdown on a line, whose text is ``source``.

        Nothing is said of a line that is no longer what it was when the question was asked.
        """
        parts = [*self._symptom(path, number, source), *self._place(path, number, source)]
        parts = parts or [*self._step(path, number, source)]
        return "\n".join(parts) or None

    def is_about(self, path: str) -> bool:
        """Whether the answer names a line of the file."""
        document = self.document
        places = [each.file for each in document.places]
        story = [each.file for each in document.story]
        return any(self._is(path, file) for file in (*places, *story, document.happened.file))

    def lens(self, path: str, lines: Sequence[str]) -> Iterator[Lens]:
        """Over the line that failed, whatever file it is in, the question once more."""
        happened = self.document.happened
        number = happened.line
        if number <= len(lines) and self._failed(path, number, lines[number - 1].strip()):
            title = printable(f"Failed here: {happened.says}")
            yield Lens(number - 1, title, "stripe.why", {**self.request})

    def _failed(self, path: str, number: int, source: str) -> bool:
        happened = self.document.happened
        return (
            0 < happened.line == number and source == self.failing and self._is(path, happened.file)
        )

    def _symptom(self, path: str, number: int, source: str) -> Iterator[str]:
        happened, places = self.document.happened, self.document.places
        if places and self._failed(path, number, source):
            yield f"**Why?** {code(happened.says)}"
            for each in places:
                where = code(f"{each.file}:{each.line}")
                yield f"- look at {where}: {code(each.why[0].says)}"

    def _place(self, path: str, number: int, source: str) -> Iterator[str]:
        places = self.document.places
        for rank, each in enumerate(places, 1):
            if each.line == number and self._is(path, each.file) and each.source == source:
                nth = f"place {rank} of {len(places)} to look at"
                yield f"**Why {code(self.document.happened.says)}?** {nth}"
                yield from (f"- {code(reason.says)}" for reason in each.why)
                if each.diff:
                    yield f"\n````diff\n{each.diff.rstrip()}\n````"

    def _step(self, path: str, number: int, source: str) -> Iterator[str]:
        for each in self.document.story:
            if each.line == number and self._is(path, each.file) and each.source == source:
                held = ", ".join(f"{name} = {value}" for name, value in each.values)
                again = f"; {plural(each.again, 'time')} more" if each.again else ""
                tested = ", as it was recorded (not tested)" if self.document.analysed else ""
                yield f"On the way to {code(self.document.happened.says)}{tested}"
                yield f"- {code(held or 'executed')}{again}"
                return

    def _is(self, path: str, file: str) -> bool:
        return bool(file) and os.path.realpath(os.path.join(self.directory, file)) == path

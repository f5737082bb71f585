"""What a search for failure-inducing changes answers, as data.

All of it can be written as JSON (:meth:`ChangesResult.to_json`) and read again
(:func:`stripe.changes.reading.from_json`); every report is made from that and nothing else.
:data:`VERSION` counts the incompatible changes of that form; its JSON Schema is
``stripe/report/schema/changes.json``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from stripe.campaign.answer import Answer
from stripe.campaign.log import LogEntry
from stripe.dd import Outcome
from stripe.intervals import stretches

VERSION = 1
"""The version of the JSON form."""


@dataclass(frozen=True, slots=True)
class Tested:
    """What some changes came to: with ``outcome`` ``None``, nobody tested just these.

    ``predicted``: they were UNRESOLVED without a test, as they cannot be applied, or be parsed.
    """

    __test__: ClassVar[bool] = False  # keeps pytest from taking it for a test class

    outcome: Outcome | None = None
    predicted: bool = False

    def to_json(self) -> dict[str, Any]:
        """The fact as plain JSON data."""
        return {
            "outcome": None if self.outcome is None else self.outcome.name,
            "predicted": self.predicted,
        }


@dataclass(frozen=True, slots=True)
class Blamed:
    """Changes of one file by one step: what is to blame, or a part of it.

    - ``functions``: where they are; ``commit`` and ``subject``: who made them, if that is known
    - ``lines``: ``-`` or ``+`` and the text
    - ``alone``: what they came to on the good version, with no other change
    - ``without``: what the answer came to without them
    """

    path: str
    kinds: tuple[str, ...]
    functions: tuple[str, ...]
    commit: str
    subject: str
    author: str
    date: str
    lines: tuple[tuple[str, str], ...]
    alone: Tested = Tested()
    without: Tested = Tested()

    def to_json(self) -> dict[str, Any]:
        """The changes as plain JSON data."""
        return {
            "path": self.path,
            "kinds": list(self.kinds),
            "functions": list(self.functions),
            "commit": self.commit,
            "subject": self.subject,
            "author": self.author,
            "date": self.date,
            "lines": [sign + text for sign, text in self.lines],
            "alone": self.alone.to_json(),
            "without": self.without.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a file in which lines are blamed, and what is around them.

    - ``before``, ``after``: the number of its first line without and with them, from 1
    - ``lines``: a blank, ``-`` or ``+``; the text; and which of the blamed changes it is by, or -1
    """

    before: int
    after: int
    lines: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file in which something is blamed: its path without, and with that; "" if it is not there.

    ``passages`` is empty where no line is blamed, or the file is no text.
    """

    before: str
    after: str
    passages: tuple[Passage, ...]

    def to_json(self) -> dict[str, Any]:
        """The file as plain JSON data."""
        return {
            "before": self.before,
            "after": self.after,
            "passages": [
                {
                    "before": each.before,
                    "after": each.after,
                    "lines": [[sign + text, by] for sign, text, by in each.lines],
                }
                for each in self.passages
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesResult(Answer):
    """The answer of :func:`stripe.changes.find_changes`; see :class:`Answer` for the rest.

    - ``good``, ``bad``, ``steps``: the versions as they were named, and how many commits lead from
      the one to the other; ``test``, ``build``: the commands; ``algorithm``: the search
    - ``patch``: from the good version to the good one with the blamed changes, as git applies it
    - ``changes``: how many hunks differ; ``lines``: how many were changed between the versions,
      ``blamed_lines``: by the answer
    - ``files``: the answer, and what is around it
    - ``predicted``: questions that needed no test, for what cannot be right
    - ``undecided``: how many tests came to UNRESOLVED for which reason
    - ``of``: the single changes that can be left out, which ``log`` and ``edits`` number from 0
    - ``edits``: those that are blamed, as first, last + 1, ...
    - ``log``: the tests in order, and what was predicted between them
    - ``rest``: what came of all other changes together, but those that need one of the answer's
    - ``untried``: why the tests show nothing (what came of a control), so nothing is certified
    """

    good: str
    bad: str
    steps: int
    test: str
    build: str | None
    granularity: str
    algorithm: str
    changes: int
    lines: int
    blamed_lines: int
    blamed: tuple[Blamed, ...]
    patch: bytes = field(repr=False)
    files: tuple[ChangedFile, ...] = field(repr=False)
    predicted: int
    undecided: Mapping[str, int]
    of: int
    edits: Sequence[int] = field(repr=False)
    log: Sequence[LogEntry] = field(repr=False)
    rest: Tested
    untried: str = ""

    @property
    def answer(self) -> list[range]:
        """The single changes that are blamed."""
        return list(stretches(self.edits))

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data, version :data:`VERSION`."""
        from stripe.changes.narrative import narrative

        return {
            "format": "stripe-changes-result",
            "version": VERSION,
            "good": self.good,
            "bad": self.bad,
            "steps": self.steps,
            "test": self.test,
            "build": self.build,
            "granularity": self.granularity,
            "algorithm": self.algorithm,
            "changes": self.changes,
            "lines": {"changed": self.lines, "blamed": self.blamed_lines},
            "blamed": [each.to_json() for each in self.blamed],
            "patch": self.patch.decode("utf-8", "replace"),
            "files": [each.to_json() for each in self.files],
            "undecided": dict(self.undecided),
            "failure": {"bad": self.failure, "answer": self.failure_now},
            "edits": {"of": self.of, "answer": list(self.edits)},
            "log": [
                {
                    "number": each.number,
                    "outcome": each.outcome.name,
                    "size": each.size,
                    "ranges": None if each.ranges is None else list(each.ranges),
                    "predicted": each.predicted,
                    "level": each.level,
                }
                for each in self.log
            ],
            "rest": self.rest.to_json(),
            "untried": self.untried,
            "narrative": [each.to_json() for each in narrative(self)],
            **self.account("granularity", predicted=self.predicted),
        }

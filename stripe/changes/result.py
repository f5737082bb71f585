"""What a search for failure-inducing changes answers, as data.

All of it can be written as JSON (:meth:`ChangesResult.to_json`) and read again
(:func:`stripe.changes.reading.from_json`); every report is made from that and nothing else.
Its model is :mod:`stripe.results.changes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from stripe.campaign.answer import Answer
from stripe.campaign.log import LogEntry
from stripe.dd import Outcome, Reason
from stripe.intervals import stretches


@dataclass(frozen=True, slots=True)
class Tested:
    """What some changes came to: with ``outcome`` ``None``, nobody tested just these.

    ``predicted``: they were UNRESOLVED without a test, as they cannot be applied, or be parsed.
    """

    __test__: ClassVar[bool] = False  # keeps pytest from taking it for a test class

    outcome: Outcome | None = None
    predicted: bool = False


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NextCause:
    """Changes that make it fail without any of the answer, found after it.

    - ``blamed``, ``blamed_lines``, ``patch``, ``granularity``: as of the answer
    - ``tests``: those run after the answer was found
    - ``certified``, ``untried``, ``verified``, ``stopped``: as of the answer; that no single change
      can be left out holds among the changes that can do without the answer
    - ``output``: the files in which the patch is; ``notes``: more that the user must know of it
    """

    blamed: tuple[Blamed, ...]
    blamed_lines: int
    patch: bytes = field(repr=False)
    granularity: str
    tests: int
    certified: bool
    untried: str
    verified: bool | None
    stopped: Reason
    output: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


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
    - ``next``: the next cause, if it was asked for, and there is one among the ``rest``
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
    next: NextCause | None = None

    @property
    def ends(self) -> list[Reason]:
        """Why each search ended."""
        return [self.stopped, *([] if self.next is None else [self.next.stopped])]

    @property
    def answer(self) -> list[range]:
        """The single changes that are blamed."""
        return list(stretches(self.edits))

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON data."""
        from stripe.changes.form import document_of  # lazy

        return document_of(self).to_json()

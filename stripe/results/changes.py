"""The answer of ``stripe changes``: the changes between two versions that make a test fail.

It is made as such a document, and every form of it from that and nothing else.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from stripe.dd import Outcome, Reason
from stripe.intervals import stretches
from stripe.results import searches
from stripe.results.formats import CHANGES
from stripe.results.model import (
    CHANGED,
    SHOWN,
    Count,
    Index,
    Model,
    Name,
    Note,
    Patch,
    Positive,
    Ranges,
    Seconds,
    text,
    whole,
)
from stripe.results.searches import Searched, check_log, check_ranges, check_tests
from stripe.results.wrong import within


class Tested(Model):
    """What some changes came to; null: nobody tested just these.

    - ``predicted``: they were UNRESOLVED without a test, as they cannot be applied, or be parsed
    """

    __test__: ClassVar[bool] = False  # keeps pytest from taking it for a test class

    outcome: Outcome | None = None
    predicted: bool = False


class Blamed(Model):
    """Changes of one file by one commit: what is to blame, or a part of it.

    - ``kinds``: `lines`, `content` (of what has no lines), `create`, `delete`, `rename`, `mode`
    - ``functions``: where the changes are
    - ``commit``: who made them, if that is known: else empty
    - ``alone``: what they came to by themselves
    - ``without``: what the others came to without them
    """

    path: Name
    kinds: tuple[Name, ...]
    functions: tuple[Name, ...]
    commit: Name
    subject: Note
    author: Name
    date: Name
    lines: tuple[Annotated[str, text(CHANGED)], ...]
    alone: Tested
    without: Tested


class Passage(Model):
    """A part of a file in which lines are blamed, and what is around them.

    - ``before``: the number of the first line, without what is blamed
    - ``after``: the same with it
    - ``lines``: A line behind a blank, - or +; and which of `blamed` it is by, or -1
    """

    before: Positive
    after: Positive
    lines: tuple[tuple[Annotated[str, text(SHOWN)], Index], ...]


class ChangedFile(Model):
    """A file in which something is blamed.

    - ``before``: the path without what is blamed; empty if there is no such file
    - ``after``: the path with that
    """

    before: Name
    after: Name
    passages: tuple[Passage, ...]


class Lines(Model):
    """Lines that differ; one that is replaced counts once."""

    changed: Count
    blamed: Count


class Failure(Model):
    """How the bad version failed, and the answer."""

    bad: Note
    answer: Note


class Edits(Model):
    """Single changes, by number.

    - ``of``: how many there are
    - ``answer``: those that are blamed: first, last + 1, first, ...
    """

    of: Annotated[int, whole(0, 100000000)]
    answer: Ranges


class Test(searches.Test):
    """A test; with its number, what was predicted after it.

    - ``ranges``: which single changes; null where the log had grown too large
    - ``predicted``: it was UNRESOLVED without a test
    """

    ranges: Ranges | None
    predicted: bool = False
    level: Name = ""


class Told(Model):
    """The same in plain sentences: made from the rest, and not read."""

    about: Name
    text: Note
    items: tuple[Note, ...] = ()


class Tests(searches.Tests):
    """How many tests there were, by what they came to.

    - ``predicted``: versions that cannot be right, and were not tested
    """

    predicted: Count


class Level(Model, rename={"name": "granularity"}):
    """A pass of the search: how many groups of changes there were, and were left."""

    name: Name
    before: Count
    after: Count
    tests: Count


class Blame(Model, kw_only=True):
    """Changes that make it fail, and how sure that is.

    - ``blamed``: what is to blame, by commit and file
    - ``patch``: from the good version to one that fails, for `git apply`; what is no UTF-8 in it is
      replaced
    - ``granularity``: the finest level, in which these are 1-minimal if `certified`
    - ``certified``: whether without any single change of the finest level it does not fail
    - ``untried``: why the tests show nothing: what came of a control. Empty: they do
    - ``stopped``: why the search ended
    - ``verified``: whether it failed once more in a place of its own; null: not tried
    - ``output``: the files that hold the patch
    """

    blamed: tuple[Blamed, ...]
    patch: Patch
    granularity: Name
    certified: bool
    untried: Note = ""
    stopped: Reason
    verified: bool | None
    output: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()


class NextCause(Blame):
    """Changes that make it fail without any of the answer.

    That no single change can be left out holds among the changes that can do without the answer.

    - ``blamed_lines``: how many lines; one that is replaced counts once
    - ``tests``: how many were run after the answer was found
    """

    blamed_lines: Count
    tests: Count


class ChangesResult(Searched, Blame, rename={"counts": "tests"}):
    """What `stripe changes --json FILE` writes.

    The changes between two versions that make a test fail. Single changes, the least that can be
    applied or left out, are numbered from 0.

    - ``good``: the version that passes, as it was named
    - ``bad``: the version that fails
    - ``steps``: how many commits lead from the one to the other
    - ``test``: the command that tells whether a version fails
    - ``build``: the command that comes first
    - ``algorithm``: the search within a level
    - ``changes``: how many hunks differ
    - ``files``: the answer, and what is around it
    - ``undecided``: how many tests decided nothing, by the reason
    - ``log``: the tests in order
    - ``rest``: what came of all other changes that can do without these
    - ``next``: the next cause; null: there is none, or it was not asked for
    """

    format: Literal["stripe-changes-result"]
    version: Annotated[int, whole(CHANGES.first, CHANGES.version)]
    good: Name
    bad: Name
    steps: Count
    test: Note
    build: Note | None
    algorithm: Name
    changes: Count
    lines: Lines
    files: tuple[ChangedFile, ...]
    undecided: dict[str, Count]
    failure: Failure
    edits: Edits
    log: tuple[Test, ...]
    rest: Tested
    narrative: tuple[Told, ...]
    counts: Tests
    levels: tuple[Level, ...]
    seconds: Seconds
    next: NextCause | None = None

    @property
    def blamed_lines(self) -> int:
        """How many lines are blamed; one that is replaced counts once."""
        return self.lines.blamed

    @property
    def predicted(self) -> int:
        """Questions that needed no test, for what cannot be right."""
        return self.counts.predicted

    @property
    def ends(self) -> list[Reason]:
        """Why each search ended."""
        return [self.stopped, *([] if self.next is None else [self.next.stopped])]

    @property
    def answer(self) -> list[range]:
        """The single changes that are blamed."""
        return list(stretches(self.edits.answer))


def check(document: ChangesResult) -> None:
    """Numbers point to what is there, counts are those of what they count.

    Raises:
        WrongError: which says where.
    """
    check_tests(document.counts)
    check_ranges(document.edits.answer, document.edits.of, "edits", "answer")
    check_log(document.log, document.edits.of)
    for index, file in enumerate(document.files):
        for number, passage in enumerate(file.passages):
            path = ("files", index, "passages", number, "lines")
            within([by for _, by in passage.lines], len(document.blamed), *path)


def from_json(data: object, name: str = "the result") -> ChangesResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Nothing in it is believed: what is not as the model says is refused, so that every report can
    show what is read, in a time that grows with the size of the document.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    return CHANGES.read(ChangesResult, data, name, check)

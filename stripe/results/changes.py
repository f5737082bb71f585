"""The answer of ``stripe changes``: the changes between two versions that make a test fail."""

from __future__ import annotations

from typing import Annotated, Literal

from stripe.dd import Reason
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
    Positive,
    Ranges,
    Seconds,
    text,
    whole,
)
from stripe.results.searches import OutcomeName, check_log, check_ranges, check_tests
from stripe.results.wrong import within


class Tested(Model):
    """What some changes came to; null: nobody tested just these."""

    outcome: OutcomeName | None
    predicted: bool


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


class File(Model):
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
    predicted: bool
    level: Name


class Told(Model):
    """The same in plain sentences: made from the rest, and not read."""

    about: Name
    text: Note
    items: tuple[Note, ...]


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


class Next(Model):
    """Changes that make it fail without any of the answer.

    - ``blamed``, ``patch``, ``granularity``, ``untried``, ``verified``, ``stopped``, ``output``,
      ``notes``: as of the answer
    - ``blamed_lines``: how many lines; one that is replaced counts once
    - ``tests``: how many were run after the answer was found
    - ``certified``: whether without any single change of the finest level it does not fail, nor
      with any of the changes that need the answer
    """

    blamed: tuple[Blamed, ...]
    blamed_lines: Count
    patch: str
    granularity: Name
    tests: Count
    certified: bool
    untried: Note
    verified: bool | None
    stopped: Reason
    output: tuple[Note, ...]
    notes: tuple[Note, ...]


class Document(Model):
    """What `stripe changes --json FILE` writes.

    The changes between two versions that make a test fail. Single changes, the least that can be
    applied or left out, are numbered from 0.

    - ``good``: the version that passes, as it was named
    - ``bad``: the version that fails
    - ``steps``: how many commits lead from the one to the other
    - ``test``: the command that tells whether a version fails
    - ``build``: the command that comes first
    - ``granularity``: the finest level, in which the answer is 1-minimal if `certified`
    - ``algorithm``: the search within a level
    - ``changes``: how many hunks differ
    - ``blamed``: what is to blame, by commit and file
    - ``patch``: from the good version to one that fails, for `git apply`; what is no UTF-8 in it is
      replaced
    - ``files``: the answer, and what is around it
    - ``undecided``: how many tests decided nothing, by the reason
    - ``log``: the tests in order
    - ``rest``: what came of all other changes that can do without these
    - ``certified``: whether without any single change of the finest level it does not fail
    - ``stopped``: why the search ended
    - ``verified``: whether the answer failed once more in a place of its own; null: not tried
    - ``output``: the files that hold the patch
    - ``untried``: why the tests show nothing: what came of a control. Empty: they do
    - ``next``: the next cause; null: there is none, or it was not asked for
    """

    format: Literal["stripe-changes-result"]
    version: Annotated[int, whole(CHANGES.first, CHANGES.version)]
    good: Name
    bad: Name
    steps: Count
    test: Note
    build: Note | None
    granularity: Name
    algorithm: Name
    changes: Count
    lines: Lines
    blamed: tuple[Blamed, ...]
    patch: str
    files: tuple[File, ...]
    undecided: dict[str, Count]
    failure: Failure
    edits: Edits
    log: tuple[Test, ...]
    rest: Tested
    narrative: tuple[Told, ...]
    tests: Tests
    certified: bool
    stopped: Reason
    verified: bool | None
    levels: tuple[Level, ...]
    seconds: Seconds
    output: tuple[Note, ...]
    notes: tuple[Note, ...]
    untried: Note = ""
    next: Next | None = None


def check(document: Document) -> None:
    """Numbers point to what is there, counts are those of what they count.

    Raises:
        WrongError: which says where.
    """
    check_tests(document.tests)
    check_ranges(document.edits.answer, document.edits.of, "edits", "answer")
    check_log(document.log, document.edits.of)
    for index, file in enumerate(document.files):
        for number, passage in enumerate(file.passages):
            path = ("files", index, "passages", number, "lines")
            within([by for _, by in passage.lines], len(document.blamed), *path)

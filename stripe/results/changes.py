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
    doc,
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
    """Changes of one file by one commit: what is to blame, or a part of it."""

    path: Name
    kinds: Annotated[
        tuple[Name, ...],
        doc("`lines`, `content` (of what has no lines), `create`, `delete`, `rename`, `mode`."),
    ]
    functions: Annotated[tuple[Name, ...], doc("Where the changes are.")]
    commit: Annotated[Name, doc("Who made them, if that is known: else empty.")]
    subject: Note
    author: Name
    date: Name
    lines: tuple[Annotated[str, text(CHANGED)], ...]
    alone: Annotated[Tested, doc("What they came to by themselves.")]
    without: Annotated[Tested, doc("What the others came to without them.")]


class Passage(Model):
    """A part of a file in which lines are blamed, and what is around them."""

    before: Annotated[Positive, doc("The number of the first line, without what is blamed.")]
    after: Annotated[Positive, doc("The same with it.")]
    lines: Annotated[
        tuple[tuple[Annotated[str, text(SHOWN)], Index], ...],
        doc("A line behind a blank, - or +; and which of `blamed` it is by, or -1."),
    ]


class File(Model):
    """A file in which something is blamed."""

    before: Annotated[Name, doc("The path without what is blamed; empty if there is no such file.")]
    after: Annotated[Name, doc("The path with that.")]
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
    """Single changes, by number."""

    of: Annotated[int, whole(0, 100_000_000), doc("How many there are.")]
    answer: Annotated[Ranges, doc("Those that are blamed: first, last + 1, first, ...")]


class Test(searches.Test):
    """A test; with its number, what was predicted after it."""

    ranges: Annotated[
        Ranges | None, doc("Which single changes; null where the log had grown too large.")
    ]
    predicted: Annotated[bool, doc("It was UNRESOLVED without a test.")]
    level: Name


class Told(Model):
    """The same in plain sentences: made from the rest, and not read."""

    about: Name
    text: Note
    items: tuple[Note, ...]


class Tests(searches.Tests):
    """How many tests there were, by what they came to."""

    predicted: Annotated[Count, doc("Versions that cannot be right, and were not tested.")]


class Level(Model, rename={"name": "granularity"}):
    """A pass of the search: how many groups of changes there were, and were left."""

    name: Name
    before: Count
    after: Count
    tests: Count


class Document(Model):
    """What `stripe changes --json FILE` writes.

    The changes between two versions that make a test fail. Single changes, the least that can be
    applied or left out, are numbered from 0.
    """

    format: Literal["stripe-changes-result"]
    version: Annotated[int, whole(CHANGES.first, CHANGES.version)]
    good: Annotated[Name, doc("The version that passes, as it was named.")]
    bad: Annotated[Name, doc("The version that fails.")]
    steps: Annotated[Count, doc("How many commits lead from the one to the other.")]
    test: Annotated[Note, doc("The command that tells whether a version fails.")]
    build: Annotated[Note | None, doc("The command that comes first.")]
    granularity: Annotated[
        Name, doc("The finest level, in which the answer is 1-minimal if `certified`.")
    ]
    algorithm: Annotated[Name, doc("The search within a level.")]
    changes: Annotated[Count, doc("How many hunks differ.")]
    lines: Lines
    blamed: Annotated[tuple[Blamed, ...], doc("What is to blame, by commit and file.")]
    patch: Annotated[
        str,
        doc("From the good version to one that fails, for `git apply`; what is no UTF-8 in it is "
            "replaced."),
    ]  # fmt: skip
    files: Annotated[tuple[File, ...], doc("The answer, and what is around it.")]
    undecided: Annotated[dict[str, Count], doc("How many tests decided nothing, by the reason.")]
    failure: Failure
    edits: Edits
    log: Annotated[tuple[Test, ...], doc("The tests in order.")]
    rest: Annotated[Tested, doc("What came of all other changes that can do without these.")]
    narrative: tuple[Told, ...]
    tests: Tests
    certified: Annotated[
        bool, doc("Whether without any single change of the finest level it does not fail.")
    ]
    stopped: Annotated[Reason, doc("Why the search ended.")]
    verified: Annotated[
        bool | None,
        doc("Whether the answer failed once more in a place of its own; null: not tried."),
    ]
    levels: tuple[Level, ...]
    seconds: Seconds
    output: Annotated[tuple[Note, ...], doc("The files that hold the patch.")]
    notes: tuple[Note, ...]
    untried: Annotated[
        Note, doc("Why the tests show nothing: what came of a control. Empty: they do.")
    ] = ""


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

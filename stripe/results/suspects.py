"""The answer of ``stripe suspects``: places with a change each, and all lines ranked."""

from __future__ import annotations

from typing import Annotated, Literal

from stripe.dd import Reason
from stripe.results.formats import SUSPECTS
from stripe.results.limits import LONGEST_VALUE
from stripe.results.model import (
    SYSTEM,
    Count,
    Model,
    Name,
    Note,
    Positive,
    Score,
    Seconds,
    doc,
    text,
    whole,
)
from stripe.results.wrong import WrongError, within

type Path = Annotated[
    str,
    text(SYSTEM, 10_000),
    doc("Relative to the directory that the program ran in, or absolute."),
]
type Value = Annotated[str, text(most=LONGEST_VALUE)]
type StandingName = Literal["critical", "decides", "dynamic", "executed", "absent"]


class Values(Model):
    """Values of what is changed, in a failing test, from where they differ on.

    Nothing, if all that are known are the same.
    """

    before: Annotated[tuple[Value, ...], doc("As it is.")]
    after: Annotated[tuple[Value, ...], doc("With the change.")]
    first: Annotated[Positive, doc("Which value is the first of these, counted from 1.")] = 1


class Found(Model):
    """Tests that cannot be collected without the change."""

    tests: Annotated[Count, doc("How many there are with it.")]
    passing: Annotated[Count, doc("How many of them pass (none fails; others are skipped).")]


class Place(
    Model,
    rename={
        "words": "change", "kept": "still_passing", "righted": "turns_right", "spoiled": "breaks"
    },
):  # fmt: skip
    """A place, with its best change: evidence of where to look, and no proof."""

    file: Path
    line: Positive
    end: Annotated[Positive, doc("The last line that the change is about.")]
    function: Annotated[Name, doc("Empty outside of functions.")]
    words: Annotated[Value, doc("The change in words.")]
    kind: Annotated[Name, doc("Of which kind it is: operator, constant, condition, ...")]
    size: Annotated[Count, doc("1 is the smallest.")]
    diff: Annotated[
        str | None,
        doc("The change as a unified diff, for `patch -p1`; null if it cannot be written so."),
    ]
    repaired: Annotated[Positive, doc("Failing tests that pass with the change.")]
    failing: Annotated[Positive, doc("All failing tests.")]
    kept: Annotated[Count, doc("Passing tests that pass with it as well.")]
    broken: Annotated[Count, doc("Passing tests that do not any more.")]
    passing: Annotated[Count, doc("All passing tests.")]
    others: Annotated[Count, doc("Other changes of the line that do as well.")]
    values: Values
    source: Annotated[Value, doc("The line itself.")]
    righted: Annotated[
        tuple[str, ...], doc("The names of the failing tests that pass with the change.")
    ]
    spoiled: Annotated[
        tuple[str, ...],
        doc("The names of passing tests that do not any more, as far as these ran."),
    ]
    found: Annotated[Found | None, doc("Null: all can be collected.")] = None


class Ranked(Model):
    """A line that failing tests execute."""

    file: Path
    line: Positive
    rank: Annotated[Positive, doc("From 1; lines that nothing tells apart have the same.")]
    repairs: Annotated[
        Count,
        doc("Changes that are as good as the best one of the line; 0 if none repairs anything."),
    ]
    ochiai: Annotated[Score, doc("By the formula of that name, over which tests execute the line.")]
    dstar: Annotated[Score, doc("The same; null is infinite.")]
    tarantula: Score
    slice: Annotated[
        StandingName | None,
        doc(
            "What the slices of the failing run say of the line: an execution of it is in the "
            "critical slice; none is, but one decided that such ran; it is in the dynamic slice "
            "only; it was executed; or that run did not execute it. Null if there is no slice."
        ),
    ]


class Tally(Model):
    """What came of the changes of a line."""

    file: Path
    line: Positive
    offered: Annotated[Count, doc("All; those that were tried did one of these:")]
    repaired: Annotated[Count, doc("All failing tests pass, and none that passed breaks.")]
    partly: Annotated[Count, doc("Some failing tests pass, and none that passed breaks.")]
    broken: Annotated[Count, doc("Failing tests pass, and some that passed break.")]
    nothing: Annotated[Count, doc("No failing test passes.")]
    lost: Annotated[Count, doc("Killed, out of fuel, or no program.")]


class Changes(Model):
    """How many changes there are, and how they ended."""

    offered: Annotated[Count, doc("All there are.")]
    tried: Annotated[Count, doc("The sum of whole, fuel, crashed and invalid.")]
    whole: Annotated[Count, doc("The tests came to their end.")]
    fuel: Annotated[Count, doc("They used up their processor time.")]
    crashed: Annotated[Count, doc("The process was killed.")]
    invalid: Annotated[Count, doc("The change makes no program.")]
    carried: Annotated[
        Count,
        doc("Those that took no run of their own: that of another one decided them."),
    ] = 0


class SourceLine(Model):
    """A line of the program."""

    file: Path
    line: Positive
    text: Annotated[Name, doc("Without its end; cut if it is very long.")]


class SliceView(Model):
    """The critical slice of one failing run, beside which the lines stand."""

    run: Annotated[Note, doc("The name of the test or case.")]
    check: Annotated[Note, doc("What of it had to stay.")]
    kept: Annotated[Count, doc("Executions of statements in the slice.")]
    of: Annotated[Count, doc("All executions of statements.")]
    certified: Annotated[bool, doc("Whether none of them can be left out.")]
    dynamic: Annotated[bool, doc("Whether there is a dynamic slice to compare it with.")]


class Document(Model):
    """What `stripe suspects --json FILE` writes.

    Where small changes of a program make failing tests pass, and what was tried.
    """

    format: Literal["stripe-suspects-result"]
    version: Annotated[int, whole(SUSPECTS.first, SUSPECTS.version)]
    program: Annotated[Note, doc("As it was given; pytest or unittest for their tests.")]
    places: Annotated[tuple[Place, ...], doc("At most five, the best first.")]
    ranking: Annotated[
        tuple[Ranked, ...],
        doc("All lines that failing tests execute, the most suspicious first."),
    ]
    lines: tuple[Tally, ...]
    failing: Annotated[tuple[str, ...], doc("The names of the tests that fail.")]
    passing: Annotated[tuple[str, ...], doc("Of those that pass.")]
    left_out: Annotated[
        tuple[str, ...], doc("Of those that say neither, or not the same each time.")
    ]
    changes: Changes
    runs: Annotated[Count, doc("Processes of tests.")]
    stopped: Annotated[Reason, doc("Why the search ended.")]
    seconds: Seconds
    source: Annotated[tuple[SourceLine, ...], doc("Suspected lines and those around them.")]
    sandbox: Annotated[Note, doc("Behind which walls the tests ran.")]
    slice: Annotated[SliceView | None, doc("Null if there is none, and a note says why.")]
    notes: tuple[Note, ...]


def check(document: Document) -> None:
    """Parts are no more than what they are of.

    Raises:
        WrongError: which says where.
    """
    changes = document.changes
    within([changes.tried], changes.offered + 1, "changes", "tried", single=True)
    if changes.tried != changes.whole + changes.fuel + changes.crashed + changes.invalid:
        raise WrongError("the sum of how they ended", changes.tried, "changes", "tried")
    for index, place in enumerate(document.places):
        for name, part, of in (
            ("repaired", place.repaired, place.failing),
            ("still_passing", place.kept, place.passing),
            ("broken", place.broken, place.passing),
            ("turns_right", len(place.righted), place.repaired),
            ("breaks", len(place.spoiled), place.broken),
        ):
            within([part], of + 1, "places", index, name, single=True)
        if found := place.found:
            within([found.passing], found.tests + 1, "places", index, "found", single=True)
        if place.end < place.line:
            raise WrongError("a line behind the first", place.end, "places", index, "end")
    for index, each in enumerate(document.lines):
        if each.repaired + each.partly + each.broken + each.nothing + each.lost > each.offered:
            raise WrongError("as many as were tried", each.offered, "lines", index, "offered")
    sliced = document.slice
    if sliced is not None:
        within([sliced.kept], sliced.of + 1, "slice", "kept", single=True)
    for index, ranked in enumerate(document.ranking):
        if (ranked.slice is None) != (sliced is None):
            what = "nothing: there is no slice" if sliced is None else "what the slice says"
            raise WrongError(what, ranked.slice, "ranking", index, "slice")

"""The answer of ``stripe suspects``: places with a change each, and all lines ranked.

It is made as such a document, and every form of it from that and nothing else.
"""

from __future__ import annotations

import math
from enum import Enum
from pathlib import Path as FilePath
from typing import Annotated, Literal

from stripe.dd import Reason
from stripe.interventions import Line
from stripe.results.formats import SUSPECTS
from stripe.results.limits import LONGEST_VALUE
from stripe.results.model import (
    SYSTEM,
    UNSET,
    Count,
    Model,
    Name,
    Note,
    Positive,
    Score,
    Seconds,
    UnsetType,
    text,
    whole,
)
from stripe.results.wrong import WrongError, within

type Path = Annotated[str, text(SYSTEM, 10_000)]
type Value = Annotated[str, text(most=LONGEST_VALUE)]


class Standing(Enum):
    """What the slices of a failing run say of a line.

    `critical`: the failure needs an execution of it, as testing showed; `decides`: none is
    needed, but one decided that such ran; `dynamic`: only an analysis of dependences has it;
    `executed`: it ran, and neither has it; `absent`: that run did not execute it.
    """

    CRITICAL = "critical"
    DECIDES = "decides"
    DYNAMIC = "dynamic"
    EXECUTED = "executed"
    ABSENT = "absent"


class Values(Model):
    """Values of what is changed, in a failing test, from where they differ on.

    Nothing, if all that are known are the same.

    - ``before``: as it is
    - ``after``: with the change
    - ``first``: which value is the first of these, counted from 1
    """

    before: tuple[Value, ...]
    after: tuple[Value, ...]
    first: Positive = 1


class Found(Model):
    """Tests that cannot be collected without the change.

    - ``tests``: how many there are with it
    - ``passing``: how many of them pass (none fails; others are skipped)
    """

    tests: Count
    passing: Count


class Place(
    Model,
    rename={
        "words": "change", "kept": "still_passing", "righted": "turns_right", "spoiled": "breaks"
    },
):  # fmt: skip
    """A place, with its best change: evidence of where to look, and no proof.

    - ``end``: the last line that the change is about
    - ``function``: empty outside of functions
    - ``words``: the change in words
    - ``kind``: of which kind it is: operator, constant, condition, ...
    - ``size``: 1 is the smallest
    - ``diff``: the change as a unified diff, for `patch -p1`; null if it cannot be written so
    - ``repaired``: failing tests that pass with the change
    - ``failing``: all failing tests
    - ``kept``: passing tests that pass with it as well
    - ``broken``: passing tests that do not any more
    - ``passing``: all passing tests
    - ``others``: other changes of the line that do as well
    - ``source``: the line itself
    - ``righted``: the names of the failing tests that pass with the change
    - ``spoiled``: the names of passing tests that do not any more, as far as these ran
    - ``found``: null: all can be collected
    """

    file: Path
    line: Positive
    end: Positive
    function: Name
    words: Value
    kind: Name
    size: Count
    diff: str | None
    repaired: Positive
    failing: Positive
    kept: Count
    broken: Count
    passing: Count
    others: Count
    values: Values
    source: Value
    righted: tuple[str, ...]
    spoiled: tuple[str, ...]
    found: Found | None = None


class Ranked(Model):
    """A line that failing tests execute.

    - ``rank``: from 1; lines that nothing tells apart have the same
    - ``repairs``: changes that are as good as the best one of the line; 0 if none repairs anything
    - ``ochiai``: by the formula of that name, over which tests execute the line
    - ``dstar``: the same; null is infinite
    - ``slice``: what the slices of the failing run say of the line; null if there is no slice
    """

    file: Path
    line: Positive
    rank: Positive
    repairs: Count
    ochiai: Score
    dstar: Score
    tarantula: Score
    slice: Standing | None


class Tally(Model):
    """What came of the changes of a line.

    - ``offered``: all; those that were tried did one of these:
    - ``repaired``: all failing tests pass, and none that passed breaks
    - ``partly``: some failing tests pass, and none that passed breaks
    - ``broken``: failing tests pass, and some that passed break
    - ``nothing``: no failing test passes
    - ``lost``: killed, out of fuel, or no program
    """

    file: Path
    line: Positive
    offered: Count
    repaired: Count
    partly: Count
    broken: Count
    nothing: Count
    lost: Count

    @property
    def tried(self) -> int:
        """How many of them were."""
        return self.repaired + self.partly + self.broken + self.nothing + self.lost


class Changes(Model):
    """How many changes there are, and how they ended.

    - ``offered``: all there are
    - ``tried``: the sum of whole, fuel, crashed and invalid
    - ``whole``: the tests came to their end
    - ``fuel``: they used up their processor time
    - ``crashed``: the process was killed
    - ``invalid``: the change makes no program
    - ``carried``: in results of before 0.2; not used
    """

    offered: Count
    tried: Count
    whole: Count
    fuel: Count
    crashed: Count
    invalid: Count
    carried: Count | UnsetType = UNSET


class SourceLine(Model):
    """A line of the program.

    - ``text``: without its end; cut if it is very long
    """

    file: Path
    line: Positive
    text: Name


class SliceView(Model):
    """The critical slice of one failing run, beside which the lines stand.

    - ``run``: the name of the test or case
    - ``check``: what of it had to stay
    - ``kept``: executions of statements in the slice
    - ``of``: all executions of statements
    - ``certified``: whether none of them can be left out
    - ``dynamic``: whether there is a dynamic slice to compare it with
    """

    run: Note
    check: Note
    kept: Count
    of: Count
    certified: bool
    dynamic: bool


class SuspectsResult(Model, rename={"code": "source"}):
    """What `stripe suspects --json FILE` writes.

    Where small changes of a program make failing tests pass, and what was tried. Files are relative
    to the directory that the program ran in, or absolute; lines are counted from 1.

    - ``program``: as it was given; pytest or unittest for their tests
    - ``places``: at most five, the best first
    - ``ranking``: all lines that failing tests execute, the most suspicious first
    - ``failing``: the names of the tests that fail
    - ``passing``: of those that pass
    - ``left_out``: of those that say neither, or not the same each time
    - ``runs``: processes of tests
    - ``stopped``: why the search ended
    - ``code``: suspected lines and those around them
    - ``sandbox``: behind which walls the tests ran
    - ``slice``: null if there is none, and a note says why
    - ``first_place``: seconds until a first change was known with which a failing test passes; null
      if there is none
    - ``final_place``: seconds until the change of the first of the places was
    """

    format: Literal["stripe-suspects-result"]
    version: Annotated[int, whole(SUSPECTS.first, SUSPECTS.version)]
    program: Note
    places: tuple[Place, ...]
    ranking: tuple[Ranked, ...]
    lines: tuple[Tally, ...]
    failing: tuple[str, ...]
    passing: tuple[str, ...]
    left_out: tuple[str, ...]
    changes: Changes
    runs: Count
    stopped: Reason
    seconds: Seconds
    code: tuple[SourceLine, ...]
    sandbox: Note
    slice: SliceView | None
    notes: tuple[Note, ...]
    first_place: Seconds | None = None
    final_place: Seconds | None = None

    @property
    def offered(self) -> int:
        """How many changes there are."""
        return self.changes.offered

    @property
    def tried(self) -> int:
        """How many of them were tried."""
        return self.changes.tried

    @property
    def source(self) -> dict[Line, str]:
        """The code, by line."""
        return {Line(each.file, each.line): each.text for each in self.code}

    @property
    def tallies(self) -> dict[Line, Tally]:
        """What came of changes, by line."""
        return {Line(each.file, each.line): each for each in self.lines}

    @property
    def ochiai(self) -> dict[Line, float]:
        """The score of each line that failing tests execute by that formula."""
        return {
            Line(each.file, each.line): math.inf if each.ochiai is None else each.ochiai
            for each in self.ranking
        }

    def ochiai_ranks(self) -> dict[Line, int]:
        """By the spectrum alone, from 1; lines with the same score have the same."""
        scores = self.ochiai
        ranks: dict[float, int] = {}
        for place, score in enumerate(sorted(scores.values(), reverse=True), 1):
            ranks.setdefault(score, place)
        return {line: ranks[score] for line, score in scores.items()}

    def standing(self, place: Place) -> Standing:
        """What the slice says of the line of a place."""
        at = place.file, place.line
        found = (each.slice for each in self.ranking if (each.file, each.line) == at)
        return next(found, None) or Standing.ABSENT

    @property
    def suspected(self) -> list[Line]:
        """The lines that anything is known of, the most suspicious first."""
        ranked = (Line(each.file, each.line) for each in self.ranking)
        return list(dict.fromkeys([*ranked, *self.tallies]))

    @property
    def sources(self) -> set[FilePath]:
        """Their files."""
        return {FilePath.cwd() / each.file for each in self.suspected}


def check(document: SuspectsResult) -> None:
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


def from_json(data: object, name: str = "the result") -> SuspectsResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Nothing in it is believed: what is not as the model says is refused, so that every report can
    show what is read, in a time that grows with the size of the document.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    return SUSPECTS.read(SuspectsResult, data, name, check)

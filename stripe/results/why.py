"""The answer of ``stripe why``: where to look, how it came about, and what was tried to know it.

It is made as such a document, and every form of it from that and nothing else.
"""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Annotated, Literal

from stripe.results.formats import WHY
from stripe.results.limits import LONGEST_VALUE
from stripe.results.model import (
    SYSTEM,
    Count,
    Directory,
    Meta,
    Model,
    Name,
    Note,
    Positive,
    Seconds,
    SystemText,
    Text,
    text,
    whole,
)
from stripe.results.wrong import WrongError

type Path = Annotated[str, text(SYSTEM, 10_000)]
type Value = Annotated[str, text(most=LONGEST_VALUE)]
type Symptom = Literal["exception", "test", "signal", "exit", "output", "nothing"]
type ExperimentName = Literal["run", "changes", "suspects", "slice", "causes", "input"]
type EvidenceKind = Literal[
    "repaired",
    "partly",
    "changed",
    "transition",
    "raised",
    "computed",
    "kept",
    "decides",
    "depends",
    "covered",
]
type Standing = Literal["found", "nothing", "limit", "refused", "failed", "skipped"]

MOST_PLACES, MOST_STEPS = 3, 10


class Happened(Model):
    """What the plain run, or the failing test, did.

    - ``symptom``: what is asked about; nothing: nothing failed, and nobody said what is wrong
    - ``says``: the same in a sentence
    - ``file``, ``line``: where it showed, if that is known; 0: it is not
    - ``output``: the last lines of standard output, if nothing is known to be wrong
    - ``first``: the number of the first of these
    """

    symptom: Symptom
    says: Note
    file: Path = ""
    line: Count = 0
    output: tuple[Value, ...] = ()
    first: Positive = 1


class Reason(Model):
    """A piece of evidence for a place.

    - ``kind``: repaired: with a change there the failing test passes, and no other test breaks;
      partly: the same, but some tests fail; changed: by the changes between two versions that make
      it fail; transition: the variables that cause the failure change there; raised: the exception
      was raised there; computed: a value that is asked about was first seen there; kept: the
      failure is lost without it; decides: it decided that such ran; depends: an analysis says that
      what failed depends on it; covered: which tests execute it
    - ``experiment``: which one has shown it
    - ``says``: the same in words, as far as it was tried
    """

    kind: EvidenceKind
    experiment: ExperimentName
    says: Note


class Place(Model):
    """A place to look at.

    - ``function``: empty outside of functions
    - ``source``: the line itself
    - ``why``: what was found there, the most telling first
    - ``diff``: the change that was tried there, as a unified diff; empty: none
    """

    file: Path
    line: Positive
    function: Name
    source: Value
    why: tuple[Reason, ...]
    diff: str = ""


class Step(Model):
    """One step from cause to symptom: a line with the values of the recorded run.

    - ``values``: names and what they held
    - ``again``: further executions of the line that are needed, which are not told
    """

    file: Path
    line: Positive
    function: Name
    source: Value
    values: tuple[tuple[Value, Value], ...] = ()
    again: Count = 0


class Experiment(Model):
    """What was tried, and what came of it.

    - ``standing``: found: it has added to the answer; nothing: it had nothing to add; limit: its
      time was over; refused: it cannot be done honestly here; failed: an error of STRIPE;
      skipped: there is nothing to try it with, or no time was left
    - ``says``: what came of it, in a sentence
    - ``tests``: runs of the program or of its tests
    - ``complete``: it came to its own end, so that what it does not tell it did not find
    """

    name: ExperimentName
    standing: Standing
    says: Note
    seconds: Seconds
    tests: Count = 0
    complete: bool = False


class Passing(Model):
    """What the program passes with: arguments, and standard input in Base64."""

    arguments: tuple[SystemText, ...]
    stdin: Text


class Asked(Model):
    """What was asked: all that is needed to ask it again.

    - ``module``: the program is a module
    - ``stdin``: in Base64
    - ``python``: the interpreter as it was named; empty: the default
    - ``check``: what to keep, as with --check; empty: what fails
    - ``expect``: the right output in Base64; null: not known
    - ``passes``: what the user said it passes with; null: nothing
    - ``engine``: what native programs run under; empty: the backend's choice
    - ``timeout``: seconds that one run may take; null: it depends on the plain run
    - ``network``: the plain run was allowed to use the network
    """

    program: SystemText
    arguments: tuple[SystemText, ...]
    module: bool
    directory: Directory
    stdin: Text
    python: SystemText
    include: tuple[SystemText, ...]
    only: tuple[SystemText, ...]
    exclude: tuple[SystemText, ...]
    check: Note
    expect: Text | None
    passes: Passing | None = None
    engine: Name = ""
    timeout: Annotated[float, Meta(ge=1e-9, le=1e10)] | None = None
    network: bool = False


class Document(Model):
    """What `stripe why --json FILE` writes.

    Why a program fails: places to look at, the best first, and how it came about. Files are
    relative to the directory that the program ran in, or absolute; lines are counted from 1.

    - ``places``: at most three
    - ``story``: at most ten steps, the earliest first
    - ``analysed``: nothing could be left out, so that the story follows the dependences of the
      recorded run, and none of it was tested
    - ``aside``: what was shown not to matter; empty: nothing was
    - ``certainty``: how sure the places are
    - ``following``: what to type next, and what for
    - ``first``: seconds until there was the first place; null: there was none
    - ``interrupted``: somebody ended it early
    """

    format: Literal["stripe-why-result"]
    version: Annotated[int, whole(WHY.first, WHY.version)]
    asked: Asked
    happened: Happened
    places: tuple[Place, ...]
    story: tuple[Step, ...]
    aside: Note
    certainty: Note
    following: tuple[tuple[Note, Note], ...]
    experiments: tuple[Experiment, ...]
    notes: tuple[Note, ...]
    sandbox: Note
    first: Seconds | None
    seconds: Seconds
    interrupted: bool = False
    analysed: bool = False

    @property
    def sources(self) -> set[FilePath]:
        """The files that are looked at."""
        names = {each.file for each in self.places} | {each.file for each in self.story}
        return {FilePath(self.asked.directory, each) for each in names}


def check(document: Document) -> None:
    """Nothing is said to be found by an experiment that was not made, and it fits a screen.

    Raises:
        WrongError: which says where.
    """
    made = {each.name for each in document.experiments if each.standing != "skipped"}
    for index, place in enumerate(document.places):
        if not place.why:
            raise WrongError("some evidence", [], "places", index, "why")
        for number, reason in enumerate(place.why):
            if reason.experiment not in made:
                raise WrongError(
                    "an experiment that was made", reason.experiment,
                    "places", index, "why", number, "experiment",
                )  # fmt: skip
    for name, most in (("places", MOST_PLACES), ("story", MOST_STEPS)):
        if (size := len(getattr(document, name))) > most:
            raise WrongError(f"at most {most}", f"{size}", name)


def from_json(data: object, where: str) -> Document:
    """The answer in JSON data; ``where`` is what errors call it.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    return WHY.read(Document, data, where, check)

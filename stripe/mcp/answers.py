"""What tools answer: small, typed, and with nothing in it that was not tried.

They have no slots: the SDK would take these for defaults of the fields.
"""

from __future__ import annotations

from dataclasses import dataclass

from stripe.changes.tried_patch import Outcome, TriedPatch
from stripe.report.style import printable
from stripe.results.agreement import Agreement
from stripe.results.why import Document

MOST_TEXT = 20_000
"""Characters of an input that are answered."""

MOST_TESTS = 50
"""Tests of a kind that are told."""

FAILURES = ("failed", "error")

NOT_RUN = Outcome("not run")

UNDECIDED = ("limit", "refused", "failed", "skipped")
"""Standings of experiments that came to no end."""


@dataclass(frozen=True)
class Place:
    """A place to look at. ``why``: what was tried there; ``diff``: the change that was."""

    file: str
    line: int
    function: str
    source: str
    why: list[str]
    diff: str


@dataclass(frozen=True)
class Step:
    """A line on the way to the failure, with the values of the run.

    ``again``: further executions of it that are needed.
    """

    file: str
    line: int
    function: str
    source: str
    values: dict[str, str]
    again: int


@dataclass(frozen=True)
class Why:
    """Why it fails.

    - ``answer``: what ``verify`` calls this answer
    - ``output``: the last lines it printed, if nothing fails
    - ``places``: where to look, the best first; ``story``: from cause to symptom
    - ``story_tested``: the story is what is left of the run after leaving out; else it follows
      the dependences of the recorded run
    - ``aside``: what was shown not to matter
    - ``not_tried``: experiments that came to no end, and why
    """

    answer: str
    happened: str
    output: list[str]
    places: list[Place]
    story: list[Step]
    story_tested: bool
    aside: str
    certainty: str
    not_tried: list[str]
    notes: list[str]
    seconds: float


@dataclass(frozen=True)
class Verified:
    """Whether an answer holds for the program as it is now.

    ``holds``, ``gone``, ``untried``: the reasons of the answer, by what became of them.
    """

    all_holds: bool
    then: str
    now: str
    holds: list[str]
    gone: list[str]
    untried: list[str]


@dataclass(frozen=True)
class Reduced:
    """The part of an input with which the command does the same.

    - ``before``, ``after``: bytes
    - ``text``: what is left; ``cut``: it is longer than is told here
    - ``certified``: no single part can be left out of it
    - ``verified``: it did the same when it was run once more; null: that was not tried
    """

    before: int
    after: int
    text: str
    cut: bool
    certified: bool
    verified: bool | None
    tests: int
    notes: list[str]


@dataclass(frozen=True)
class TestChange:
    """A test without and with the patch: passed, failed, error, skipped, or not run.

    ``why``: the first line of what it said with the patch.
    """

    test: str
    before: str
    after: str
    why: str


@dataclass(frozen=True)
class TriedChange:
    """What each test did without and with a patch.

    - ``repaired``, ``broken``: failed, and passes with it; passed, and fails with it
    - ``still_failing``; ``still_passing``: how many
    - ``others``: tests that are skipped, or not run, in one of both runs
    - ``came_to_an_end``: the tests did with the patch; if not, nothing is known of any,
      and ``said`` is the end of what pytest printed
    - ``notes``: what is not told here
    """

    files: list[str]
    repaired: list[str]
    broken: list[TestChange]
    still_failing: list[TestChange]
    still_passing: int
    others: list[TestChange]
    came_to_an_end: bool
    said: str
    notes: list[str]


def why_answer(document: Document, name: str) -> Why:
    """The answer of ``stripe why``, which ``verify`` knows by ``name``."""
    return Why(
        name,
        printable(document.happened.says),
        list(document.happened.output),
        [
            Place(
                each.file, each.line, each.function, each.source,
                [reason.says for reason in each.why], each.diff,
            )
            for each in document.places
        ],
        [
            Step(each.file, each.line, each.function, each.source, dict(each.values), each.again)
            for each in document.story
        ],
        not document.analysed,
        document.aside,
        document.certainty,
        [
            f"{each.name}: {each.says}"
            for each in document.experiments
            if each.standing in UNDECIDED
        ],
        list(document.notes),
        round(document.seconds, 1),
    )  # fmt: skip


def verified_answer(found: Agreement) -> Verified:
    """What became of each reason of an answer."""
    told: dict[str, list[str]] = {"holds": [], "gone": [], "untried": []}
    for each in found.again:
        why = f" ({each.why})" if each.why else ""
        told[each.fate].append(f"{each.file}:{each.line}: {each.says}{why}")
    return Verified(
        found.holds, found.then, found.now, told["holds"], told["gone"], told["untried"]
    )


def tried_answer(tried: TriedPatch) -> TriedChange:
    """What became of each test."""
    kinds: dict[str, list[TestChange]] = {}
    before, after = tried.before.outcomes or {}, tried.after.outcomes or {}
    ended = tried.after.outcomes is not None
    for name in {**before, **after} if ended else ():
        then, now = before.get(name, NOT_RUN), after.get(name, NOT_RUN)
        failed, fails = then.ended in FAILURES, now.ended in FAILURES
        kind = "others"
        if failed and now.ended == "passed":
            kind = "repaired"
        elif then.ended == "passed" and fails:
            kind = "broken"
        elif failed and fails:
            kind = "still_failing"
        elif then.ended == now.ended:
            kind = then.ended
        kinds.setdefault(kind, []).append(TestChange(name, then.ended, now.ended, now.why))
    cut = [
        f"{name}: {len(told)} tests, of which {MOST_TESTS} are told."
        for name, told in kinds.items()
        if name not in ("passed", "skipped") and len(told) > MOST_TESTS
    ]

    def of(kind: str) -> list[TestChange]:
        return kinds.get(kind, [])[:MOST_TESTS]

    return TriedChange(
        list(tried.files),
        [each.test for each in of("repaired")],
        of("broken"),
        of("still_failing"),
        len(kinds.get("passed", ())),
        of("others"),
        ended,
        "" if ended else tried.after.said,
        cut,
    )

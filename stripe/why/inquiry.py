"""One question, from the plain run to the answer: experiments are made as the policy's table says.

The answer so far is told whenever it got better.  Ctrl-C ends the inquiry with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import closing
from typing import TYPE_CHECKING

from stripe.backend import Target
from stripe.deadline import Deadline
from stripe.interrupts import stop_on_interrupt
from stripe.results.agreement import Found
from stripe.results.why import Document, Experiment
from stripe.suspects.search import of_tests
from stripe.why.answer import answer, found_lines
from stripe.why.experiments import Case, Finding, attempt, coverage_evidence, raised_evidence
from stripe.why.policy import LEAST_SECONDS, TABLE, Row
from stripe.why.question import question_of

if TYPE_CHECKING:
    from stripe.campaign.progress import Progress
    from stripe.states.causes import Input

MAX_TIME = 30.0
"""Seconds for all of it, if nobody says otherwise."""

LONGEST = 1e6
"""Seconds that stand for no limit."""

KEPT_BACK = 1.0
"""Seconds that are kept for the answer."""


def inquire(
    target: Target,
    *,
    check: str = "",
    line: int | None = None,
    expect: bytes | None = None,
    neighbour: Input | None = None,
    better: Callable[[Document], None] = lambda document: None,
    evidence: Callable[[Collection[Found]], None] = lambda found: None,
    progress: Callable[[Progress], None] | None = None,
) -> Document:
    """Find out why a run of ``target`` fails, within its deadline.

    Args:
        target: what is run.
        check, line, expect: what is asked about; see :func:`~stripe.why.question.question_of`.
        neighbour: an input like that of the failing run, with which the program passes.
        better: called with every better answer.
        evidence: called in the end with all that was found, of which the answer tells the best.
        progress: called after each test of an experiment.

    Raises:
        StripeError: all that :func:`~stripe.why.question.question_of` raises.
    """
    began = time.monotonic()
    question = question_of(target, check=check, line=line, expect=expect)
    run = Experiment(
        "run",
        "found" if question.asks else "nothing",
        question.happened.says,
        time.monotonic() - began,
        1,
        complete=True,
    )
    case = Case(question, neighbour, target.deadline.tell, progress)
    with closing(question):
        document = _Inquiry(case, [run], target.deadline, better).run()
        evidence(found_lines(case))
        return document


class _Inquiry:
    """The experiments on one case, and the answer so far."""

    def __init__(
        self,
        case: Case,
        made: list[Experiment],
        deadline: Deadline,
        better: Callable[[Document], None],
    ) -> None:
        self._case, self._made, self._deadline, self._better = case, made, deadline, better
        self._first: float | None = None
        self._interrupted = False
        case.improved = self._tell_unfinished

    def run(self) -> Document:
        """Make the experiments of the table; the answer."""
        question = self._case.question
        if question.test is not None:
            self._case.tests.add(question.test.own)
            self._case.evidence += coverage_evidence(question)
        if question.happened.symptom != "output":  # else it is about something else
            self._case.evidence += raised_evidence(question)
        document = self._answer()
        if not question.asks:
            return document
        self._better(document)
        for row in TABLE:
            began = time.monotonic()
            finding = self._make(row)
            self._case.tests |= {each.file for each in self._case.evidence if of_tests(each.file)}
            took = time.monotonic() - began
            self._made.append(
                Experiment(
                    row.name, finding.standing, finding.says, took, finding.tests, finding.complete
                )
            )
            document = self._answer()
            if not self._interrupted and finding.standing == "found":
                self._better(document)
        return document

    def _tell_unfinished(self) -> None:
        """Tell the answer so far, in the middle of the next experiment of the table."""
        name = TABLE[len(self._made) - 1].name  # the plain run was made before
        self._better(self._answer(Experiment(name, "limit", "it is still going on", 0.0)))

    def _answer(self, *unfinished: Experiment) -> Document:
        made = [*self._made, *unfinished]
        document = answer(
            self._case, made, self._deadline, self._first, interrupted=self._interrupted
        )
        if self._first is None and document.places:
            self._first = document.first = document.seconds
        return document

    def _make(self, row: Row) -> Finding:
        """Make one experiment, if there is something to make it with and time for it."""
        if self._interrupted:
            return Finding("skipped", "it was ended before")
        if obstacle := row.obstacle(self._case):
            return Finding("skipped", obstacle)
        seconds = min(row.share(self._case) * (self._deadline.left - KEPT_BACK), LONGEST)
        if seconds < LEAST_SECONDS:
            return Finding("limit", "no time was left for it: --max-time")
        with stop_on_interrupt() as asked:
            try:
                return attempt(row.make, self._case, seconds)
            except KeyboardInterrupt:
                self._interrupted = True
                return Finding("limit", "it was interrupted")
            finally:
                with stop_on_interrupt() as flag:  # a command's knows of requests to searches
                    stopped = asked.requested or flag.requested or self._case.stopped
                    self._interrupted |= stopped

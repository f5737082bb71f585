"""One question, from the plain run to the answer: experiments are made as the policy's table says.

The answer so far is told whenever it got better.  Ctrl-C ends the inquiry with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from stripe.backend import Target
from stripe.interrupts import cut_off_search, stop_on_interrupt
from stripe.results.why import Document, Experiment
from stripe.suspects.search import of_tests
from stripe.why.answer import answer
from stripe.why.experiments import Case, Finding, attempt
from stripe.why.packages import PROJECT, packages_of
from stripe.why.policy import LEAST_SECONDS, TABLE
from stripe.why.question import question_of

if TYPE_CHECKING:
    from stripe.campaign.progress import Progress
    from stripe.states.causes import Input

MAX_TIME = 30.0
"""Seconds for all of it, if nobody says otherwise."""

KEPT_BACK = 1.0
"""Seconds that are kept for the answer."""


def inquire(
    target: Target,
    *,
    check: str = "",
    line: int | None = None,
    expect: bytes | None = None,
    neighbour: Input | str | None = None,
    jobs: int = 1,
    unsafe: bool = False,
    better: Callable[[Document], None] = lambda document: None,
    progress: Callable[[Progress], None] | None = None,
) -> Document:
    """Find out why a run of ``target`` fails, within its deadline.

    Args:
        target: what is run.
        check, line, expect: what is asked about; see :func:`~stripe.why.question.question_of`.
        neighbour: what is like the failing run and passes: an input, or the name of a test.
        jobs: runs at a time.
        unsafe: go on where there is no sandbox.
        better: called with every better answer.
        progress: called after each test of an experiment.

    Raises:
        StripeError: all that :func:`~stripe.why.question.question_of` raises.
    """
    deadline = target.deadline
    began = time.monotonic()
    question = question_of(target, check=check, line=line, expect=expect)
    case = Case(question, jobs, unsafe, neighbour, deadline.tell, progress)
    run = Experiment("run", "found" if question.asks else "nothing", question.happened.says,
                     time.monotonic() - began, 1)  # fmt: skip
    made = [run]
    document = answer(case, made, deadline)
    first = deadline.elapsed if document.places else None
    document = answer(case, made, deadline, first)
    if not question.asks:
        return document
    if found := packages_of(question):
        include = (*(question.target.include or (PROJECT,)), *found)
        case.question = replace(question, target=replace(question.target, include=include))
    if question.test is not None:
        case.tests.add(question.test.own)
    better(document)
    interrupted = False
    for row in TABLE:
        seconds = min(row.share(case) * (deadline.left - KEPT_BACK), 1e6)
        began = time.monotonic()
        with stop_on_interrupt() as flag:
            finding = Finding("skipped", "it was ended before")
            try:
                with cut_off_search():
                    if interrupted:
                        pass
                    elif obstacle := row.obstacle(case):
                        finding = Finding("skipped", obstacle)
                    elif seconds < LEAST_SECONDS:
                        finding = Finding("skipped", "no time was left for it: --max-time")
                    else:
                        finding = attempt(row.make, case, seconds)
            except KeyboardInterrupt:
                finding = Finding("limit", "it was interrupted")
                interrupted = True
            interrupted = interrupted or flag.requested or case.stopped
        case.tests |= {each.file for each in case.evidence if of_tests(each.file)}
        took = time.monotonic() - began
        made.append(Experiment(row.name, finding.standing, finding.says, took, finding.tests))  # type: ignore[arg-type]
        document = answer(case, made, deadline, first, interrupted=interrupted)
        if first is None and document.places:
            first = deadline.elapsed
            document = answer(case, made, deadline, first, interrupted=interrupted)
        if not interrupted:
            better(document)
    return document

"""Why one run fails and another does not: the whole search, and its answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.backend import Backend, Deadline, Target, choose_backend
from stripe.campaign.campaign import Campaign
from stripe.campaign.journals import open_journal
from stripe.campaign.outcome_store import OutcomeStore
from stripe.campaign.progress import Progress
from stripe.checks import Check, parse_check
from stripe.dd import Budget, BudgetExhausted, Reason
from stripe.errors import NotReducible, UsageError
from stripe.interrupts import StopFlag, stop_on_interrupt
from stripe.results.causes import CausesResult
from stripe.results.model import changed
from stripe.sandbox.reads import digest
from stripe.snapshots import Moment, Run, Stateful
from stripe.states.remote import Package
from stripe.states.search import Search

if TYPE_CHECKING:
    from concurrent.futures import Executor


COMPARED = 1000
"""Characters of inputs that are compared, which takes time by the square of it."""


@dataclass(frozen=True, slots=True)
class Input:
    """What a run is given."""

    arguments: tuple[str, ...] = ()
    stdin: bytes = b""
    text: str = ""


def find_causes(
    program: str | os.PathLike[str],
    *,
    failing: Input,
    passing: Input | Sequence[Input],
    check: str | Sequence[str] = (),
    at: Moment | None = None,
    module: bool = False,
    directory: str | os.PathLike[str] | None = None,
    python: str | None = None,
    include: Sequence[str] = (),
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
    unions: Sequence[str] = (),
    timeout: float | None = None,
    unsafe: bool = False,
    environment: Mapping[str, str] | None = None,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    journals: str | os.PathLike[str] | None = None,
    resume: bool = False,
    outputs: Sequence[str | os.PathLike[str]] = (),
    progress: Callable[[Progress], None] | None = None,
    backend: Backend | None = None,
) -> CausesResult:
    """Find the variables that make one run of a program fail while another passes.

    Args:
        program: what is run; with ``module``, the name of one.
        failing, passing: what both runs are given; of several inputs that pass, the one whose run
            is most like the failing one is taken.
        check: what is the failure, in the form of ``--check``; by default the uncaught exception
            if there is one, else standard output.
        at: look at this moment alone; by default along the whole run.
        directory: where the program runs; by default here. It runs in copies of it.
        python: the interpreter; by default this one.
        include, only, exclude: what counts as the user's code, see :class:`~stripe.backend.Target`.
        unions: rules for which member of a union is meant, in the form of ``--union``.
        timeout: seconds one run may take.
        unsafe: go on where there is no sandbox.
        environment: the variables of runs; by default our own.
        max_tests, max_time: end with what is found after so many tests, or seconds.
        jobs: tests at a time.
        executor: where tests run, if not here, such as that of a Dask client. Workers need the
            same directory under the same path, and run the program for themselves.
        journals: the folder to note outcomes in; by default that of the command line.
        resume: go on with the same search, which was killed or ended early.
        outputs: files that the caller will write.
        progress: called after each test.
        backend: what runs the program; by default the first that can.

    Returns:
        The causes by moment, and the transitions between them.

    Raises:
        UsageError: the request cannot be understood; ``no-states``, ``no-moment``.
        NotReducible: ``passing-fails``, ``no-cause``, ``nondeterministic``,
            ``not-reproducible``, ``worker-differs``.
    """
    judge = _judge_of(check if isinstance(check, str) else "+".join(check), unsafe=unsafe)
    deadline = Deadline(max_time)
    budget = Budget(max_tests, deadline.left)
    campaign = Campaign(
        "causes", budget=budget, stop=StopFlag(), jobs=jobs, executor=executor, progress=progress
    )
    where = Path.cwd() if directory is None else Path(directory).absolute()
    run = Target(
        program=os.fspath(program),
        module=module,
        directory=where,
        python=python,
        include=tuple(include),
        only=tuple(only),
        exclude=tuple(exclude),
        unions=tuple(unions),
        timeout=timeout,
        jobs=jobs,
        unsafe=unsafe,
        environment=environment,
        deadline=deadline,
    )
    inputs = [passing] if isinstance(passing, Input) else list(passing)
    target, *others = (
        replace(run, arguments=each.arguments, stdin=each.stdin) for each in (failing, *inputs)
    )
    chosen = backend or choose_backend(target)
    with ExitStack() as stack:
        with deadline.cutting():
            fails, *passes = (_prepared(stack, chosen, each) for each in (target, *others))
            searches = [*_searches(fails, passes, inputs, judge, campaign)]
        number = _most_alike(searches, failing, inputs)
        search, passing = searches[number], inputs[number]
        targets = [target, others[number]]
        basis = search.basis(os.path.relpath(each, where) for each in outputs)
        subject = _subject(targets, search.check.spec)
        journal = stack.enter_context(open_journal(journals, subject, basis, resume=resume))
        campaign.store = OutcomeStore(journal)
        if executor is not None:
            one, other = (replace(each, deadline=Deadline()) for each in targets)
            package = Package(chosen.name, one, other, search.check.spec, search.mark)
            search.remote = package.test
        campaign.stop = stack.enter_context(stop_on_interrupt())
        try:
            search.run(at)
        except BudgetExhausted as ended:  # while states were looked at, which is no test
            campaign.record_end(ended.reason)
        result = search.result(os.fspath(program), failing.text, passing.text, where)
        if journal is not None:
            result = changed(result, notes=(*journal.notes, *result.notes))
            if result.stopped is Reason.FINISHED:
                journal.finish()
        return result


def _prepared(stack: ExitStack, backend: Backend, target: Target) -> Run:
    return stack.enter_context(closing(stateful(backend).run(target)))


def _searches(
    failing: Run,
    passing: Sequence[Run],
    inputs: Sequence[Input],
    judge: Check | None,
    campaign: Campaign,
) -> Iterator[Search]:
    """A search for each run that is to pass; of several, the input that does not is named."""
    for each, given in zip(passing, inputs, strict=True):
        try:
            yield Search(failing, each, judge, campaign)
        except NotReducible as error:
            if error.slug != "passing-fails" or len(inputs) == 1:
                raise
            why = f"--pass {given.text!r}: {error.message}"
            raise NotReducible("passing-fails", why, error.hint) from None


def _most_alike(searches: Sequence[Search], failing: Input, inputs: Sequence[Input]) -> int:
    """The search whose passing run is nearest to the failing one: by path, then by input."""
    distances = [_distance(failing, each) for each in inputs]
    number = min(range(len(searches)), key=lambda n: (-searches[n].likeness, distances[n]))
    if len(inputs) > 1:
        searches[number].notes.append(
            f"Of {len(inputs)} inputs that pass, {inputs[number].text or 'none'} is compared: its "
            "run is most like the failing one."
        )
    return number


def _distance(one: Input, other: Input) -> float:
    """How far two inputs are apart: 0.0 if they are equal, 1.0 if they have nothing in common."""
    parts = [
        ["\0".join(each.arguments), each.stdin[:COMPARED].decode("latin-1")]
        for each in (one, other)
    ]
    ratios = [
        SequenceMatcher(None, a[:COMPARED], b, autojunk=False).ratio()
        for a, b in zip(*parts, strict=True)
    ]
    return 1 - min(ratios)


def _subject(targets: Sequence[Target], spec: str) -> str:
    """What the journal of such a search is called."""
    asked = [replace(each, timeout=None, jobs=1) for each in targets]
    return f"causes-{digest(repr((asked, spec)).encode('utf-8', 'backslashreplace'))}"


def _judge_of(spec: str, *, unsafe: bool) -> Check | None:
    """The check that tells a failure; ``None``: it follows from the failing run."""
    judge = parse_check(spec, unsafe=unsafe) if spec else None
    if judge is not None and judge.probes:
        raise UsageError(
            "bad-check",
            f"The check {judge.spec!r} looks at a variable, which is what this search changes.",
            "Name something that the program does: --check stdout, exception or exit.",
        )
    return judge


def stateful(backend: Backend) -> Stateful:
    """The backend, as one that looks at states.

    Raises:
        UsageError: ``no-states``.
    """
    if not isinstance(backend, Stateful):
        raise UsageError(
            "no-states",
            f"The backend {backend.name!r} cannot look at states and change them.",
            "stripe causes is for Python and native programs.",
        )
    return backend

"""The search for suspects: in which order changes are tried, on which tests, and when it ends."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from stripe.backend import Backend, Target, choose_backend
from stripe.campaign.progress import Progress
from stripe.dd import Budget, Reason
from stripe.deadline import Deadline, OutOfTime
from stripe.errors import NotReducible, StripeError, UsageError
from stripe.interrupts import StopFlag, stop_on_interrupt
from stripe.interventions import Case, Intervening, Line, Test, Trials, Verdict
from stripe.results.model import changed
from stripe.results.suspects import SliceView as Sliced
from stripe.results.suspects import SourceLine, SuspectsResult
from stripe.suspects.ranks import Repair
from stripe.suspects.search import Search
from stripe.suspects.slices import LEAST_SECONDS, MOST, RESERVED, FailingRun, Slicing
from stripe.suspects.sources import passages, read

MAX_TIME = 60.0
"""Seconds that a search takes at most unless told otherwise."""

LEAST = 5.0
"""Seconds after which all is ended, however few there are: who waited that long is told something,
if that is soon done."""

LOOKING = 0.4
"""The share of them for running the tests as they are."""


def find_suspects(
    program: str | os.PathLike[str],
    arguments: Sequence[str] = (),
    *,
    module: bool = False,
    expect: bytes | None = None,
    cases: Sequence[Case] = (),
    directory: str | os.PathLike[str] | None = None,
    stdin: bytes = b"",
    python: str | None = None,
    include: Sequence[str] = (),
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
    timeout: float | None = None,
    unsafe: bool = False,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    failing: Sequence[str] = (),
    slicing: Slicing | None = None,
    progress: Callable[[Progress], None] | None = None,
    found: Callable[[Repair], None] | None = None,
    backend: Backend | None = None,
) -> SuspectsResult:
    """Find the lines where a small change makes failing tests pass and breaks none.

    Args:
        program: what is run; with ``module``, the name of one: ``pytest`` and ``unittest`` are test
            runners, whose ``arguments`` name the tests.
        arguments: what is written behind it.
        expect: the right standard output of the one run; line ends at its end do not count.
        cases: inputs with their right outputs, in the place of ``arguments``.
        directory: where it runs, in copies; by default here.
        stdin: what the one run reads.
        python: the interpreter; by default this one.
        include, only, exclude: what is suspected, see :class:`~stripe.backend.Target`. What belongs
            to tests (a folder ``tests`` or ``test``, ``conftest.py``, ``test_*.py``,
            ``*_test.py``) is so only if one of the first two is given, and their own files never.
        timeout: seconds that one run of a program may take as it is.
        unsafe: go on where there is no sandbox.
        max_tests: end after so many runs of tests; ``max_time``: after so many seconds (default:
            :data:`MAX_TIME`).
        jobs: runs at a time.
        failing: names of tests: other ones that fail are left out. A name without parameters is
            that of all which have some.
        slicing: compares the lines with a slice of the quickest failing run, when all else is done
            (:func:`stripe.failing_run.slicing`); a part of the seconds is kept for that.
        progress: called now and then.
        found: hears of lines where a change repairs something, as soon as that is known.
        backend: what runs it; by default the first that can.

    Returns:
        At most five places, and all lines in order.

    Raises:
        UsageError: the request cannot be understood; ``no-expectation``, ``no-experiments``.
        NotReducible: ``nothing-fails``, ``no-suspects``, ``no-tests``, ``out-of-time``.
    """
    given = list(cases)
    if expect is not None:
        given.append(Case(os.fspath(program), tuple(arguments), stdin, expect))
    tester = module and os.fspath(program) in ("pytest", "unittest")
    if tester == bool(given):
        raise _no_expectation(tester=tester)
    seconds = MAX_TIME if max_time is None else max_time
    deadline = Deadline(seconds, least=LEAST)
    target = Target(
        program=os.fspath(program),
        arguments=tuple(arguments),
        module=module,
        directory=Path.cwd() if directory is None else Path(directory).absolute(),
        stdin=stdin,
        python=python,
        include=tuple(include),
        only=tuple(only),
        exclude=tuple(exclude),
        timeout=timeout,
        jobs=jobs,
        unsafe=unsafe,
        deadline=deadline,
    )
    chosen = backend or choose_backend(target)
    if not isinstance(chosen, Intervening):
        raise UsageError(
            "no-experiments",
            f"The backend {chosen.name!r} cannot change a program and run it again.",
            "stripe suspects is for Python programs.",
        )
    budget = Budget(max_tests, seconds * (1.0 - RESERVED * (slicing is not None)))
    with ExitStack() as stack:
        trials = stack.enter_context(
            closing(chosen.trials(target, given, seconds=LOOKING * seconds, first=failing))
        )
        result, quickest = search_trials(
            trials,
            target,
            budget,
            failing=failing,
            helpers=bool(include or only),
            progress=progress,
            found=found,
        )
    if slicing is None:
        return result
    run = FailingRun(target, quickest, given[quickest.number] if given else None)
    left = min(seconds - deadline.elapsed, MOST * seconds)
    result = _beside_slice(result, run, slicing, left)
    return changed(result, seconds=deadline.elapsed)


def _no_expectation(*, tester: bool) -> UsageError:
    return UsageError(
        "no-expectation",
        "Tests say themselves what is right: --expect and --cases are for programs."
        if tester
        else "What is right is not known.",
        "Give one of: --expect TEXT (or a file), --cases DIR, or tests: -m pytest FILE::TEST.",
    )


def search_trials(
    trials: Trials,
    target: Target,
    budget: Budget,
    *,
    failing: Sequence[str] = (),
    helpers: bool = False,
    most: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    found: Callable[[Repair], None] | None = None,
) -> tuple[SuspectsResult, Test]:
    """Search where tests have been run as they are; and the quickest of those that fail.

    Args:
        trials: of ``target``; they stay open.
        budget: what may be spent from now on.
        helpers: what belongs to tests may be suspected, but for the files that they are in.
        most: so many lines are suspected, those that failing tests execute most alone.
        failing, progress, found: as for :func:`find_suspects`, which raises the same.
    """
    tester = target.module and target.program in ("pytest", "unittest")
    tests = [_wanted(each, failing) for each in trials.tests]
    require_failure(tests, tester, failing, trials.notes)
    search = Search(
        trials,
        budget,
        StopFlag(),
        target.jobs,
        progress,
        began=time.monotonic() - target.deadline.elapsed,
        found=found,
        tests=tests,
        helpers=helpers,
        most=most,
    )
    with stop_on_interrupt() as search.stop:
        texts = read(target.directory, {each.file for each in search.lines})
        search.run()
        result = search.result(target.program)
    code = passages(texts, result.suspected).items()
    result = changed(result, code=tuple(SourceLine(*line, text) for line, text in code))
    return result, min(search.failing, key=lambda each: (bool(each.detail), each.seconds))


def _beside_slice(
    result: SuspectsResult, run: FailingRun, slicing: Slicing, seconds: float
) -> SuspectsResult:
    """The result with what a slice says of the lines, or with why there is none."""
    name = run.test.name
    if result.stopped is Reason.STOPPED:
        why = "the search was ended."
    elif run.test.detail:
        why = "it cannot be collected, so there is no test to be sliced."
    elif seconds < LEAST_SECONDS:
        why = "there is no time for it (--max-time)."
    else:
        try:
            found = slicing(run, round(seconds, 1))
            ranking = (
                changed(each, slice=found.of_line(Line(each.file, each.line)))
                for each in result.ranking
            )
            return changed(result, slice=Sliced.copy_of(found), ranking=tuple(ranking))
        except KeyboardInterrupt:
            why = "it was ended."
        except OutOfTime:  # which tells what was left for this, and not what was asked for
            why = "there was not enough time for it (--max-time)."
        except StripeError as error:
            why = error.message
    note = f"The lines are not compared with a critical slice of {name}: {why}"
    return changed(result, notes=(*result.notes, note))


def _wanted(test: Test, failing: Sequence[str]) -> Test:
    """A test as it counts: failing ones that nobody asks about are left out."""
    asked = {test.name, test.name.partition("[")[0]}  # a test, or all its parameters
    if not failing or test.verdict is not Verdict.FAILED or not asked.isdisjoint(failing):
        return test
    if test.detail and any(each.startswith(f"{test.name}::") for each in failing):
        return test  # who asks about one that cannot be collected
    return replace(test, verdict=Verdict.OTHER)


def require_failure(
    tests: Sequence[Test], tester: bool, failing: Sequence[str], notes: Sequence[str]
) -> None:
    """Raises :class:`~stripe.errors.NotReducible` ``nothing-fails`` unless a test does."""
    if any(each.verdict is Verdict.FAILED for each in tests):
        return
    counts = Counter(each.verdict for each in tests)
    told = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items())
    late = [each for each in notes if "--max-time" in each]  # of these nobody knows
    fails = "was seen to fail" if late else "fails"
    which = f"None of {', '.join(failing)} {fails}" if failing else f"No test {fails}"
    raise NotReducible(
        "nothing-fails",
        " ".join((f"{which}: {told or 'there is none'}.", *late)),
        "Name tests of which some fail. Each was run in a process of its own: a test that only "
        "fails after others is spoilt by what those leave behind."
        if tester
        else "The program prints what it should; give an output that it should print and does not.",
    )

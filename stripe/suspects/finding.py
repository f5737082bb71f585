"""The search for suspects: in which order changes are tried, on which tests, and when it ends."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from stripe.backend import Backend, Target, choose_backend
from stripe.campaign.allowance import Allowance
from stripe.campaign.progress import Progress
from stripe.errors import NotReducible, UsageError
from stripe.interventions import Case, Intervening, Test, Verdict
from stripe.stopping import StopFlag, stop_on_interrupt
from stripe.suspects.result import SuspectsResult
from stripe.suspects.search import Search

MAX_TIME = 60.0
"""Seconds that a search takes at most unless told otherwise."""

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
    exclude: Sequence[str] = (),
    timeout: float | None = None,
    unsafe: bool = False,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
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
        include, exclude: globs over source paths: what is suspected. What belongs to tests (a
            folder ``tests`` or ``test``, ``conftest.py``, ``test_*.py``, ``*_test.py``) is so only
            if ``include`` is given, and their own files never are.
        timeout: seconds that one run of a program may take as it is.
        unsafe: go on where there is no sandbox.
        max_tests: end after so many runs of tests; ``max_time``: after so many seconds (default:
            :data:`MAX_TIME`).
        jobs: runs at a time.
        progress: called now and then.
        backend: what runs it; by default the first that can.

    Returns:
        At most five places, and all lines in order.

    Raises:
        UsageError: the request cannot be understood; ``no-expectation``, ``no-experiments``.
        NotReducible: ``nothing-fails``, ``no-suspects``, ``no-tests``.
    """
    given = list(cases)
    if expect is not None:
        given.append(Case(os.fspath(program), tuple(arguments), stdin, expect))
    tester = module and os.fspath(program) in ("pytest", "unittest")
    if tester == bool(given):
        raise UsageError(
            "no-expectation",
            "Tests say themselves what is right: --expect and --cases are for programs."
            if tester
            else "What is right is not known.",
            "Give one of: --expect TEXT (or a file), --cases DIR, or tests: -m pytest FILE::TEST.",
        )
    target = Target(
        program=os.fspath(program),
        arguments=tuple(arguments),
        module=module,
        directory=Path.cwd() if directory is None else Path(directory).absolute(),
        stdin=stdin,
        python=python,
        include=tuple(include),
        exclude=tuple(exclude),
        timeout=timeout,
        jobs=jobs,
        unsafe=unsafe,
    )
    chosen = backend or choose_backend(target)
    if not isinstance(chosen, Intervening):
        raise UsageError(
            "no-experiments",
            f"The backend {chosen.name!r} cannot change a program and run it again.",
            "stripe suspects is for Python programs.",
        )
    seconds = MAX_TIME if max_time is None else max_time
    allowance = Allowance(max_tests, seconds)
    with ExitStack() as stack:
        trials = stack.enter_context(
            closing(chosen.trials(target, given, seconds=LOOKING * seconds))
        )
        _require_failure(trials.tests, tester)
        search = Search(trials, allowance, StopFlag(), jobs, progress, helpers=bool(include))
        search.stop = stack.enter_context(stop_on_interrupt())
        search.run()
        return search.result(target.program)


def _require_failure(tests: Sequence[Test], tester: bool) -> None:
    """Raises :class:`~stripe.errors.NotReducible` ``nothing-fails`` unless a test does."""
    if any(each.verdict is Verdict.FAILED for each in tests):
        return
    counts = Counter(each.verdict for each in tests)
    told = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items())
    raise NotReducible(
        "nothing-fails",
        f"No test fails: {told or 'there is none'}.",
        "Name tests of which some fail, each by itself as well as with the others."
        if tester
        else "The program prints what it should; give an output that it should print and does not.",
    )

"""The critical slice of a failing test or run.

That is what ``stripe trace -m pytest`` shows, and what stands beside suspects.  A test is run
alone, inside the traced program, by ``python -m stripe_testcase``, a guest there, whose folder
holds nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from stripe.api import trace
from stripe.backend import TEST_MODULE, Target, choose_backend
from stripe.campaign.progress import Progress
from stripe.deadline import Deadline, OutOfTime
from stripe.errors import NotReducible, StripeError
from stripe.interventions import Intervening, Line, Test, Verdict
from stripe.reduce import Result
from stripe.report.source import lines_of
from stripe.report.style import plural
from stripe.results.suspects import Standing
from stripe.suspects.slices import FailingRun, SliceView, Slicing
from stripe.suspects.suspect_search import LOOKING, MAX_TIME, require_failure
from stripe.trace import Trace
from stripe.trace.dependence import Dependences
from stripe.trace.unrecorded_definitions import unrecorded_definitions

HELPER = TEST_MODULE
"""The module that is traced: ``python -m stripe_testcase DIRECTORY TEST [ARGUMENTS...]``."""

FORMER_HELPER = "stripe_pytest"
"""What results of version 0.1 call it."""

GUEST = Path(__file__).parent / "guest"
"""The folder in which it is found, with nothing beside it."""

HELPER_FILES = f"*/{HELPER}/*"
"""The helper's own files, as a glob: they are no code of the user's."""

SEEDED = "-p", f"{HELPER}.seeded"
"""Options by which a test draws the same random numbers in each run."""

UNSTEADY = "nondeterministic", "not-reproducible"
"""Errors of a test that is not the same in each run."""

SAYS_OF_A_RUN = ("PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")
"""What pytest tells the processes a test starts; it is not for a test run anew."""

CACHE = (
    "--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first", "--sw", "--stepwise",
    "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset", "--cache-clear",
)  # fmt: skip
"""Options of pytest's cache, which is not there when tests are run anew."""

CACHE_VALUES = ("--lfnf", "--last-failed-no-failures")
"""Those with a value."""

OPTIONS = "python", "include", "only", "exclude", "timeout", "unsafe", "jobs"
"""What a target has that searches take as options of these names; traces take ``memory`` too."""

MOST_EVENTS = 300_000
"""Of longer traces no dynamic slice is made: the analysis takes a second for some 100,000."""


def slicing(
    progress: Callable[[Progress], None] | None = None,
) -> Slicing:
    """What :func:`stripe.suspects.find_suspects` takes to compare its lines with slices."""

    def sliced(run: FailingRun, seconds: float) -> SliceView:
        return view(run, slice_of(run, seconds, progress))

    return sliced


def named_target(
    program: str,
    arguments: Sequence[str],
    *,
    directory: Path,
    test: str | None,
    module: bool = False,
    stdin: str = "",
    **more: Any,
) -> Target:
    """The target of a question that is put to a server: a program, or a test of pytest.

    Args:
        program, arguments: what is run, with what; of a ``test``, its file and pytest's options.
        test: its name within the file, empty for all; ``None``: no test is asked about.
        more: what else a target has.
    """
    if test is not None:
        named = f"{program}::{test}" if test else program
        arguments = (*arguments, "--rootdir", str(directory), named)
    return Target(
        program=program if test is None else "pytest",
        arguments=tuple(arguments),
        module=module or test is not None,
        directory=directory,
        stdin=stdin.encode("utf-8", "surrogateescape"),
        **more,
    )


def trace_test(
    tester: str,
    *arguments: str,
    directory: Path | None = None,
    max_time: float | None = None,
    doing: Callable[[str], None] | None = None,
    **options: Any,
) -> Result:
    """The critical slice of the first failing test among those that a command line names.

    Args:
        tester: ``pytest`` or ``unittest``; ``arguments``: what it is given.
        directory, max_time, doing, options: as for :func:`stripe.trace`; its ``check`` is the
            exception that the test fails with.

    Raises:
        NotReducible: ``nothing-fails``; ``no-tests``: it cannot be collected.
        StripeError: all that :func:`stripe.trace` raises.
    """
    deadline = Deadline(max_time, doing)
    target = Target(
        program=tester,
        arguments=without_cache(arguments),
        module=True,
        directory=Path.cwd() if directory is None else directory.absolute(),
        deadline=deadline,
        **{name: options[name] for name in (*OPTIONS, "memory") if name in options},
    )
    deadline.tell("running the tests, to find one that fails")
    failing = failing_tests(target, LOOKING * (MAX_TIME if max_time is None else max_time))
    run = FailingRun(target, failing[0])
    if failing[0].detail:
        raise NotReducible(
            "no-tests",
            f"{failing[0].name} cannot be collected, so there is no test to be sliced: "
            f"{failing[0].detail.strip().rpartition(chr(10))[2]}",
            f"Is all installed there that it imports? Another Python is named by --python. stripe "
            f"suspects -m {tester} tries changes of what is executed until it fails.",
        )
    if max_time is not None:
        max_time = round(max(1.0, deadline.left), 1)
    try:
        result = trace_run(run, **options, max_time=max_time, doing=deadline.tell)
    except OutOfTime:  # which tells what was left for this, and not what was asked for
        raise deadline.missed() from None
    note = f"This is {failing[0].name}."
    if others := len(failing) - 1:
        fail = "fails" if others == 1 else "fail"
        note += f" {plural(others, 'other test')} of those named {fail}, too: name one to see it."
    statistics = replace(result.statistics, total_seconds=deadline.elapsed)
    return replace(
        result,
        statistics=statistics,
        command=("-m", tester, failing[0].name),
        notes=(note, *unrecorded_notes(result), *result.notes),
    )


MOST_NAMED = 4
"""Lines that a note names."""


def unrecorded_notes(result: Result) -> list[str]:
    """What slices of a test read that was set before it began: it was not recorded, nor tried."""
    trace = result.trace
    events = {event for each in result.slices for event in each.events}
    found = [trace.statements[number] for number in unrecorded_definitions(trace, events)]
    if not found:
        return []
    names = [f"{trace.files[each.file].path}:{each.line}" for each in found[:MOST_NAMED]]
    more = f" and {len(found) - len(names)} more lines" if len(found) > len(names) else ""
    it = "It" if len(found) == 1 else "They"
    return [
        f"What is kept reads what {', '.join(names)}{more} set before the test. {it} ran "
        "unrecorded (~), so whether another value there would do was not tried."
    ]


def failing_tests(target: Target, seconds: float) -> list[Test]:
    """The tests that fail, in their order.

    Raises :class:`~stripe.errors.NotReducible` ``nothing-fails`` if there is none.
    """
    backend = choose_backend(target)
    assert isinstance(backend, Intervening)
    with closing(backend.trials(target, (), seconds=seconds)) as trials:
        require_failure(trials.tests, True, (), trials.notes)
        return [each for each in trials.tests if each.verdict is Verdict.FAILED]


def slice_of(
    run: FailingRun, seconds: float, progress: Callable[[Progress], None] | None = None
) -> Result:
    """The critical slice of a failing run, or the best one after so many seconds.

    Raises all that :func:`stripe.trace` raises.
    """
    return trace_run(
        run,
        **options_of(run.target),
        memory=run.target.memory,
        max_time=seconds,
        watch=False,
        progress=progress,
    )


def options_of(target: Target) -> dict[str, Any]:
    """What a search for the same target takes: :data:`OPTIONS`."""
    return {name: getattr(target, name) for name in OPTIONS}


def trace_run(run: FailingRun, **options: Any) -> Result:
    """Trace a failing run with options of :func:`stripe.trace`, which raises what that does."""
    target, case = run.target, run.case
    options["directory"] = target.directory
    if case is not None:
        words = tuple(case.arguments)
        options |= {"module": target.module, "stdin": case.stdin}
        return trace(target.program, *words, **options)
    if target.program == "unittest":
        return trace_helper(f"{HELPER}.of_unittest", run.test.name, check="exception", **options)
    return trace_helper(HELPER, *pytest_words(target, run), check="exception", **options)


def trace_helper(module: str, *arguments: str, **options: Any) -> Result:
    """Trace a run of the helper; ``arguments`` and ``options`` as for :func:`stripe.trace`.

    A test of pytest that is not the same in each run is run with its random numbers seeded, if that
    makes it so, and a note says that.
    """
    options["exclude"] = [*options.get("exclude", ()), HELPER_FILES]
    options |= {"module": True, "environment": environment()}
    words = without_cache(arguments)
    deadline = Deadline(options.get("max_time"))
    try:
        return trace(module, *words, **options)
    except NotReducible as error:
        if module != HELPER or error.slug not in UNSTEADY:
            raise
        unsteady = error
    if options.get("max_time") is not None:
        options["max_time"] = round(max(1.0, deadline.left), 1)
    try:
        result = trace(module, *words, *SEEDED, **options)
    except StripeError as error:
        if error.slug == "out-of-time":
            unsteady.hint += (
                "\nWith its random numbers seeded it was not run to the end, as the time was over: "
                "more of it (--max-time S) may be enough."
            )
        raise unsteady from None
    note = (
        "As it is, the test is not the same in each run. With its random numbers seeded "
        "(random.seed(0) before it is set up) it is, and so it was run."
    )
    return replace(result, notes=(note, *result.notes))


def target_of(run: FailingRun) -> Target:
    """A failing run as a target of its own: of a test, the helper that runs nothing else."""
    target, case = run.target, run.case
    if case is not None:
        return replace(target, arguments=tuple(case.arguments), stdin=case.stdin)
    if target.program == "unittest":
        helper, words = f"{HELPER}.of_unittest", [run.test.name]
    else:
        helper, words = HELPER, pytest_words(target, run)
    return replace(
        target,
        program=helper,
        arguments=without_cache(words),
        exclude=(*target.exclude, HELPER_FILES),
        environment=environment(),
    )


OF_PATHS = (
    "-c", "--config-file", "--rootdir", "--confcutdir", "--basetemp", "--junitxml", "--junit-xml",
    "--log-file",
)  # fmt: skip
"""Options of pytest the value of which is a path, and so no name of tests."""


def pytest_words(target: Target, run: FailingRun) -> list[str]:
    """The arguments of the helper: the test, and what pytest was given but names of tests."""
    _, separator, name = run.test.name.partition("::")
    path = target.directory / run.test.own
    more = [
        word for before, word in pairwise(("", *target.arguments))
        if word.startswith("-")
        or before in OF_PATHS
        or not (target.directory / word.partition("::")[0]).exists()
    ]  # fmt: skip
    return [".", f"{path}{separator}{name}", *more, "--rootdir", str(target.directory)]


def without_cache(arguments: Sequence[str]) -> tuple[str, ...]:
    """The arguments of pytest but those that are about its cache."""
    kept = []
    rest = iter(arguments)
    for word in rest:
        name, given, _ = word.partition("=")
        if name in CACHE_VALUES:
            if not given:
                next(rest, None)
        elif word not in CACHE:
            kept.append(word)
    return tuple(kept)


def environment() -> dict[str, str]:
    """The environment of a run of the helper, which is behind all else that is imported there."""
    kept = {name: value for name, value in os.environ.items() if name not in SAYS_OF_A_RUN}
    kept["PYTHONDONTWRITEBYTECODE"] = "1"  # what is written must be undone after each run
    paths = [path for path in kept.get("PYTHONPATH", "").split(os.pathsep) if path]
    kept["PYTHONPATH"] = os.pathsep.join([*paths, str(GUEST)])
    return kept


def is_of_test(target: Target | None) -> bool:
    """Whether a run is one of the helper."""
    return target is not None and target.runs_test


def renamed(target: Target) -> Target:
    """The target of a result of version 0.1, in which the helper had another name."""
    name, dot, rest = target.program.partition(".")
    if not target.module or name != FORMER_HELPER:
        return target
    return replace(target, program=f"{HELPER}{dot}{rest}", exclude=(*target.exclude, HELPER_FILES))


# --- by lines


def view(run: FailingRun, result: Result) -> SliceView:
    """What a slice says of each line that the run executed.

    Raises :class:`~stripe.errors.NotReducible` ``no-slice`` if nothing could be left out in time.
    """
    found, traced = result.slices[0], result.trace
    if len(found.events) == found.of and not found.certified:
        raise NotReducible(
            "no-slice", "In the time for it nothing was left out.", "Give more: --max-time."
        )
    standing = {
        Line(traced.files[file].path, number): _standing(line.kept_part, line.governs_part)
        for file, lines in lines_of(traced, found).items()
        for number, line in lines.items()
        if line.executed or line.kept_part or line.governs_part
    }
    executed = set(_lines(traced, range(len(traced))))
    standing = {line: each for line, each in standing.items() if line in executed}
    dynamic = dynamic_slice(result)
    for line in _lines(traced, dynamic or ()):
        if standing.get(line, Standing.EXECUTED) is Standing.EXECUTED:
            standing[line] = Standing.DYNAMIC
    for line in executed:
        standing.setdefault(line, Standing.EXECUTED)
    return SliceView(
        run.test.name,
        found.check,
        standing,
        len(found.events),
        found.of,
        found.certified,
        dynamic is not None,
    )


def _standing(kept: bool, governs: bool) -> Standing:
    return Standing.CRITICAL if kept else Standing.DECIDES if governs else Standing.EXECUTED


def dynamic_slice(result: Result) -> tuple[int, ...] | None:
    """All that where it failed depends on, by data and control, in the whole trace.

    ``None`` if that is not known: the backend does not tell what statements read and write, or
    the trace is too long for it.
    """
    traced, recorded = result.trace, result.recorded
    if len(traced) > MOST_EVENTS or not any(
        each.reads or each.writes for each in traced.statements
    ):
        return None
    raised = None if recorded is None else recorded.exception
    if raised is not None:
        ends = (
            event for event in range(len(traced) - 1, -1, -1)
            if raised.statement is None or traced.statement[event] == raised.statement
        )  # fmt: skip
        roots = [next(ends, len(traced) - 1) if raised.event is None else raised.event]
    else:
        printing = {each.id for each in traced.statements if "<stdout>" in each.writes}
        roots = [event for event, number in enumerate(traced.statement) if number in printing]
    return Dependences(traced, control=True).slice(roots or [len(traced) - 1])


def _lines(traced: Trace, events: Iterable[int]) -> Iterator[Line]:
    """Where the statements of events stand, with all lines of what they evaluate."""
    for number in {traced.statement[event] for event in events}:
        each = traced.statements[number]
        for line in range(each.line, each.header_end + 1):
            yield Line(traced.files[each.file].path, line)

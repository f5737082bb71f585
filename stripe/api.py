"""The library: one call from a program to its critical slices."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from stripe.backend import Backend, Deadline, Probe, Recording, Target, choose_backend
from stripe.campaign.progress import Progress
from stripe.checks import Check, parse_checks
from stripe.errors import UsageError
from stripe.interrupts import CutByHand
from stripe.reduce import (
    MAX_IDLE,
    Journals,
    LevelListener,
    Result,
    Settings,
    reduce,
)
from stripe.trace.window import parse_window

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from stripe.reduce.verify import Verification


class RunOptions(TypedDict, total=False):
    """What :func:`trace` runs, and how.

    - ``module``: the program is the name of a module or package
    - ``stdin``: all that the program can read; text is encoded as UTF-8
    - ``directory``: where the program runs; by default here. It runs in copies of it
    - ``python``: the interpreter that runs the program; by default this one
    - ``engine``: what native programs run under, ``"gdb"`` (the default) or ``"ptrace"``
    - ``environment``: the variables of its runs; by default our own
    - ``include``, ``only``, ``exclude``: names or globs of what counts as the user's code
      beside the project, instead of it, and not at all
    - ``window``: the part of the run that is recorded, in the form of ``--window``, such as
      ``"1000..2000"``, ``"parse.."`` or ``"-5000.."``. What is outside always takes effect
    - ``whole``: functions of which nothing is recorded: they run in full, as part of what calls
      them
    - ``timeout``: seconds one run may take; by default chosen from the plain run
    - ``memory``: bytes one run may use
    - ``tty``: give the program a terminal; ``stdin`` says what is awaited and typed there
    - ``unsafe``: go on where there is no sandbox: runs that go astray may then do harm
    - ``live``: the recorded run acts for real, once; replays are in the sandbox as always
    - ``network``: the recorded run may use this machine's network; replays have none
    - ``backend``: what runs the program; by default the first installed one that can
    """

    module: bool
    stdin: bytes | str
    directory: str | PathLike[str] | None
    python: str | None
    engine: str | None
    environment: Mapping[str, str] | None
    include: Sequence[str]
    only: Sequence[str]
    exclude: Sequence[str]
    window: str
    whole: Sequence[str]
    timeout: float | None
    memory: int | None
    tty: bool
    unsafe: bool
    live: bool
    network: bool
    backend: Backend | None


class SearchOptions(TypedDict, total=False):
    """How :func:`trace` searches.

    - ``control``: ``"trace"``: the recorded run says where control goes; ``"program"``: kept
      conditions must also evaluate as recorded
    - ``values``: ``"free"``: kept executions may see anything by which the behaviour remains, and
      what they see otherwise than in the recorded run is told; ``"same"``: they must see what they
      saw there; ``"auto"``: first free; where values that differ take part in what was found, and
      with ``algorithm="auto"`` and no ``level``, then the same
    - ``algorithm``: the name of the search; ``"auto"`` lets data dependences propose what to test
    - ``level``: go through the levels of the trace, with a certified answer at each, down to
      ``"calls"``, ``"rounds"`` (of loops), ``"statements"`` (each with all its executions) or
      ``"events"``; by default straight to events
    - ``max_tests``, ``max_time``: end with the best slices so far after so many tests, or seconds;
      of time all counts, from now on; ``search_time``: the same of seconds that the searches
      take, without what comes before and after; ``max_idle``: where hardly anything can be left
      out, end after so many single events in a row that could not (by default 300; 0: never),
      unless the rest takes seconds
    - ``jobs``: tests at a time
    - ``executor``: where tests run, if not here, such as that of a Dask client. Its workers need
      the same directory under the same path; each records the run for itself
    - ``journals``: a folder to note outcomes in while a search runs; what is there of a search
      that did not come to its end is used again if ``resume`` is true, and if all that the run
      read is still the same
    - ``outputs``: files that the caller will write; that they come and go is no such change
    """

    control: str
    values: str
    algorithm: str
    level: str | None
    max_tests: int | None
    max_time: float | None
    search_time: float | None
    max_idle: int
    jobs: int
    executor: Executor | None
    journals: str | PathLike[str] | None
    resume: bool
    outputs: Sequence[str | PathLike[str]]


class TraceOptions(RunOptions, SearchOptions, total=False):
    """All options of :func:`trace`; those of its own are about what is told.

    - ``watch``: run each slice once more to see what its variables hold (by default true)
    - ``progress``: called after each test
    - ``passed``: called with the name of the check and a :class:`~stripe.reduce.LevelAnswer` as
      soon as a level has one
    - ``unreduced``: called with the recorded run, of which nothing was left out, before there is a
      search, and also where there can be none, before the error is raised that says so
    - ``doing``: told what is done before the first test, such as ``running the program``
    """

    watch: bool
    progress: Callable[[Progress], None] | None
    passed: LevelListener | None
    unreduced: Callable[[Result], None] | None
    doing: Callable[[str], None] | None


def trace(
    program: str | PathLike[str],
    *arguments: object,
    check: str | Sequence[str] = (),
    **options: Unpack[TraceOptions],
) -> Result:
    """Record a run of ``program`` and find the executions that make it do what it did.

    Nothing is printed; ``print(stripe.render(result))`` shows the report of the command line::

        result = stripe.trace("sample.py", stdin="0\\n5\\n", check="stdout:/^sum/")
        result.slices[0].events

    Args:
        program: a Python file; with ``module``, the name of a module or package.
        arguments: what the program gets as ``sys.argv[1:]``; converted to text.
        check: what must stay the same, in the form of ``--check``; several give several slices.
            By default the uncaught exception if there is one, else standard output.
        options: :class:`RunOptions`, :class:`SearchOptions` and :class:`TraceOptions`, each as a
            keyword of its own.

    Returns:
        The trace, a slice for each check in their order, and statistics.

    Raises:
        UsageError: the request cannot be understood, or names something that does not exist.
        NotReducible: the run cannot be reduced honestly.
        BackendError: a backend failed for a reason of its own.
    """
    if unknown := options.keys() - TraceOptions.__optional_keys__:
        raise TypeError(f"trace() got an unexpected keyword argument {min(unknown)!r}")
    deadline = Deadline(options.get("max_time"), options.get("doing"))
    settings = _settings(deadline, options)
    specs = [check] if isinstance(check, str) else list(check)
    checks = parse_checks(specs, unsafe=options.get("unsafe", False))
    target = _target(program, arguments, checks, deadline, options)
    executor = options.get("executor")
    if target.live and executor is not None:
        raise UsageError(
            "bad-option",
            "A live run acts once; with an executor, each of its workers would run it again.",
            "Leave out either live or the executor.",
        )
    probes = tuple(dict.fromkeys(probe for each in checks for probe in each.probes))
    chosen = options.get("backend") or choose_backend(target)
    with deadline.cutting():
        recording, target, checks = record(chosen, target, probes, checks)
    try:
        if target.cut:  # a loop goes on because its condition holds
            settings = replace(settings, control="program")
        settings = replace(settings, journals=_journals(chosen, target, options))
        alone = replace(target, deadline=Deadline())  # without ties to this process
        unreduced = options.get("unreduced")
        remote = None
        if executor is not None:
            from stripe.reduce.remote import Remote  # lazy

            remote = Remote(executor, chosen.name, alone, probes)
        result = reduce(
            recording,
            checks,
            settings,
            command=(*(("-m",) if target.module else ()), target.program, *target.arguments),
            progress=options.get("progress"),
            remote=remote,
            passed=options.get("passed"),
            unreduced=None
            if unreduced is None
            else lambda result: unreduced(replace(result, target=alone)),
        )
        return replace(result, target=alone)
    finally:
        recording.close()


def _target(
    program: str | PathLike[str],
    arguments: Sequence[object],
    checks: Sequence[Check],
    deadline: Deadline,
    options: TraceOptions,
) -> Target:
    """What is to be run."""
    cut = any(each.hang for each in checks)
    if window := options.get("window", ""):
        parse_window(window)
    stdin, directory = options.get("stdin", b""), options.get("directory")
    return Target(
        program=fspath(program),
        arguments=tuple(str(argument) for argument in arguments),
        module=options.get("module", False),
        directory=Path.cwd() if directory is None else Path(directory).absolute(),
        stdin=stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin,
        python=options.get("python"),
        engine=options.get("engine"),
        environment=options.get("environment"),
        include=tuple(options.get("include", ())),
        only=tuple(options.get("only", ())),
        exclude=tuple(options.get("exclude", ())),
        window=window,
        whole=tuple(options.get("whole", ())),
        timeout=options.get("timeout"),
        memory=options.get("memory"),
        tty=options.get("tty", False),
        jobs=options.get("jobs", 1),
        unsafe=options.get("unsafe", False),
        live=options.get("live", False),
        network=options.get("network", False),
        cut=cut,
        interruptible=cut or not (checks or window),
        deadline=deadline,
    )


def _settings(deadline: Deadline, options: TraceOptions) -> Settings:
    """How it is to be searched."""
    return Settings(
        options.get("control", "trace"),
        options.get("algorithm", "auto"),
        options.get("max_tests"),
        deadline,
        options.get("jobs", 1),
        values=options.get("values", "auto"),
        watch=options.get("watch", True),
        level=options.get("level"),
        max_idle=options.get("max_idle", MAX_IDLE),
        search_time=options.get("search_time"),
    )


def _journals(backend: Backend, target: Target, options: TraceOptions) -> Journals | None:
    """Where outcomes are noted, if they are."""
    folder = options.get("journals")
    if folder is None:
        return None
    identity = repr((backend.name, sys.version, replace(target, jobs=1))).encode()
    ours = frozenset(os.path.relpath(each, target.directory) for each in options.get("outputs", ()))
    return Journals(Path(folder), identity, options.get("resume", False), ours, target.environment)


CUT_SECONDS = 5.0
"""Seconds in which a program that was cut off by hand is recorded, or as many as it had run."""


def record(
    backend: Backend, target: Target, probes: Sequence[Probe], checks: list[Check]
) -> tuple[Recording, Target, list[Check]]:
    """Record, and tell what was recorded in the end and with which checks.

    A program that is cut off by hand while it runs is recorded again, until it is cut off as the
    check ``hang`` does, which then is the check.
    """
    alone = replace(target, interruptible=False)
    try:
        return backend.record(target, probes), alone, checks
    except CutByHand as cut:
        seconds = max(cut.seconds, CUT_SECONDS)
    target = replace(alone, cut=True, timeout=seconds)
    recording = backend.record(target, probes)
    recording.notes = ("The program was cut off by hand (Ctrl-C).", *recording.notes)
    return recording, target, checks or parse_checks(["hang"])


def verify(
    result: Result,
    *,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    unsafe: bool = False,
    progress: Callable[[Progress], None] | None = None,
    doing: Callable[[str], None] | None = None,
    backend: Backend | None = None,
) -> Verification:
    """Try the slices of a result again, on the program as it is now.

    The program is recorded anew; the kept events are looked up in the new trace, replayed in a
    fresh process, and left out one by one.  A result can be read from its file with
    :func:`stripe.report.read_result`.  What it says is run, and nobody is asked: of a result that
    somebody else has written, look at ``target`` and the checks first, or use ``stripe verify``.
    It is run in the sandbox, also if the result is of a run that was live.

    Args:
        result: of :func:`trace`, or read again.
        max_tests, max_time, jobs, unsafe, progress, doing, backend: as for :func:`trace`.

    Raises:
        UsageError: the result does not say what to run, or that does not exist any more.
        NotReducible: the new run cannot be replayed honestly.
        BackendError: a backend failed for a reason of its own.
    """
    if result.target is None:
        raise UsageError(
            "no-target",
            "The result does not say what to run.",
            "Only results of stripe trace can be verified.",
        )
    deadline = Deadline(max_time, doing)
    settings = Settings(result.control, max_tests=max_tests, deadline=deadline, jobs=jobs)
    checks = parse_checks([each.check for each in result.slices], unsafe=unsafe)
    target = replace(
        result.target,
        jobs=jobs,
        unsafe=unsafe,
        live=False,
        cut=any(each.hang for each in checks),
        deadline=deadline,
    )
    from stripe.reduce.verify import verify as try_again  # lazy

    result = replace(result, target=target)
    probes = tuple(dict.fromkeys(probe for each in checks for probe in each.probes))
    chosen = choose_backend(target) if backend is None else backend
    with deadline.cutting():
        recording = chosen.record(target, probes)
    try:
        return try_again(result, recording, settings, progress)
    finally:
        recording.close()

"""The library: one call from a program to its critical slices."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.backend import Backend, Deadline, Probe, Recording, Target, choose_backend
from stripe.campaign.progress import Progress
from stripe.checks import Check, parse_checks
from stripe.errors import UsageError
from stripe.interrupts import CutByHand
from stripe.reduce import (
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


def trace(
    program: str | PathLike[str],
    *arguments: object,
    check: str | Sequence[str] = (),
    control: str = "trace",
    values: str = "auto",
    algorithm: str = "auto",
    level: str | None = None,
    module: bool = False,
    stdin: bytes | str = b"",
    directory: str | PathLike[str] | None = None,
    python: str | None = None,
    engine: str | None = None,
    environment: Mapping[str, str] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    window: str = "",
    whole: Sequence[str] = (),
    timeout: float | None = None,
    memory: int | None = None,
    tty: bool = False,
    unsafe: bool = False,
    live: bool = False,
    network: bool = False,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    journals: str | PathLike[str] | None = None,
    resume: bool = False,
    outputs: Sequence[str | PathLike[str]] = (),
    watch: bool = True,
    progress: Callable[[Progress], None] | None = None,
    passed: LevelListener | None = None,
    doing: Callable[[str], None] | None = None,
    backend: Backend | None = None,
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
        control: ``"trace"``: the recorded run says where control goes; ``"program"``: kept
            conditions must also evaluate as recorded.
        values: ``"free"``: kept executions may see anything by which the behaviour remains, and
            what they see otherwise than in the recorded run is told; ``"same"``: they must see
            what they saw there; ``"auto"``: first free; where values that differ take part in
            what was found, and with ``algorithm="auto"`` and no ``level``, then the same.
        algorithm: the name of the search; ``"auto"`` lets data dependences propose what to test.
        level: go through the levels of the trace, with a certified answer at each, down to
            ``"calls"``, ``"rounds"`` (of loops), ``"statements"`` (each with all its executions) or
            ``"events"``; by default straight to events.
        stdin: all that the program can read; text is encoded as UTF-8.
        directory: where the program runs; by default here. It runs in copies of it.
        python: the interpreter that runs the program; by default this one.
        engine: what native programs run under, ``"gdb"`` (the default) or ``"ptrace"``.
        environment: the variables of its runs; by default our own.
        include, exclude: globs over source paths: what counts as the user's code.
        window: the part of the run that is recorded, in the form of ``--window``, such as
            ``"1000..2000"``, ``"parse.."`` or ``"-5000.."``. What is outside always takes effect.
        whole: functions of which nothing is recorded: they run in full, as part of what calls them.
        timeout: seconds one run may take; by default chosen from the plain run.
        memory: bytes one run may use.
        tty: give the program a terminal; ``stdin`` says what is awaited and typed there.
        unsafe: go on where there is no sandbox: runs that go astray may then do harm.
        live: the recorded run acts for real, once; replays are in the sandbox as always.
        network: the recorded run may use this machine's network; replays have none.
        max_tests, max_time: end with the best slices so far after so many tests, or seconds; of
            time all counts, from now on.
        jobs: tests at a time.
        executor: where tests run, if not here, such as that of a Dask client. Its workers need
            the same directory under the same path; each records the run for itself.
        journals: a folder to note outcomes in while a search runs; what is there of a search
            that did not come to its end is used again if ``resume`` is true, and if all that the
            run read is still the same.
        outputs: files that the caller will write; that they come and go is no such change.
        watch: run each slice once more to see what its variables hold.
        progress: called after each test.
        passed: called with the name of the check and a :class:`~stripe.reduce.LevelAnswer` as soon
            as a level has one.
        doing: told what is done before the first test, such as ``running the program``.
        backend: what runs the program; by default the first installed one that can.

    Returns:
        The trace, a slice for each check in their order, and statistics.

    Raises:
        UsageError: the request cannot be understood, or names something that does not exist.
        NotReducible: the run cannot be reduced honestly.
        BackendError: a backend failed for a reason of its own.
    """
    deadline = Deadline(max_time, doing)
    settings = Settings(
        control, algorithm, max_tests, deadline, jobs, values=values, watch=watch, level=level
    )
    specs = [check] if isinstance(check, str) else list(check)
    checks = parse_checks(specs, unsafe=unsafe)
    cut = any(each.hang for each in checks)
    if window:
        parse_window(window)
    target = Target(
        program=fspath(program),
        arguments=tuple(str(argument) for argument in arguments),
        module=module,
        directory=Path.cwd() if directory is None else Path(directory).absolute(),
        stdin=stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin,
        python=python,
        engine=engine,
        environment=environment,
        include=tuple(include),
        exclude=tuple(exclude),
        window=window,
        whole=tuple(whole),
        timeout=timeout,
        memory=memory,
        tty=tty,
        jobs=jobs,
        unsafe=unsafe,
        live=live,
        network=network,
        cut=cut,
        interruptible=cut or not (checks or window),
        deadline=deadline,
    )
    if live and executor is not None:
        raise UsageError(
            "bad-option",
            "A live run acts once; with an executor, each of its workers would run it again.",
            "Leave out either live or the executor.",
        )
    probes = tuple(dict.fromkeys(probe for each in checks for probe in each.probes))
    chosen = choose_backend(target) if backend is None else backend
    recording, target, checks = record(chosen, target, probes, checks)
    try:
        if target.cut:  # a loop goes on because its condition holds
            settings = replace(settings, control="program")
        if journals is not None:
            same = replace(target, jobs=1)
            identity = repr((chosen.name, sys.version, same)).encode()
            ours = frozenset(os.path.relpath(output, target.directory) for output in outputs)
            journal = Journals(Path(journals), identity, resume, ours, target.environment)
            settings = replace(settings, journals=journal)
        alone = replace(target, deadline=Deadline())  # without ties to this process
        remote = None
        if executor is not None:
            from stripe.reduce.remote import Remote

            remote = Remote(executor, chosen.name, alone, probes)
        result = reduce(
            recording,
            checks,
            settings,
            command=(*(("-m",) if module else ()), target.program, *target.arguments),
            progress=progress,
            remote=remote,
            passed=passed,
        )
        return replace(result, target=alone)
    finally:
        recording.close()


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
    from stripe.reduce.verify import verify as try_again

    result = replace(result, target=target)
    probes = tuple(dict.fromkeys(probe for each in checks for probe in each.probes))
    chosen = choose_backend(target) if backend is None else backend
    recording = chosen.record(target, probes)
    try:
        return try_again(result, recording, settings, progress)
    finally:
        recording.close()

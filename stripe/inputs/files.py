"""A file with which a command fails, reduced: the request understood, and its journal kept."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.campaign.journals import SearchJournal, open_journal
from stripe.campaign.progress import Progress
from stripe.dd import Reason
from stripe.deadline import Deadline
from stripe.errors import UsageError
from stripe.inputs.basis import basis_of
from stripe.inputs.contents import subject
from stripe.inputs.plan import AUTO, Plan
from stripe.inputs.reduction import reduce_input
from stripe.inputs.result import InputResult
from stripe.inputs.trial import Trial
from stripe.running.command import Command, check_of, command_of, script

if TYPE_CHECKING:
    from concurrent.futures import Executor


def reduce_file(
    path: str | PathLike[str],
    command: str | Sequence[str | PathLike[str]] = (),
    *,
    test: str | PathLike[str] | None = None,
    check: str | Sequence[str] = (),
    argument: int | None = None,
    stdin: bool = False,
    placeholder: str | None = None,
    mode: str = "min",
    passing: str | PathLike[str] | None = None,
    units: str = AUTO,
    algorithm: str = AUTO,
    timeout: float | None = None,
    memory: int | None = None,
    repeat: int = 1,
    unsafe: bool = False,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    journals: str | PathLike[str] | None = None,
    resume: bool = False,
    outputs: Sequence[str | PathLike[str]] = (),
    improved: Callable[[bytes, bool], None] = lambda content, fails: None,
    progress: Callable[[Progress], None] | None = None,
) -> InputResult:
    """Reduce a file with which a command fails to the little of it that matters.

    The file is only read, and nothing is printed::

        result = stripe.inputs.reduce_file("crash.c", ["gcc", "-c", "@@"])
        Path("crash.reduced.c").write_bytes(result.answer)

    What the options mean in full is on the page about inputs, and in ``stripe input --help``.

    Args:
        path: the file. With it, the command fails.
        command: a program and its arguments; a text is split as a shell would, but no shell runs
            it. It gets a candidate where ``@@`` or the file's own name stands, else on its
            standard input.
        test: instead of a command, a script whose exit status says whether its argument fails.
        check: what must stay the same, in the form of ``--check``; of several, all must. By
            default ``"crash"``.
        argument: the candidate's path is this argument of the command, counted from 1.
        stdin: the command reads the candidate, whatever its arguments are.
        placeholder: what stands for the candidate's path in arguments, in place of ``@@``.
        mode: ``"min"``: the least that fails; ``"max"``: the most that passes; ``"diff"``: two
            inputs as close as can be, of which one fails and one passes.
        passing: a file that passes, for the modes ``"max"`` and ``"diff"``; by default an empty
            one.
        units: what to leave out, coarse to fine with commas between them.
        algorithm: the name of the search.
        timeout: seconds one run may take; by default ten times what the first took, at least 5.
        memory: bytes one process may use.
        repeat: runs of a test whose majority decides, for failures that come and go.
        unsafe: go on where there is no sandbox: tests can then change whatever the caller can.
        max_tests, max_time: end with the best answer so far after so many tests, or seconds.
        jobs: tests at a time.
        executor: where tests run, if not here, such as that of a Dask client; one at a time
            runs here as well.
        journals: the folder to note outcomes in while the search runs; by default that of the
            command line.
        resume: go on with the same search, which was killed or ended early. If what the test
            reads has changed since, the search begins anew, and a note says so.
        outputs: files that the caller will write; that they come and go is no such change.
        improved: called with every better answer, at once, and with whether that fails; in the
            end with what the result holds.
        progress: called after each test.

    Returns:
        The answer, whether it is certified, and what it took.

    Raises:
        UsageError: the request cannot be understood, or names something that does not exist;
            nothing was run.
        NotReducible: the command does not fail with the file, or not each time.
    """
    deadline = Deadline(max_time)
    plan = Plan(
        mode, units, algorithm, max_tests, max_time,
        jobs=jobs,
        executor=executor,
    )  # fmt: skip
    file = Path(path)
    content = _read(file, "The input")
    passes = _read_passing(passing, mode)
    if test is not None:
        _must_be_alone(command, check, argument, stdin, placeholder)
        what, judge = script(os.fspath(test), file), None
    else:
        judge = check_of(check, unsafe=unsafe) or check_of("crash")
        what = _command(
            command, file, argument, stdin, placeholder,
            spread=set(units.split(",")) <= {"args", "options"},
        )  # fmt: skip
    trial = Trial(what, content, judge, timeout, memory or 0, repeat, unsafe, deadline)
    deadline.tell("running the test on the whole input")
    basis = basis_of(trial, map(Path, outputs))
    journal: SearchJournal[str] | None
    with open_journal(journals, subject(trial), basis, resume=resume) as journal:
        result = reduce_input(
            trial,
            plan,
            passing=passes,
            journal=journal,
            written=improved,
            progress=progress,
        )
        improved(result.failing, True)
        if result.passing is not None:
            improved(result.passing, False)
        if journal is not None and result.stopped is Reason.FINISHED:
            journal.finish()
    if journal is not None:
        result = replace(result, notes=(*journal.notes, *result.notes))
    return result


def _command(
    command: str | Sequence[str | PathLike[str]],
    file: Path,
    argument: int | None,
    stdin: bool,
    placeholder: str | None,
    *,
    spread: bool,
) -> Command:
    words = shlex.split(command) if isinstance(command, str) else [os.fspath(w) for w in command]
    if not words:
        raise UsageError(
            "no-command",
            "There is no command to run on the input.",
            f"For example: stripe input {file} -- COMMAND @@, or --test SCRIPT.",
        )
    if sum((argument is not None, stdin, placeholder is not None)) > 1:
        raise UsageError(
            "bad-option",
            "Several of --arg, --stdin and --placeholder are given.",
            "The command gets its input in one way.",
        )
    return command_of(
        words, file, argument=argument, stdin=stdin, placeholder=placeholder, spread=spread
    )


def _must_be_alone(
    command: object, check: object, argument: int | None, stdin: bool, placeholder: str | None
) -> None:
    """A script judges itself, and knows where its argument is."""
    for other, given in (
        ("a command", bool(command)),
        ("--check", bool(check)),
        ("--arg", argument is not None),
        ("--stdin", stdin),
        ("--placeholder", placeholder is not None),
    ):
        if given:
            raise UsageError(
                "bad-option",
                f"Both --test and {other} are given.",
                "A test script runs what it wants, and its exit status is the check.",
            )


def _read_passing(path: str | PathLike[str] | None, mode: str) -> bytes:
    """The input that passes; the empty one by default."""
    if path is None:
        return b""
    if mode == "min":
        raise UsageError(
            "bad-option",
            "--passing is given, but no difference is asked for.",
            "Add --mode diff, or --mode max.",
        )
    return _read(Path(path), "The passing input")


def _read(path: Path, what: str) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise UsageError(
                "no-input", f"{what} {str(path)!r} is not a file.", "Give the path of a file."
            )
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            "no-input",
            f"{what} {str(path)!r} cannot be read: {error.strerror}.",
            "The command follows --: stripe input FILE -- COMMAND @@",
        ) from None

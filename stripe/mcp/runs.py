"""What a tool runs: a program of the project or one of its tests, and nothing outside of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from stripe.backend import AUTOMATIC, Target
from stripe.deadline import Deadline
from stripe.errors import UsageError
from stripe.failing_run import named_target
from stripe.reduce.consent import inside, require_allowed


def path_below(project: Path, name: str, *, folder: bool = False) -> Path:
    """The file of the project that ``name`` means, relative to it; or the ``folder``.

    Raises:
        UsageError: ``outside-project``, ``not-a-file``.
    """
    path = project / name
    if not inside(str(path), str(project)):
        raise UsageError(
            "outside-project",
            f"{name!r} lies outside of the project, {str(project)!r}.",
            "Give a path below it. A server for another project: stripe mcp --project DIR",
        )
    if not (path.is_file() or (folder and path.is_dir())) or name.startswith("-"):
        raise UsageError(
            "not-a-file",
            f"There is no file {name!r} in the project, {str(project)!r}.",
            "Give its path from there.",
        )
    return Path(os.path.relpath(path, project))


def target_of(
    program: str,
    test: str,
    arguments: Sequence[str],
    stdin: str,
    seconds: float,
    doing: Callable[[str], None],
) -> Target:
    """The target that a tool names, in the current directory, which is the project.

    Args:
        program: a file of the project.
        test: instead, pytest's name of a test.
        arguments, stdin: what the program is given.
        seconds: the time for all of it.
        doing: told what is done that is no test.

    Raises:
        UsageError: ``bad-arguments``; ``outside-project``, ``not-a-file``.
    """
    project = Path.cwd()
    if bool(program) == bool(test) or (test and (arguments or stdin)):
        raise UsageError(
            "bad-arguments",
            "A program with its arguments and input, or a test, says what to run: one of them.",
            'For example: {"program": "report.py"}, or {"test": "tests/test_cart.py::test_total"}',
        )
    file, _, name = test.partition("::")
    return named_target(
        str(path_below(project, file or program)),
        arguments,
        directory=project,
        test=name if test else None,
        stdin=stdin,
        python=AUTOMATIC,
        jobs=os.cpu_count() or 1,
        deadline=Deadline(seconds, doing),
    )


def require_no_command(check: str) -> None:
    """Refuse checks that run a shell command: nobody has agreed to it.

    Raises:
        UsageError: ``command-not-allowed``, and what is no check.
    """
    if check:
        require_allowed([check], ())

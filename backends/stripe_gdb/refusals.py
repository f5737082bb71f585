"""Why a native run cannot be reduced honestly: every reason is an error that says what to do."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stripe.backend import Target
from stripe.errors import NotReducible, UsageError
from stripe_gdb.blocks import Table
from stripe_gdb.elf import BUILD, Executable, moves_variables, optimisation
from stripe_gdb.inside.unions import parse


def find_program(target: Target) -> Path:
    """The file to run; raises UsageError ``no-such-program`` if there is none."""
    path = Path(os.path.realpath(target.directory / target.program))
    if not path.is_file():
        raise UsageError(
            "no-such-program", f"There is no file {target.program!r}.", "Check the path."
        )
    return path


def require_executable(path: Path, name: str) -> None:
    """Raise UsageError ``not-executable`` for a file that cannot be run."""
    if not os.access(path, os.X_OK):
        raise UsageError(
            "not-executable", f"{name!r} is not executable.", f"Make it so: chmod +x {name}"
        )


def require_unoptimised(program: Executable, wants: Callable[[str], bool], name: str) -> None:
    """The user's code must be compiled without optimisation."""
    for unit in program.units:
        if not wants(unit.name):
            continue
        option = optimisation(unit.producer)
        file = os.path.basename(unit.name)
        if option:
            raise optimised(f"{name!r} was compiled with {option} ({file}).")
        if not unit.producer.startswith("GNU") and moves_variables(unit):
            raise optimised(f"{name!r} was compiled with optimisation ({file}).")


def optimised(what: str) -> NotReducible:
    """The refusal of optimised code; ``what`` is a sentence that says where it is."""
    return NotReducible(
        "optimised",
        f"{what} In optimised code variables live in registers across statements, so leaving "
        "one out breaks the others.",
        BUILD,
    )


def require_rules(unions: Sequence[str]) -> None:
    """Rules for unions must be of their form; raises UsageError ``bad-option``."""
    for rule in unions:
        try:
            parse(rule)  # type: ignore[no-untyped-call]
        except ValueError:
            raise UsageError(
                "bad-option",
                f"--union {rule}: this is no rule.",
                "For example --union 'struct item.value=kind:TEXT->text', or --union "
                "'union number->whole'.",
            ) from None


def require_blocks(table: Table, units: Sequence[str], only: Sequence[str], name: str) -> None:
    """Something of the user's must be there to trace."""
    if table.blocks:
        return
    if only:
        raise UsageError(
            "include-matches-nothing",
            f"No source file of {name!r} matches --only {only[0]!r}.",
            "Its source files: " + ", ".join(units[:10]),
        )
    raise NotReducible(
        "nothing-to-trace",
        f"The debug information of {name!r} covers none of your code.",
        "Compile all your files with -g, and leave the sources where they were; --include NAME "
        "says what else counts as your code. Named are: " + ", ".join(units[:5]),
    )


def require_recording(facts: Mapping[str, Any], timeout: float, *, gdb: bool = False) -> None:
    """The recorded run must have come to its end; ``gdb``: where the other engine is faster."""
    if facts["end"] == "timeout":
        why = facts["detail"] or f"the program did not end within {timeout:g} seconds"
        faster = ", and --engine ptrace takes a fraction of the time" if gdb else ""
        raise NotReducible(
            "too-slow-recorded",
            f"While recorded, {why}.",
            f"Give it more time (--timeout S) or less to do; --only NAME traces less{faster}.",
        )
    if facts["end"] == "diverged":
        raise NotReducible(
            "cannot-record",
            f"The program cannot be recorded: {facts['detail']}.",
            "It starts a thread: take --engine gdb. It executes another program: trace that one. "
            "A shared library has changed: it has to be the same one, in one place, in all runs.",
        )

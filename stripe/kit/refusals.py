"""Why a run cannot be reduced honestly, where it is the same for programs of all kinds."""

from __future__ import annotations

from stripe.backend import End, Observation
from stripe.errors import NotReducible
from stripe.kit.limits import PLAIN_OUTPUT


def require_end(plain: Observation, timeout: float) -> None:
    """The plain run must end by itself, within its limits.

    Raises:
        NotReducible: ``too-much-output``, ``process-stopped`` or ``program-hangs``.
    """
    if max(len(plain.stdout), len(plain.stderr)) >= PLAIN_OUTPUT:
        raise NotReducible(
            "too-much-output",
            f"The program wrote more than {PLAIN_OUTPUT >> 20} MB.",
            "Make it write less: every replay would write as much.",
        )
    if plain.end is End.TIMEOUT and plain.detail:
        raise NotReducible(
            "process-stopped",
            f"The program was not at work when its {seconds(timeout)} were over: a process of its "
            f"run, {plain.detail}, had been stopped by a signal (SIGSTOP, SIGTSTP or the like).",
            "The program itself sent it, or a terminal did: leave out what stops itself or its "
            "parent (kill(getppid(), SIGSTOP)) when it is traced.",
        )
    if plain.end is End.TIMEOUT:
        raise NotReducible(
            "program-hangs",
            f"The program did not end within {seconds(timeout)}.",
            "Give it more time (--timeout S), or what it waits for (--input TEXT, --stdin FILE). "
            "If it is not to take so long, --check hang shows what keeps its loop going.",
        )


def nothing_to_trace(said: str = "") -> NotReducible:
    """The error for a run in which none of the user's code took part; ``said`` by the program."""
    return NotReducible(
        "nothing-to-trace",
        f"No statement of your code ran.{said}",
        "--include NAME says what else counts as your code.",
    )


def seconds(number: float) -> str:
    """A time in words."""
    return "1 second" if number == 1 else f"{number:g} seconds"

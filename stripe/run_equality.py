"""Whether runs agree that have to, which is decided here alone; and what to say if they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from stripe.backend import End, Observation
from stripe.errors import LONGEST_LINE, NotReducible, quoted


def require_agreement(
    what: str,
    plain: Observation,
    other: Observation,
    again: Observation,
    *,
    fixed: str,
    parting: Callable[[], str] = lambda: "",
) -> NoReturn:
    """Say why a run that has to do what the plain run did does not.

    Called when ``other``, which is ``what`` (``"recorded"``), differs from ``plain``.  ``again``
    is a second plain run, to tell a program that is not repeatable from one that cannot be
    followed; ``fixed`` says what the backend makes repeatable by itself, and ``parting`` in a line
    where runs first part, if that can be told.

    Raises:
        NotReducible: always; ``nondeterministic`` or ``not-reproducible``.
    """
    for name, run in ((what, other), ("run a second time", again)):
        ensure_in_time(name, run)
    twice = difference(plain, again)
    if twice is not None:
        raise NotReducible(
            "nondeterministic",
            f"Two plain runs of the program differ: {twice}{parting()}{last_words(plain)}",
            "Make it repeatable: seed its random numbers, fix its clock, do without what "
            f"differs from run to run. ({fixed} fixed already.)",
        )
    raise NotReducible(
        "not-reproducible",
        f"The {what} run differs from the plain run: "
        + (difference(plain, other) or "it changes other files.")
        + parting()
        + last_words(plain),
        "The program does something that STRIPE cannot follow (see docs/limits.md).",
    )


def ensure_in_time(what: str, run: Observation) -> None:
    """Raise ``too-slow`` for a run that its time limit ended: it says nothing of the program.

    Args:
        what: the run was for, as a participle: ``"replayed"``.
    """
    if run.end is End.TIMEOUT:
        raise NotReducible(
            "too-slow",
            f"The program did not come to its end in the time that it has while it is {what}: it "
            f"was ended after {run.seconds:.1f} s, which says nothing of the program.",
            "Give each run more time (--timeout S) and all of them together (--max-time S), or "
            "less to do: a smaller input, fewer files that count as yours (--only, --exclude).",
        )


def how_ended(run: Observation) -> str:
    """How a run ended, in a few words."""
    if run.end is End.EXITED:
        return f"exited with status {run.status}"
    if run.end is End.SIGNAL:
        return f"was killed by signal {run.status}"
    return f"{run.end.value} ({run.detail})" if run.detail else f"{run.end.value}"


def difference(plain: Observation, other: Observation) -> str | None:
    """What differs between two runs, in one line, or ``None``."""
    if other.end is not plain.end:
        return f"it {how_ended(other)}."
    if other.status != plain.status:
        what = "exit status" if plain.end is End.EXITED else "signal"
        return f"its {what} is {other.status}, not {plain.status}."
    if plain.fault and other.fault and plain.fault != other.fault:  # what is not watched has none
        return "another part of the same statement fails in it."
    for name in ("stdout", "stderr"):
        mine, its = getattr(plain, name), getattr(other, name)
        if mine == its:
            continue
        mine_lines, its_lines = mine.splitlines(), its.splitlines()
        for number, (old, new) in enumerate(zip(mine_lines, its_lines, strict=False), 1):
            if old != new:
                its_part, mine_part = parts(new, old)
                return f"line {number} of {name} is {its_part}, not {mine_part}."
        return f"{name} has {len(its_lines)} lines, not {len(mine_lines)}."
    return None


def last_words(run: Observation) -> str:
    """How a run ended and what it wrote to standard error last, as lines of a message.

    Nothing of a run that ended well and without a word.
    """
    words = quoted(run.stderr)
    if not (words or run.status):
        return ""
    how = "by signal" if run.end is End.SIGNAL else "with exit status"
    said = "; its last words on standard error:" if words else "."
    return f"\nThe plain run ended {how} {run.status}{said}{words}"


def parts(one: bytes, other: bytes) -> tuple[str, str]:
    """Two lines that differ, as much of them as fits into a message: where they part is in it."""
    start = 0
    if max(len(one), len(other)) > LONGEST_LINE:
        differ = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
        start = max(0, next(differ, min(len(one), len(other))) - LONGEST_LINE // 4)
    return excerpt(one, start), excerpt(other, start)


def excerpt(line: bytes, start: int) -> str:
    """What a message quotes of a line from there on."""
    end = start + LONGEST_LINE
    return "..." * (start > 0) + repr(line[start:end]) + "..." * (len(line) > end)

"""What must hold before anything is reduced: never reduce on sand."""

from __future__ import annotations

from collections.abc import Sequence

from stripe import run_equality
from stripe.backend import End, Observation, Proved, Recording, Rehearsing
from stripe.checks import Criterion
from stripe.dd import Outcome
from stripe.errors import NotReducible

DIFF_LINES = 16
"""Lines of a difference that are shown."""

DIFF_TEXT = 200_000
"""Bytes of a stream that are compared line by line; finding a difference takes long in more."""

WHY = (
    "The program seems to depend on something that changes from run to run: the time, random "
    "numbers, addresses, threads, the network, files that other programs write. Fix a seed, or "
    "give a --check that looks only at what stays the same, once the output itself is stable."
)

OURS = (
    "Replayed in one piece, the run does what it did, so it is STRIPE that fails here, and not the "
    "program: please report it, with the program."
)


def ensure_reproducible(
    recording: Recording, criteria: Sequence[Criterion], *, strict: bool
) -> None:
    """Check that plain run, recorded run and full replay agree, and that the criteria hold.

    The full replay is one by the means of partial ones, if there is a choice.

    Raises :class:`~stripe.errors.NotReducible` (``not-reproducible``) with what differs.
    """
    compare(recording.plain, recording.recorded, "plain run", "recorded run")
    everything = range(len(recording.trace))
    if isinstance(recording, Rehearsing):
        with recording.rehearse(strict=strict) as full:
            found = _disagreement(recording, full, criteria)
        if found is not None and found.slug == "not-reproducible":  # nor was there no time for it
            with recording.replay(everything, strict=strict) as full:
                if _disagreement(recording, full, criteria) is None:
                    told = f"Led from event to event: {found.message}"
                    raise NotReducible(found.slug, told, OURS)
    else:
        with recording.replay(everything, strict=strict) as full:
            found = _disagreement(recording, full, criteria)
    if found is not None:
        raise found


def _disagreement(
    recording: Recording, full: Observation, criteria: Sequence[Criterion]
) -> NotReducible | None:
    """What a full replay does that the recorded run did not."""
    try:
        compare(recording.recorded, full, "recorded run", "full replay")
    except NotReducible as error:
        return error
    for criterion in criteria:
        if criterion.judge(full) is not Outcome.FAIL:
            differs = criterion.difference(full)
            return NotReducible(
                "not-reproducible",
                f"The check {criterion.name!r} does not hold when the whole run is replayed"
                + (f": {differs}." if differs else "."),
                WHY,
            )
    return None


def ensure_not_trivial(recording: Recording, criteria: Sequence[Criterion], *, strict: bool) -> str:
    """Check that no criterion holds with nothing kept; this is the *control* of a search as well.

    Of this one replay it is known beforehand what comes of it: the program ends by itself, at once
    and without a word of its own.  If leaving out works at all, it works here.

    Returns:
        What came of it instead, as a clause; empty if it came out as it had to.

    Raises:
        NotReducible: ``trivial``.
    """
    with recording.replay((), strict=strict) as empty:
        for criterion in criteria:
            if criterion.judge(empty) is Outcome.FAIL:
                raise NotReducible(
                    "trivial",
                    f"The check {criterion.name!r} holds even when no statement takes effect, "
                    "so there is nothing to find.",
                    "Check something the program does: stdout, a line of it (stdout:/REGEX/), "
                    "or a variable (var:NAME@FILE:LINE).",
                )
        if empty.end is not End.EXITED or empty.exception is not None:
            return f"with nothing kept, the program {run_equality.how_ended(empty)}"
        if recording.recorded.stdout and empty.stdout == recording.recorded.stdout:
            return "with nothing kept, the program printed all that it prints"
    return ""


def replays(recording: Recording) -> int:
    """How many replays it takes to find all this out, those of the backend's among them."""
    return 2 + (recording.proved if isinstance(recording, Proved) else 0)


def compare(first: Observation, second: Observation, first_name: str, second_name: str) -> None:
    """Raise ``not-reproducible`` if two runs differ in what they printed or how they ended."""
    if run_equality.difference(first, second) is None:
        return
    run_equality.ensure_in_time("replayed", second)
    differences = []
    if (first.end, first.status) != (second.end, second.status):
        one, other = run_equality.how_ended(first), run_equality.how_ended(second)
        differences.append(f"the {first_name} {one}, the {second_name} {other}")
    streams = [
        (name, getattr(first, name), getattr(second, name))
        for name in ("stdout", "stderr")
        if getattr(first, name) != getattr(second, name)
    ]
    differences += [f"{name} differs" for name, _, _ in streams]
    shown = "".join(
        f"\n{line}"
        for name, before, after in streams
        for line in difference(
            before, after, f"{name} of the {first_name}", f"of the {second_name}"
        )
    )
    raise NotReducible(
        "not-reproducible",
        f"The {first_name} and the {second_name} do not agree: {'; '.join(differences)}."
        + shown
        + run_equality.last_words(first),
        WHY,
    )


def difference(before: bytes, after: bytes, before_name: str, after_name: str) -> list[str]:
    """The beginning of a unified diff, without anything that could control a terminal."""
    # What both begin with is skipped: difflib takes quadratic time.
    start = 0
    limit = min(len(before), len(after))
    step = 1 << 16
    while start < limit and before[start : start + step] == after[start : start + step]:
        start += step
    start = before.rfind(b"\n", 0, min(start, limit)) + 1
    sides = [
        [
            ascii(line)[1:-1] if not line.isprintable() else line
            for line in side[start : start + DIFF_TEXT].decode("utf-8", "replace").split("\n")
        ]
        for side in (before, after)
    ]
    left, right = sides
    import difflib

    lines = list(difflib.unified_diff(left, right, before_name, after_name, lineterm="", n=1))
    lines = [line[:160] for line in lines if not line.startswith("@@")]
    if len(lines) > DIFF_LINES:
        more = len(lines) - DIFF_LINES
        lines[DIFF_LINES:] = [f"... {more} lines more"]
    return lines

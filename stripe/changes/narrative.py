"""The answer in plain sentences: only what tests have shown, and what they have not.

The words are the paper's (Zeller, ESEC/FSE 1999, section 4): changes *interfere* that only together
cause the failure; where a part is unresolved and the rest passes, the part is *preferred*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from stripe.dd import Outcome, Reason
from stripe.results.changes import Blamed, ChangesResult, Test, Tested, Told
from stripe.results.model import changed

MOST_BITS = 2_000_000_000
"""Pairs of tests, times changes, that are looked at for preferences."""

SHOWN = 3
"""Preferences that are told; more are counted."""

ENDED = {
    Reason.MAX_TESTS: "the limit of tests was reached",
    Reason.MAX_TIME: "the time was over",
    Reason.STOPPED: "it was interrupted",
    Reason.MEMORY: "memory was used up",
    Reason.DISK: "the disk was full",
    Reason.IDLE: "test after test left nothing out",
}
"""Why a search ended early."""


def narrated(result: ChangesResult) -> ChangesResult:
    """A result with what there is to say of it."""
    return changed(result, narrative=tuple(narrative(result)))


def narrative(result: ChangesResult) -> list[Told]:
    """What there is to say, in this order."""
    return [*_interference(result), *_preference(result), *_not_shown(result)]


# --- interference


def _interference(result: ChangesResult) -> Iterator[Told]:
    """Several parts that only together make it fail."""
    if len(result.blamed) < 2:
        return
    needed = all(_did_not_fail(each.without) for each in result.blamed)
    count = len(result.blamed)
    if needed:
        text = f"{count} changes interfere: only together do they cause the failure."
    else:
        text = (
            f"{count} changes that stand apart fail together; not all of them were left out alone."
        )
    if all(_did_not_fail(each.alone) for each in result.blamed):
        text += " None of them fails alone."
    yield Told("interference", text, tuple(map(_part, result.blamed)))


def _did_not_fail(tested: Tested) -> bool:
    return not tested.predicted and tested.outcome in (Outcome.PASS, Outcome.UNRESOLVED)


def _part(each: Blamed) -> str:
    place = each.path + (f", in {', '.join(each.functions)}" if each.functions else "")
    by = f" ({each.commit}, {each.author}: {each.subject})" if each.commit else ""
    alone = _came_to(each.alone, "by itself")
    without = _came_to(each.without, "without it")
    return f"{place}{by}: {alone}; {without}"


def _came_to(tested: Tested, what: str) -> str:
    if tested.outcome is None:
        return f"{what}, not tested"
    if tested.predicted:
        return f"{what}, no version that can be right, so not tested"
    said = {
        Outcome.PASS: "the test passes",
        Outcome.FAIL: "the test fails",
        Outcome.UNRESOLVED: "the test is unresolved",
    }
    return f"{what}, {said[tested.outcome]}"


# --- preference


def _preference(result: ChangesResult) -> Iterator[Told]:
    """Why these changes, and not others."""
    if result.rest.outcome is Outcome.PASS and result.edits.of > sum(map(len, result.answer)):
        yield Told(
            "preference",
            "All other changes that can do without these pass when they are applied together.",
        )
    elif result.rest.outcome is Outcome.FAIL:
        yield Told(
            "preference",
            "All other changes that can do without these fail as well when they are applied "
            "together: there is another cause among them, "
            + ("which is told below." if result.next else "which this search did not look for."),
        )
    other = another(result)
    if other is not None:
        yield Told(
            "preference",
            f"Test {other.number} failed with {other.size} of {result.edits.of} single changes, "
            "without all that is blamed here: there is another cause among those. The search went "
            "on with a smaller set that fails.",
        )
    if result.algorithm == "dd+":
        found = preferred(result.log, result.edits.of, result.answer)
        for unresolved, passing in found[:SHOWN]:
            yield Told(
                "preference",
                f"Test {unresolved.number} was unresolved with {unresolved.size} single changes, "
                f"and test {passing.number} passed with {passing.size}, which are all others then "
                "in question: so dd+ preferred what only the first one had, and looked for the "
                "cause there.",
            )
        if len(found) > SHOWN:
            yield Told("preference", f"That was so {len(found) - SHOWN} times more.")


def another(result: ChangesResult) -> Test | None:
    """The first test that failed without all of the answer."""
    answer = result.answer
    for entry in result.log:
        fails = entry.outcome is Outcome.FAIL and entry.ranges is not None
        if fails and not _has(entry.kept(), answer):
            return entry
    return None


def _has(kept: Iterable[range], wanted: Iterable[range]) -> bool:
    """Whether all changes that are wanted are among those kept."""
    pending = iter(wanted)
    each = next(pending, None)
    for stretch in kept:
        while each is not None and each.start < stretch.stop:
            if each.start < stretch.start or each.stop > stretch.stop:
                return False
            each = next(pending, None)
    return each is None


def preferred(log: Sequence[Test], of: int, answer: Iterable[range]) -> list[tuple[Test, Test]]:
    """Pairs of tests for which dd+ preferred a part: it was unresolved, and the rest passed.

    Together they have all changes then in question, which fail: the first one alone has a part of
    the answer.
    """
    blamed = _bits(answer)
    failing = {(1 << of) - 1}
    unresolved: list[tuple[Test, int]] = []
    found = []
    looked_at = 0
    for entry in log:
        if entry.ranges is None:
            continue
        looked_at += of * (1 + len(unresolved))
        if looked_at > MOST_BITS:
            break
        bits = _bits(entry.kept())
        if entry.outcome is Outcome.FAIL:
            failing.add(bits)
        elif entry.outcome is Outcome.UNRESOLVED:
            unresolved.append((entry, bits))
        else:
            for earlier, part in unresolved:
                if part | bits in failing and part & ~bits & blamed:
                    found.append((earlier, entry))
                    break
    return found


def _bits(ranges: Iterable[range]) -> int:
    """Changes as the bits of a number."""
    return sum((1 << each.stop) - (1 << each.start) for each in ranges)


# --- what was not shown


def _not_shown(result: ChangesResult) -> Iterator[Told]:
    about = "not shown"
    if result.stopped is not Reason.FINISHED:
        yield Told(
            about,
            f"The search did not come to its end: {ENDED[result.stopped]}. These changes fail; "
            "whether all of them are needed was not shown. What belongs together was guessed from "
            "names, and not yet tested without these guesses.",
        )
    if result.verified is None:
        yield Told(about, "The answer was not tested once more in a place of its own.")
    unclear = [each for each in result.blamed if each.without.outcome is Outcome.UNRESOLVED]
    if unclear:
        yield Told(
            about,
            "Without some of the changes the test is unresolved, it does not pass: they are "
            "needed for it to fail as the bad version does, but maybe only so that the others "
            "can be built or run.",
            tuple(f"{each.path}{f' ({each.commit})' if each.commit else ''}" for each in unclear),
        )
    if result.rest.outcome is Outcome.UNRESOLVED:
        yield Told(
            about,
            "All other changes without these are unresolved: whether there is another cause "
            "among them was not shown.",
        )
    elif result.rest.outcome is None:
        yield Told(about, "Whether there is another cause among the other changes was not tested.")
    if result.predicted:
        yield Told(
            about,
            f"{result.predicted} versions were taken for unresolved without a test, as they cannot "
            "be right.",
        )

"""The first step of a history after which it fails: what ``git bisect`` finds."""

from __future__ import annotations

from collections.abc import Callable

from stripe.dd import Outcome


def first_bad(count: int, test: Callable[[int], Outcome | None]) -> tuple[int, int]:
    """Between which versions it begins to fail, by halving.

    Args:
        count: how many steps there are. After none it passes, after all of them it fails.
        test: what comes of the first so many steps; ``None``: nothing more may be tested.

    Returns:
        So many first steps pass, and so many fail: one more, or several where those between are
        all unresolved, or no more could be tested.
    """
    good, bad = 0, count
    skipped: set[int] = set()
    while True:
        left = [number for number in range(good + 1, bad) if number not in skipped]
        if not left:
            return good, bad
        # Where one cannot be tested, those next to it often cannot either.
        known = [good, *(number for number in skipped if good < number < bad), bad]
        middle = max(
            left,
            key=lambda number: (
                min(abs(number - other) for other in known),
                -abs(2 * number - good - bad),
            ),
        )
        outcome = test(middle)
        if outcome is None:
            return good, bad
        if outcome is Outcome.FAIL:
            bad = middle
        elif outcome is Outcome.PASS:
            good = middle
        else:
            skipped.add(middle)

"""A node of a tree stands for the one around it."""

from __future__ import annotations

from stripe.dd import Configuration, Outcome, hdd

#        0
#    1   2   3
#            4 5 6
#            7
PARENTS = (None, 0, 0, 0, 3, 3, 3, 4)
VALID = [(0, 1, 2, 3, 4, 5, 6, 7), (0, 3, 4, 5, 6, 7), (0, 3, 4, 7)]
"""Neither 1 nor 2 can go without the other, nor 5 without 6."""


def outcome(configuration: Configuration[int]) -> Outcome:
    return Outcome.FAIL if configuration in VALID else Outcome.PASS


def keep_all(search: object) -> None:
    """A search within a level that finds nothing."""


def test_the_largest_child_stays() -> None:
    tested: list[Configuration[int]] = []

    def test(configuration: Configuration[int]) -> Outcome:
        tested.append(configuration)
        return outcome(configuration)

    deltas = range(len(PARENTS))
    result = hdd(deltas, test, PARENTS.__getitem__, level=keep_all, lift=True, certify=False)
    assert result.configuration == (0, 3, 4, 7)
    assert tested[-2:] == VALID[1:], "a test for each node of three children"
    plain = hdd(deltas, outcome, PARENTS.__getitem__, level=keep_all)
    assert plain.configuration == VALID[0], "no single one can go"


def test_what_is_needed_is_kept() -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        return Outcome.FAIL if {1, 5} <= set(configuration) else Outcome.PASS

    result = hdd(range(len(PARENTS)), test, PARENTS.__getitem__, lift=True)
    assert result.configuration == (0, 1, 3, 5)
    assert result.certified

"""What a search leaves of its time for looking at variables."""

from __future__ import annotations

import math

import pytest

from stripe.reduce.replays import LOOKING_SHARE, WATCHING, kept_back


@pytest.mark.parametrize("left", [30.0, math.inf])
def test_there_is_time_to_look_at_variables_after_a_search_that_took_all_it_had(
    left: float,
) -> None:
    """The reserve was that of one replay, and looking was not begun with less than three."""
    assert kept_back(0.5, left, watch=True) >= WATCHING * 0.5


def test_of_slow_programs_no_large_part_of_the_search_is_given_for_it() -> None:
    finishing = 10.0
    assert finishing * (1 + WATCHING) > LOOKING_SHARE * 30.0
    assert kept_back(finishing, 30.0, watch=True) == finishing


def test_nothing_is_kept_for_variables_that_nobody_asked_about() -> None:
    assert kept_back(0.5, 30.0, watch=False) == 0.5

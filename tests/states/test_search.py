"""What is told where no cause was found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from stripe.states.search import NOT_MADE, _no_cause


@pytest.mark.parametrize(
    ("counts", "tests", "slug"),
    [
        ({f"{NOT_MADE}Bad address": 5}, 5, "states-not-made"),
        ({f"{NOT_MADE}Bad address": 2, "it printed nothing": 3}, 5, "no-cause"),
        ({}, 5, "no-cause"),
        ({}, 0, "no-cause"),
    ],
)
def test_that_no_state_could_be_made_is_no_fact_of_the_program(
    counts: dict[str, int], tests: int, slug: str
) -> None:
    unresolved = SimpleNamespace(counts=counts)
    campaign = cast("Any", SimpleNamespace(unresolved=unresolved, tests=tests))
    error = _no_cause(None, "at any moment", campaign)
    assert error.slug == slug
    assert ("could not be tried at any moment: Bad address." in error.message) == (
        slug == "states-not-made"
    )

"""A run that prints nothing tells nothing of others, unless it came to its end well."""

from __future__ import annotations

import pytest

from stripe.backend import End
from stripe.states.judge import quiet
from tests.support.fake import observation


@pytest.mark.parametrize(
    ("facts", "is_quiet"),
    [
        ({}, True),
        ({"stdout": b"text"}, False),
        ({"status": 3}, False),
        ({"end": End.SIGNAL, "status": 0}, False),
    ],
)
def test_who_is_quiet(facts: dict, is_quiet: bool) -> None:
    assert quiet(observation(**facts)) is is_quiet

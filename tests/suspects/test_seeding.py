"""A test that draws random numbers is run with these seeded, if there is time for that."""

from __future__ import annotations

from typing import Any

import pytest

from stripe import failing_run
from stripe.errors import NotReducible, StripeError, UsageError


def refused(monkeypatch: pytest.MonkeyPatch, seeded: StripeError) -> NotReducible:
    """The refusal of a test that is not the same in each run, and ``seeded`` if it is seeded."""

    def trace(*words: str, **options: Any) -> Any:
        if {*failing_run.SEEDED} <= {*words}:
            raise seeded
        raise NotReducible("nondeterministic", "Two plain runs differ.", "Make it repeatable.")

    monkeypatch.setattr(failing_run, "trace", trace)
    with pytest.raises(NotReducible) as caught:
        failing_run.trace_helper(failing_run.HELPER, ".", "test_it.py::test", max_time=60)
    return caught.value


def test_a_limit_of_time_is_told_beside_the_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first run's reason was told, and nobody knew that more time may be enough."""
    error = refused(monkeypatch, UsageError("out-of-time", "The time is over."))
    assert error.slug == "nondeterministic"
    assert "With its random numbers seeded it was not run to the end" in error.hint


def test_what_seeds_do_not_mend_is_refused_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    error = refused(monkeypatch, NotReducible("nondeterministic", "Two plain runs differ."))
    assert error.hint == "Make it repeatable."

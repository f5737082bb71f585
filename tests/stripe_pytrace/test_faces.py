"""What tells one failure of a test from another one."""

from __future__ import annotations

import pytest

from stripe_pytrace.agent.values.subjects import LONGEST, why


def failure(error: BaseException) -> str:
    try:
        raise error
    except BaseException as raised:
        return why(raised)


def test_kind_words_and_place_tell_failures_apart():
    here = {failure(AssertionError("1 != 2")), failure(AssertionError("1 != 3"))}
    assert len(here | {failure(TypeError("1 != 2"))}) == 3
    assert failure(AssertionError("1 != 2")) in here
    with pytest.raises(AssertionError) as elsewhere:
        raise AssertionError("1 != 2")
    assert why(elsewhere.value) not in here


def test_addresses_tell_nothing():
    assert failure(ValueError("<A at 0x7f01>")) == failure(ValueError("<A at 0x7F22>"))


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize("error", [Mute(), ValueError("x" * 10 * LONGEST), SystemExit(1)])
def test_any_failure_can_be_told_in_short(error):
    assert type(error).__name__ in failure(error)
    assert len(failure(error)) < LONGEST + 50

"""What is said of runs that do not agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import End, Observation
from stripe.errors import NotReducible
from stripe.run_equality import parts, require_agreement

SAME = b"s" * 200


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (b"3", b"4", ("b'3'", "b'4'")),
        (b"a" * 81, b"b", (f"b'{'a' * 80}'...", "b'b'")),
        (
            SAME + b"one",
            SAME + b"two" + SAME,
            (f"...b'{'s' * 20}one'", f"...b'{'s' * 20}two{'s' * 57}'..."),
        ),
        (SAME, SAME[:-1], (f"...b'{'s' * 21}'", f"...b'{'s' * 20}'")),
    ],
)
def test_where_two_lines_part_is_quoted(
    one: bytes, other: bytes, expected: tuple[str, str]
) -> None:
    assert parts(one, other) == expected


def ran(end: End = End.EXITED, stdout: bytes = b"") -> Observation:
    return Observation(end, 0, stdout, b"", Path())


def test_a_limit_of_time_is_no_property_of_the_program() -> None:
    """Whichever of the runs it was that came to it."""
    for other, again in ((ran(End.TIMEOUT), ran()), (ran(stdout=b"1"), ran(End.TIMEOUT))):
        with pytest.raises(NotReducible) as refused:
            require_agreement("recorded", ran(), other, again, fixed="Hashes are")
        assert refused.value.slug == "too-slow"

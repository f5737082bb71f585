"""What is said of runs that do not agree."""

from __future__ import annotations

import pytest

from stripe.agreement import parts

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

"""What the tests make of what was found."""

from __future__ import annotations

import pytest

from tests.harm.running import Found


def require_no_harm(found: Found) -> None:
    """Nothing was harmed; the program was replayed, or refused for a reason of its own.

    Skips where the layer that was asked for is not available.
    """
    assert found.harm == {}, found.harm
    how = found.steps["record"]
    if how.startswith("UsageError") and "sandbox" in how:
        pytest.skip(how)
    assert how.startswith(("recorded", "NotReducible")), how
    assert "given up" not in found.steps, found.steps

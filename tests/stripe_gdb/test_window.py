"""Native programs are recorded as a whole, and that is said."""

from __future__ import annotations

import pytest

from stripe.backend import Target
from stripe.errors import UsageError
from stripe_gdb.backend import NativeBackend


@pytest.mark.parametrize("target", [Target("x", window="1..5"), Target("x", whole=("main",))])
def test_there_are_no_windows(target: Target) -> None:
    with pytest.raises(UsageError, match="--exclude") as refused:
        NativeBackend().record(target)
    assert refused.value.slug == "no-window"

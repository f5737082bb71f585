"""What the end-to-end tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.harness import Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A fresh room; whatever still runs there in the end is killed."""
    made = Room(tmp_path)
    yield made
    made.kill_all()

"""A room for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.harness import Room


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A workspace folder, with nothing in it yet."""
    return Room(tmp_path)

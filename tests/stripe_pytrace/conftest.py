"""What tests of the Python backend share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from stripe_pytrace.host import AgentProcess


@pytest.fixture
def walled(monkeypatch: pytest.MonkeyPatch) -> list[AgentProcess]:
    """The processes that were started behind walls of their own."""
    found: list[AgentProcess] = []
    begin = AgentProcess._begin

    def noted(self: AgentProcess, job: Mapping[str, Any]) -> None:
        if self not in found:
            found.append(self)
        begin(self, job)

    monkeypatch.setattr(AgentProcess, "_begin", noted)
    return found

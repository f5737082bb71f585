"""A client for the tests of the server for assistants: the SDK's own, over stdio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.e2e.harness import Room, command
from tests.support.needs import LEFT_OUT

client = pytest.importorskip("mcp.client", reason=LEFT_OUT)
stdio = pytest.importorskip("mcp.client.stdio", reason=LEFT_OUT)


@asynccontextmanager
async def assistant(room: Room) -> AsyncIterator[Any]:
    """A client of a server for the room's folder, started elsewhere."""
    program, *words = [*command(), "mcp", "--project", str(room.work)]
    parameters = stdio.StdioServerParameters(
        command=program, args=words, env=room.environment, cwd=str(room.elsewhere)
    )
    async with client.Client(parameters) as connected:
        yield connected


def refusal(result: Any) -> str:
    """The text of a call that was refused."""
    assert result.is_error, result
    text: str = result.content[0].text
    return text


def answered(result: Any) -> dict[str, Any]:
    """The typed answer of a call."""
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return found

"""The types of the Debug Adapter Protocol are those of its published schema."""

from __future__ import annotations

import pytest

from tools.debug_protocol import PATH, answered, module, schema


def test_they_are_written_by_the_tool() -> None:
    definitions = schema()
    if definitions is None:
        pytest.skip("there is no debugpy, whose distribution has the schema")
    assert "stepBack" in answered()
    assert PATH.read_text("utf-8") == module(definitions, answered())

"""What is published is what the models say."""

from __future__ import annotations

import pytest

from stripe.report import schema
from stripe.results.schemas import DOCUMENTS, text


@pytest.mark.parametrize("name", DOCUMENTS)
def test_schemas_are_those_of_the_models(name: str) -> None:
    """After a change on purpose: `python -m tools.schemas`."""
    assert schema.text({"result": "trace"}.get(name, name)) == text(name)

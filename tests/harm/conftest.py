"""Batches are shared by the tests of a module: a jail and a world take a while to make."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.harm.programs import Program
from tests.harm.running import Found
from tests.harm.suite import Batch, asked_for
from tests.harm.worker import Plan

type Look = Callable[[Program, Plan], Found]


@pytest.fixture(scope="module")
def batches() -> dict[Plan, Batch]:
    """Those of the module so far."""
    return {}


@pytest.fixture
def look(request: pytest.FixtureRequest, batches: dict[Plan, Batch]) -> Look:
    """What was found about a program, for a plan."""

    def found(program: Program, plan: Plan) -> Found:
        if plan not in batches:
            like = {"layer": plan.layer} if plan.layer else {}
            batches[plan] = Batch(asked_for(request, **like), plan)
        return batches[plan].found(program)

    return found

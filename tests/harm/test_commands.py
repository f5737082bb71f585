"""No command that STRIPE is told to run changes anything outside: tests of input, checks."""

from __future__ import annotations

import dataclasses

import pytest

from tests.harm.conftest import Look
from tests.harm.programs import Program
from tests.harm.suite import ALL, QUICK, THOROUGH, chosen, named, require_jail, require_sandbox
from tests.harm.verdict import require_no_harm


@pytest.mark.parametrize(("layer", "program"), chosen("command"), ids=named)
def test_nothing_is_harmed(layer: str, program: Program, look: Look) -> None:
    require_sandbox()
    require_jail()
    plan = dataclasses.replace(THOROUGH if ALL else QUICK, layer=layer)
    require_no_harm(look(program, plan))

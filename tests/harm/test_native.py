"""No partial execution of a harmful program in C changes anything outside."""

from __future__ import annotations

import dataclasses

import pytest

from tests.harm.conftest import Look
from tests.harm.programs import Program
from tests.harm.suite import ALL, QUICK, THOROUGH, chosen, named, require_jail, require_sandbox
from tests.harm.verdict import require_no_harm
from tests.stripe_gdb.native import needs_cc, needs_gdb

ENGINES = ("gdb", "ptrace")


@needs_cc
@needs_gdb
@pytest.mark.parametrize("engine", ENGINES if ALL else ["each"])
@pytest.mark.parametrize(("layer", "program"), chosen("c"), ids=named)
def test_nothing_is_harmed(layer: str, program: Program, engine: str, look: Look) -> None:
    """``each``: by one engine after the other."""
    require_sandbox()
    require_jail()
    if ALL:
        plan = dataclasses.replace(THOROUGH, layer=layer, engine=engine)
    else:
        plan = dataclasses.replace(QUICK, layer=layer, engines=ENGINES)
    require_no_harm(look(program, plan))

"""No partial execution of a harmful program in Perl changes anything outside."""

from __future__ import annotations

import dataclasses

import pytest

from tests.harm.conftest import Look
from tests.harm.programs import Program
from tests.harm.suite import ALL, QUICK, THOROUGH, chosen, named, require_jail, require_sandbox
from tests.harm.verdict import require_no_harm
from tests.stripe_perl.perl import needs_perl


@needs_perl
@pytest.mark.parametrize(("layer", "program"), chosen("perl"), ids=named)
def test_nothing_is_harmed(layer: str, program: Program, look: Look) -> None:
    require_sandbox()
    require_jail()
    plan = dataclasses.replace(THOROUGH if ALL else QUICK, layer=layer)
    require_no_harm(look(program, plan))

"""Random programs.  ``STRIPE_TEST_PROGRAMS=400`` tries as many, from ``STRIPE_TEST_SEED`` on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.stripe_perl.bare import PERLS_OWN, bare, said
from tests.stripe_perl.generated import Mixed, Straight
from tests.stripe_perl.perl import needs_perl

pytestmark = needs_perl

SEED = int(os.environ.get("STRIPE_TEST_SEED", "0"))
SEEDS = range(SEED, SEED + int(os.environ.get("STRIPE_TEST_PROGRAMS", "40")))
CONFIGURATIONS = int(os.environ.get("STRIPE_TEST_CONFIGURATIONS", "12"))
LONGEST = 4000  # events
FRESH = "undef $_ for $a, $b, $c, $d, map { ${qq($_)} } grep { /^k\\d+$/ } keys %main::;\n"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_part_prints_what_it_would_print_as_a_program_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The oracle: statements that are left out might as well have been deleted."""
    program = Straight(seed)
    with bare(tmp_path, program.text, monkeypatch) as host:
        if len(host.trace) > LONGEST:
            return
        events = range(len(host.trace))
        assert said(host.recorded) == said(host.replay(events)) == host.plain()
        parts = [host.some(program.dice) for _ in range(CONFIGURATIONS)]
        code = [FRESH + program.part(host.trace, kept) + 'print "\\n";\n' for kept in parts]
        run = subprocess.run(
            ["perl"], input="".join(code), capture_output=True, text=True, check=True
        )
        for kept, printed in zip(parts, run.stdout.split("\n")[:-1], strict=True):
            assert host.replay(kept)["stdout"] == printed, kept


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_of_programs_of_all_kinds_of_blocks_end_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    program = Mixed(seed)
    with bare(tmp_path, program.text, monkeypatch) as host:
        assert "syntax error" not in host.recorded["stderr"], host.recorded["stderr"]
        events = range(len(host.trace))
        assert said(host.recorded) == said(host.replay(events)) == host.plain()
        for _ in range(CONFIGURATIONS):
            kept = host.some(program.dice)
            run = host.replay(kept)
            assert run["end"] in ("exited", "diverged"), (kept, run)
            assert not any(words in run["stderr"] for words in PERLS_OWN), (kept, run)

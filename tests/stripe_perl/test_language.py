"""Programs over the language: plain, recorded and full runs agree; parts end as runs of perl do.

``STRIPE_TEST_CONFIGURATIONS=100`` tries as many parts of each, ``STRIPE_TEST_SEED`` others.
"""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from tests.stripe_perl.bare import PERLS_OWN, bare, said
from tests.stripe_perl.perl import needs_perl
from tests.support.tables import tables

pytestmark = needs_perl

CONFIGURATIONS = int(os.environ.get("STRIPE_TEST_CONFIGURATIONS", "6"))
SEED = int(os.environ.get("STRIPE_TEST_SEED", "0"))
OWN_SIGNALS = (signal.SIGUSR1, signal.SIGALRM)  # of programs that send them, without the handler

PROGRAMS = tables(__file__)["programs"]


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_part_of_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    dice = random.Random(f"{SEED} {text}")
    with bare(tmp_path, text, monkeypatch) as host:
        events = range(len(host.trace))
        assert events
        plain = host.plain()
        assert said(host.recorded) == plain
        assert not host.recorded["refused"]
        full = host.replay(events)
        assert (full["end"], said(full)) == (host.recorded["end"], plain)
        for _ in range(CONFIGURATIONS):
            kept = host.some(dice)
            run = host.replay(kept)
            own = run["end"] == "signal" and run["status"] in OWN_SIGNALS
            assert own or run["end"] in ("exited", "diverged"), (kept, run)
            assert not any(words in run["stderr"] for words in PERLS_OWN), (kept, run)

"""What the agent loads before a program begins, in each recording."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import stripe_pytrace

AGENT = Path(stripe_pytrace.__file__).parent / "agent"

LOADED = """\
import importlib, importlib.util, sys

before = set(sys.modules)
folder = sys.argv[1]
spec = importlib.util.spec_from_file_location(
    "_stripe_agent", folder + "/__init__.py", submodule_search_locations=[folder]
)
sys.modules["_stripe_agent"] = importlib.util.module_from_spec(spec)
importlib.import_module("_stripe_agent.main")
print(*sorted(set(sys.modules) - before))
"""


def test_what_only_searches_for_suspects_need_is_not_loaded_to_record() -> None:
    """Nor typing, whose import takes as long as half the agent's."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADED, str(AGENT)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = done.stdout.split()
    assert "_stripe_agent.replay" in loaded
    suspecting = {"views", "readings", "passengers", "outposts", "intervening", "operations"}
    assert {"typing", *(f"_stripe_agent.{each}" for each in suspecting)}.isdisjoint(loaded)

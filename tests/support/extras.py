"""The command where a package of an extra is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def require_refusal_without(package: str, verb: str, folder: Path) -> None:
    """It says how to install the extra, which is called like the verb."""
    hide = (
        f"import sys; sys.modules[{package!r}] = None; from stripe.cli.main import main; "
        f"sys.exit(main([{verb!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", hide],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "[missing-extra]" in done.stderr
    assert f"uv tool install 'stripe-trace[{verb}]'" in done.stderr

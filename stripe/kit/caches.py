"""Where backends keep what is compiled once."""

from __future__ import annotations

import os
from pathlib import Path


def caches() -> Path:
    """The folder for what is compiled once."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stripe"

"""Which stripe this is: the one place where that stands (pyproject.toml reads it from here)."""

from __future__ import annotations

__version__ = "0.1.0"

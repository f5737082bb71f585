"""Which stripe this is (pyproject.toml reads it from here); the plugins say it once more."""

from __future__ import annotations

__version__ = "0.2.0"

"""The JSON Schema of results, as it is published with each release."""

from __future__ import annotations

from importlib.resources import files


def text() -> str:
    """The schema of the version this package writes."""
    return files(__name__).joinpath("result.json").read_text(encoding="utf-8")

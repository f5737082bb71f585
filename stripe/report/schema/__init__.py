"""The JSON Schemas of results, as they are published with each release."""

from __future__ import annotations

from importlib.resources import files

NAMES = ("trace", "input", "changes", "causes", "suspects", "why")
"""The verbs whose results have one."""


def text(name: str = "trace") -> str:
    """The schema of the version this package writes."""
    file = {"trace": "result.json"}.get(name, f"{name}.json")
    return files(__name__).joinpath(file).read_text(encoding="utf-8")

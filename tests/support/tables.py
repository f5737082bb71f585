"""Tables of cases that are data: ``test_NAME.toml`` beside ``test_NAME.py``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def tables(test: str) -> dict[str, dict[str, Any]]:
    """The tables that belong to a test's file (``__file__``): rows by the names of cases.

    A row is a tuple of its fields, in their order, or its only field.
    """
    read = tomllib.loads(Path(test).with_suffix(".toml").read_text("utf-8"))
    return {
        name: {
            case: tuple(row.values() if isinstance(row, dict) else row)
            if isinstance(row, dict | list)
            else row
            for case, row in table.items()
        }
        for name, table in read.items()
    }

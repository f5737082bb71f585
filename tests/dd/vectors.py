"""Access to the published runs in tests/conformance/."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "conformance"


@cache
def vectors() -> dict[str, dict[str, Any]]:
    """Every vector by its name."""
    data = json.loads((FOLDER / "conformance.json").read_text("utf-8"))
    return {vector["name"]: vector for vector in data["vectors"]}


@cache
def figure5() -> list[tuple[str, bool]]:
    """The rows of Figure 5, the last one being the answer: (37 bits, question mark drawn)."""
    rows = [line.split() for line in (FOLDER / "figure5.txt").read_text("ascii").splitlines()]
    return [(bits, flag == "I") for _, bits, flag in rows]

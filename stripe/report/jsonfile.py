"""Results as JSON documents; :mod:`stripe.report.reading` reads them."""

from __future__ import annotations

import json
from typing import Any


def as_json(data: dict[str, Any]) -> bytes:
    """``data`` as a JSON document of one line."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.encode() + b"\n"

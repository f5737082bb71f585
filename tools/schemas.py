"""Writes the JSON Schemas of answers that their models have; run it after a change on purpose."""

from __future__ import annotations

from pathlib import Path

from stripe.results.schemas import DOCUMENTS, text

FOLDER = Path(__file__).resolve().parent.parent / "stripe" / "report" / "schema"

if __name__ == "__main__":
    for name in DOCUMENTS:
        (FOLDER / f"{name}.json").write_text(text(name), encoding="utf-8")

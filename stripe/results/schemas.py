"""The JSON Schemas of answers, as their models have them."""

from __future__ import annotations

import json

from stripe.results import causes, changes, inputs, slices, suspects, why
from stripe.results.model import Model, schema

DOCUMENTS: dict[str, tuple[type[Model], str, str]] = {
    "result": (slices.Document, "urn:stripe-trace:result:2", "STRIPE result"),
    "causes": (causes.CausesResult, "urn:stripe-causes:result:1", "STRIPE causes"),
    "changes": (changes.ChangesResult, "urn:stripe-changes:result:1", "STRIPE changes"),
    "input": (inputs.Document, "urn:stripe-input:result:1", "STRIPE input"),
    "suspects": (suspects.SuspectsResult, "urn:stripe-suspects:result:1", "STRIPE suspects"),
    "why": (why.Document, "urn:stripe-why:result:1", "STRIPE why"),
}
"""By the name of the file: the model, the schema's name and title."""


def text(name: str) -> str:
    """What is published in ``stripe/report/schema/NAME.json``."""
    return json.dumps(schema(*DOCUMENTS[name]), indent=2, ensure_ascii=False) + "\n"

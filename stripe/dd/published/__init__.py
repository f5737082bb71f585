"""Searches as they were published, which win nowhere: for comparison and teaching."""

from collections.abc import Mapping
from types import MappingProxyType

from stripe.dd.published.cdd import cdd
from stripe.dd.published.dd1999 import dd1999
from stripe.dd.published.ddmin_variants import ddmin_complements, ddmin_textbook
from stripe.dd.published.probdd import probdd
from stripe.dd.published.splits import smaller_first, steps
from stripe.dd.searches.algorithms import Algorithm

__all__ = [
    "PUBLISHED",
    "cdd",
    "dd1999",
    "ddmin_complements",
    "ddmin_textbook",
    "probdd",
    "smaller_first",
    "steps",
]

PUBLISHED: Mapping[str, Algorithm] = MappingProxyType(
    {
        "ddmin-textbook": ddmin_textbook,
        "ddmin-complements": ddmin_complements,
        "dd1999": dd1999,
        "probdd": probdd,
        "cdd": cdd,
    }
)
"""The published searches by name, as ``stripe.dd.ALGORITHMS`` has the others."""

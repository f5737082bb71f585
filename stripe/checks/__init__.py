"""Checks: what must stay the same while events are left out.

A :class:`Check` is parsed from text (:func:`parse_check`, grammar in :mod:`stripe.checks.spec`).
Held against the recorded run it becomes a :class:`Criterion`, which judges partial runs.
"""

from stripe.checks.check import Check, Criterion
from stripe.checks.default import default_check
from stripe.checks.part import Part, Shown
from stripe.checks.spec import parse_check, parse_checks

__all__ = [
    "Check",
    "Criterion",
    "Part",
    "Shown",
    "default_check",
    "parse_check",
    "parse_checks",
]

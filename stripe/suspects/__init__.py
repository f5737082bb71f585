"""Where a program is wrong: one small thing is changed, and tests are run again.

What is found is evidence, never the fix: that a change makes failing tests pass and breaks none.
This room knows no language: a backend offers changes and tries them (:mod:`stripe.interventions`).
"""

from __future__ import annotations

from stripe.interventions import Case, Line
from stripe.results.suspects import Place, Ranked, Standing, SuspectsResult, Tally, from_json
from stripe.suspects.slices import SliceView
from stripe.suspects.suspect_search import find_suspects

__all__ = [
    "Case",
    "Line",
    "Place",
    "Ranked",
    "SliceView",
    "Standing",
    "SuspectsResult",
    "Tally",
    "find_suspects",
    "from_json",
]

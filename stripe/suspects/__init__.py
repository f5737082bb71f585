"""Where a program is wrong: one small thing is changed, and tests are run again.

What is found is evidence, never the fix: that a change makes failing tests pass and breaks none.
This room knows no language: a backend offers changes and tries them (:mod:`stripe.interventions`).
"""

from __future__ import annotations

from stripe.interventions import Case, Line
from stripe.suspects.ranks import Suspect
from stripe.suspects.result import Place, SuspectsResult
from stripe.suspects.slices import SliceView, Standing
from stripe.suspects.suspect_search import find_suspects
from stripe.suspects.tallies import Tally

__all__ = [
    "Case",
    "Line",
    "Place",
    "SliceView",
    "Standing",
    "Suspect",
    "SuspectsResult",
    "Tally",
    "find_suspects",
]

"""Joins a recording, a check and a search into a critical slice.

The steps, for all criteria together where that is possible:

1. hold every check against the recorded run (:mod:`stripe.checks`),
2. make sure that the run can be replayed honestly (:mod:`stripe.reduce.preconditions`),
3. search, certify, and run each slice once more in a fresh process (:mod:`stripe.reduce.search`).
"""

from stripe.reduce.journals import Journals
from stripe.reduce.levels import LevelAnswer, LevelListener
from stripe.reduce.result import (
    CriticalSlice,
    Dependence,
    RecordedRun,
    Result,
    Statistics,
)
from stripe.reduce.search import reduce
from stripe.reduce.settings import ALGORITHMS, CERTIFICATE_SECONDS, CONTROLS, MAX_IDLE, Settings

__all__ = [
    "ALGORITHMS",
    "CERTIFICATE_SECONDS",
    "CONTROLS",
    "MAX_IDLE",
    "CriticalSlice",
    "Dependence",
    "Journals",
    "LevelAnswer",
    "LevelListener",
    "RecordedRun",
    "Result",
    "Settings",
    "Statistics",
    "reduce",
]

"""Delta debugging over any set of deltas.

``splitting`` is the search to begin with::

    from stripe.dd import splitting

    def test(configuration):          # a tuple of deltas, in the order given
        return {3, 7} <= set(configuration)     # True: the failure is there

    result = splitting(range(10), test)
    result.configuration              # (3, 7)
    result.certified                  # True: no single delta can be left out

A test that may be unable to tell returns an ``Outcome``; a ``Tester`` around it adds budgets,
listeners, a journal, and several jobs. ``hdd`` is the search for trees. What was published and wins
nowhere is in ``stripe.dd.published``, for comparison and teaching. This package knows nothing of
programs, and imports the standard library only.
"""

from stripe.dd.budget import Budget, BudgetExhausted, Reason
from stripe.dd.events import Listener, Statistics, TestEvent
from stripe.dd.executors import MissingExtra, MissingMainGuard, open_executor, scheduler, workers
from stripe.dd.grouped import GroupTester
from stripe.dd.journal import Journal, JournalMismatch
from stripe.dd.outcomes import Configuration, Outcome, TestFunction
from stripe.dd.result import Result
from stripe.dd.search import AxiomViolated, Search, certify, minimise
from stripe.dd.searches import (
    ALGORITHMS,
    Algorithm,
    Mode,
    Narrator,
    dd,
    dd_plus,
    ddmax,
    ddmin,
    ddmin_strategy,
    hdd,
    hdd_strategy,
    splitting,
    splitting_strategy,
    sweep,
    sweep_strategy,
)
from stripe.dd.splits import SetOrder, Split, larger_first
from stripe.dd.tester import Tester

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "AxiomViolated",
    "Budget",
    "BudgetExhausted",
    "Configuration",
    "GroupTester",
    "Journal",
    "JournalMismatch",
    "Listener",
    "MissingExtra",
    "MissingMainGuard",
    "Mode",
    "Narrator",
    "Outcome",
    "Reason",
    "Result",
    "Search",
    "SetOrder",
    "Split",
    "Statistics",
    "TestEvent",
    "TestFunction",
    "Tester",
    "certify",
    "dd",
    "dd_plus",
    "ddmax",
    "ddmin",
    "ddmin_strategy",
    "hdd",
    "hdd_strategy",
    "larger_first",
    "minimise",
    "open_executor",
    "scheduler",
    "splitting",
    "splitting_strategy",
    "sweep",
    "sweep_strategy",
    "workers",
]

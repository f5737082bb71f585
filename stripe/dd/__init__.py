"""Delta debugging over any set of deltas.

    from stripe.dd import Outcome, Tester, ddmin

    def test(configuration):          # a tuple of deltas, in the order given
        return Outcome.FAIL if {3, 7} <= set(configuration) else Outcome.PASS

    result = ddmin(range(10), Tester(test, max_tests=1000))
    result.configuration              # (3, 7)
    result.certified                  # True: no single delta can be left out

This package knows nothing of programs: it needs the standard library only, and can be used alone.
"""

from .algorithms import ALGORITHMS, Algorithm
from .budget import BudgetExhausted, Reason
from .cdd import cdd
from .dd import Mode, Narrator, dd, ddmax
from .ddmin import ddmin, ddmin_strategy
from .events import Listener, Statistics, TestEvent
from .executors import MissingExtra, open_executor, workers
from .hdd import hdd, hdd_strategy
from .journal import Journal, JournalMismatch
from .outcomes import Configuration, Outcome, TestFunction
from .probdd import probdd
from .result import Result
from .search import AxiomViolated, Search, certify, minimise
from .splits import SetOrder, Split, larger_first, smaller_first, steps
from .splitting import splitting, splitting_strategy
from .sweep import sweep, sweep_strategy
from .tester import Tester
from .yesterday import dd1999, dd_plus

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "AxiomViolated",
    "BudgetExhausted",
    "Configuration",
    "Journal",
    "JournalMismatch",
    "Listener",
    "MissingExtra",
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
    "cdd",
    "certify",
    "dd",
    "dd1999",
    "dd_plus",
    "ddmax",
    "ddmin",
    "ddmin_strategy",
    "hdd",
    "hdd_strategy",
    "larger_first",
    "minimise",
    "open_executor",
    "probdd",
    "smaller_first",
    "splitting",
    "splitting_strategy",
    "steps",
    "sweep",
    "sweep_strategy",
    "workers",
]

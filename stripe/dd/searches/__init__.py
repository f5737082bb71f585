"""The searches to use, each a function of deltas and a test."""

from stripe.dd.searches.algorithms import ALGORITHMS, Algorithm
from stripe.dd.searches.dd import Mode, Narrator, dd, ddmax
from stripe.dd.searches.dd_plus import dd_plus
from stripe.dd.searches.ddmin import ddmin, ddmin_strategy
from stripe.dd.searches.hdd import hdd, hdd_strategy
from stripe.dd.searches.splitting import splitting, splitting_strategy
from stripe.dd.searches.sweep import sweep, sweep_strategy

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Mode",
    "Narrator",
    "dd",
    "dd_plus",
    "ddmax",
    "ddmin",
    "ddmin_strategy",
    "hdd",
    "hdd_strategy",
    "splitting",
    "splitting_strategy",
    "sweep",
    "sweep_strategy",
]

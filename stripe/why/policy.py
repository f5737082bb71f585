"""Which experiments are made, in which order, and how long each gets: one table.

The cheapest that can say most come first.  Each gets a share of the time that is *left*, so what
ends early leaves more to the others.  An experiment that does not apply says why, in a few words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from stripe.backend import Interpreting, choose_backend
from stripe.interventions import Intervening
from stripe.results.why import ExperimentName
from stripe.snapshots import Stateful
from stripe.why.experiments import (
    Case,
    Finding,
    find_blamed,
    find_input,
    find_repairs,
    find_slice,
    find_transitions,
    has_versions,
    input_of,
    neighbour_of,
)


class Row(NamedTuple):
    """An experiment: its name in results, what makes it, why not, and its share of what is left."""

    name: ExperimentName
    make: Callable[[Case, float], Finding]
    obstacle: Callable[[Case], str]
    share: Callable[[Case], float]


def _no_versions(case: Case) -> str:
    if not isinstance(choose_backend(case.question.target), Interpreting):
        return "its versions have to be built: stripe changes --build"
    return has_versions(case.question.target.directory)


def _no_expectation(case: Case) -> str:
    question = case.question
    if not isinstance(choose_backend(question.target), Intervening):
        return "they are tried in Python programs only"
    if question.test is None and question.expect is None:
        return "nothing says what would be right: --expect TEXT, or a test, does"
    return ""


def _no_neighbour(case: Case) -> str:
    if not isinstance(choose_backend(case.question.target), Stateful):
        return "they are compared in Python and native programs only"
    if neighbour_of(case) is not None:
        return ""
    if case.question.test is not None:
        return "no other parameters of the test pass"
    return "no input is known with which it passes: --pass INPUT"


def _no_input(case: Case) -> str:
    question = case.question
    if question.test is not None or question.expect is not None:
        return "what is right depends on the input"
    if not isinstance(choose_backend(question.target), Interpreting):
        return "stripe input cuts down what a native program reads"
    if not question.target.stdin and input_of(question) is None:
        return "it is given no input, and not just one file"
    return ""


def _nothing(case: Case) -> str:
    return ""


def _of_slice(case: Case) -> float:
    """Nearly all that is left, if nothing comes after it that applies."""
    return 0.9 if _no_input(case) and _no_neighbour(case) else 0.5


TABLE = (
    Row("changes", find_blamed, _no_versions, lambda case: 0.35),
    Row("suspects", find_repairs, _no_expectation, lambda case: 0.25),
    Row("slice", find_slice, _nothing, _of_slice),
    Row("input", find_input, _no_input, lambda case: 0.5 if neighbour_of(case) else 0.9),
    Row("causes", find_transitions, _no_neighbour, lambda case: 0.9),
)
"""Versions first: most failures are young.  Then what tells right from wrong; then needs.

Of a test the usual ones take half of the time together, as leaving out searches no longer than
:data:`.experiments.SEARCH_SHARE` of its share: the rest is for tests and recordings that are slow.
"""

LEAST_SECONDS = 2.0
"""With less time an experiment is not begun."""

"""Other packages for delta debugging: each a search for a smaller tuple for which ``fails`` holds.

They take part where they can be imported; ``make bench`` installs them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from stripe.dd import Outcome, Tester

type Fails = Callable[[tuple[int, ...]], bool]


def picire(deltas: Sequence[int], fails: Fails) -> Sequence[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package: Any = import_module("picire")
    outcomes: Any = package.Outcome

    def test(config: list[int], number: object) -> Any:
        return outcomes.FAIL if fails(tuple(config)) else outcomes.PASS

    search: Any = package.DD(test, cache=package.ConfigCache())
    answer: list[int] = search(list(deltas))
    return answer


def lithium(deltas: Sequence[int], fails: Fails) -> Sequence[int]:
    case: Any = import_module("lithium.testcases").TestcaseLine()
    case.parts = [b"%d\n" % delta for delta in deltas]
    case.reducible = [True] * len(deltas)
    steps: Any = import_module("lithium.strategies").Minimize().reduce(case)
    for attempt in steps:
        steps.feedback(fails(tuple(map(int, attempt.parts))))
    return tuple(map(int, steps.testcase.parts))


def debuggingbook(deltas: Sequence[int], fails: Fails) -> Sequence[int]:
    package: Any = import_module("debuggingbook.DeltaDebugger")

    def reproduce(kept: list[int]) -> None:
        if fails(tuple(kept)):
            raise ValueError("reproduced")

    with package.DeltaDebugger() as debugger:
        reproduce(list(deltas))
    answer: list[int] = debugger.min_args()["kept"]
    return answer


PEERS: dict[str, Callable[[Sequence[int], Fails], Sequence[int]]] = {
    "picire": picire,
    "lithium": lithium,
    "debuggingbook": debuggingbook,
}


def failing(tester: Tester[int]) -> Fails:
    return lambda events: tester.test(events) is Outcome.FAIL

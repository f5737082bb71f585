"""What the tests of the corpus share: which programs are worked on how, a jail for many."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator

import pytest

from stripe.reduce import ALGORITHMS
from tests.harm.jail import unavailable
from tests.harm.programs import Program, programs
from tests.harm.running import Found, run
from tests.harm.worker import Plan

LAYERS = ("namespaces", "landlock")
"""What ``STRIPE_SANDBOX_LAYER`` can be: what of the kernel's keeps runs from doing harm."""

ALL = os.environ.get("STRIPE_TEST_HARM") == "all"
"""Every program in every layer, by every search, and at random more often: takes an hour."""

QUICK = Plan(
    "", ALGORITHMS, every=5, controls=("trace",), tests=6, singles=6, random=1, together=True
)
THOROUGH = Plan(algorithms=ALGORITHMS, tests=25, singles=60, random=20)


def chosen(language: str) -> list[tuple[str, Program]]:
    """Layers and programs: all of them, or two of three programs, in one layer each."""
    those = [program for program in programs() if program.language == language]
    if ALL:
        return [(layer, program) for layer in LAYERS for program in those]
    return [
        (layer, program)
        for number, layer in enumerate(LAYERS)
        for program in those[number :: len(LAYERS) + 1]
    ]


def named(case: object) -> str:
    """How a parameter is called in the name of a test."""
    return case.path.stem if isinstance(case, Program) else str(case)


def require_jail() -> None:
    """Skip where a harmful program cannot be run without harm."""
    if why := unavailable():
        pytest.skip(f"harmful programs are run in a jail only, and there is none: {why}")


def require_sandbox() -> None:
    """Skip where there is nothing that could keep programs from doing harm."""
    if importlib.util.find_spec("stripe.sandbox") is None:
        pytest.skip("this STRIPE has no sandbox: most programs of the corpus do harm (README.md)")


class Batch:
    """The programs that are asked for, worked on one after the other in one jail."""

    def __init__(self, those: list[Program], plan: Plan) -> None:
        self._runs: Iterator[Found] = run(those, plan)
        self._found: dict[str, Found] = {}

    def found(self, program: Program) -> Found:
        """What was found about one; those before it are worked on first."""
        while program.name not in self._found:
            each = next(self._runs)
            self._found[each.program] = each
        return self._found[program.name]

    def all(self) -> list[Found]:
        """What was found about all."""
        for each in self._runs:
            self._found[each.program] = each
        return list(self._found.values())


def asked_for(request: pytest.FixtureRequest, **like: object) -> list[Program]:
    """The programs of the tests of this module that are going to be run."""
    those = {}
    for item in request.session.items:
        parameters = getattr(item, "callspec", None)
        if item.path == request.path and parameters is not None:
            values = parameters.params
            if "program" in values and all(values[name] == each for name, each in like.items()):
                those[values["program"].name] = values["program"]
    return list(those.values())

"""How far a reduction is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search after a test.

    ``best`` is the size of the smallest slice so far, ``of`` that of the trace; ``to_do``
    estimates the tests that remain if no more events can be left out.  ``stage`` is
    ``searching`` or ``verifying``; ``stopping`` says that Ctrl-C was noticed.  ``noun`` is what
    is counted.
    """

    name: str
    stage: str
    tests: int
    best: int
    of: int
    to_do: int
    seconds: float
    stopping: bool = False
    noun: str = "events"


type ProgressListener = Callable[[Progress], None]

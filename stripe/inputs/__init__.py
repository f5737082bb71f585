"""The things that go into a program, reduced: calls of Python functions, and program code."""

from .call import Call
from .call_errors import (
    FailureNotReproducedError,
    NoCallError,
    NotFailingError,
    NotPassingError,
)
from .deltadebugger import DeltaDebugger
from .python_code import ReducedProgram, reduce_program

__all__ = [
    "Call",
    "DeltaDebugger",
    "FailureNotReproducedError",
    "NoCallError",
    "NotFailingError",
    "NotPassingError",
    "ReducedProgram",
    "reduce_program",
]

"""The things that go into a program, reduced: files, calls of Python functions, program code.

- :mod:`stripe.inputs.calls`: the arguments of a call, :class:`DeltaDebugger`
- :mod:`stripe.inputs.python_code`: Python programs, :func:`reduce_program`
"""

from .calls.call import Call
from .calls.call_errors import (
    FailureNotReproducedError,
    NoCallError,
    NotFailingError,
    NotPassingError,
)
from .calls.deltadebugger import DeltaDebugger
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

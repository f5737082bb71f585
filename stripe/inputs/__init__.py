"""The things that go into a program, reduced: files, calls of Python functions, program code.

- :mod:`stripe.inputs.files`: files with which a command fails, :func:`reduce_file`
- :mod:`stripe.inputs.calls`: the arguments of a call, :class:`DeltaDebugger`
- :mod:`stripe.inputs.python_code`: Python programs, :func:`reduce_program`
"""

from stripe.inputs.calls.call import Call
from stripe.inputs.calls.call_errors import (
    FailureNotReproducedError,
    NoCallError,
    NotFailingError,
    NotPassingError,
)
from stripe.inputs.calls.deltadebugger import DeltaDebugger
from stripe.inputs.files import reduce_file
from stripe.inputs.python_code import ReducedProgram, reduce_program
from stripe.inputs.result import InputResult

__all__ = [
    "Call",
    "DeltaDebugger",
    "FailureNotReproducedError",
    "InputResult",
    "NoCallError",
    "NotFailingError",
    "NotPassingError",
    "ReducedProgram",
    "reduce_file",
    "reduce_program",
]

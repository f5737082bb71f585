"""The model of a recorded run: Statement, Event numbers, Activation, Trace."""

from stripe.intervals import ends
from stripe.trace.control_dependence import Results, enclosing, governing
from stripe.trace.dependence import Dependences
from stripe.trace.model import NONE, Activation, SourceFile, Statement, Trace

__all__ = [
    "NONE",
    "Activation",
    "Dependences",
    "Results",
    "SourceFile",
    "Statement",
    "Trace",
    "enclosing",
    "ends",
    "governing",
]

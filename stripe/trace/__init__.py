"""The model of a recorded run: Statement, Event numbers, Activation, Trace."""

from stripe.trace.dependence import Dependences
from stripe.trace.governing import enclosing, governing
from stripe.trace.model import NONE, Activation, SourceFile, Statement, Trace

__all__ = [
    "NONE",
    "Activation",
    "Dependences",
    "SourceFile",
    "Statement",
    "Trace",
    "enclosing",
    "governing",
]

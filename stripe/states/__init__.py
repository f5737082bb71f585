"""Program states: what differs between two of them, and what of it causes a failure.

After Why Programs Fail, appendix A. This room knows no language, as a backend tells what is in
memory; only ``debugger_commands`` writes in some, what a person can type.
"""

from stripe.results.causes import Change
from stripe.snapshots import Kind, Step
from stripe.states.alignment import Matching, traverse, unmatched
from stripe.states.application import Plan, Ref, Side, applied, plan
from stripe.states.deltas import Delta, Difference, compare, differences
from stripe.states.extraction import Content, Place, unfold
from stripe.states.graph import Edge, Graph, Operation, Vertex, same_vertex, ways_apart

__all__ = [
    "Change",
    "Content",
    "Delta",
    "Difference",
    "Edge",
    "Graph",
    "Kind",
    "Matching",
    "Operation",
    "Place",
    "Plan",
    "Ref",
    "Side",
    "Step",
    "Vertex",
    "applied",
    "compare",
    "differences",
    "plan",
    "same_vertex",
    "traverse",
    "unfold",
    "unmatched",
    "ways_apart",
]

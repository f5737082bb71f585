"""The memory graph of one run at a moment, to be drawn (Why Programs Fail, A.2.1)."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from stripe.backend import Target, choose_backend
from stripe.errors import UsageError
from stripe.results.causes import Graph
from stripe.snapshots import Backtrace, Moment
from stripe.states.causes import stateful
from stripe.states.deltas import compare
from stripe.states.overlay import overlay
from stripe.states.search import MOMENTS
from stripe.states.snapshots import graph_of


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """A state.

    - ``graph``: all of it, or of a large one what is nearest to the calls on the stack; each vertex
      is said to be in both runs, as there is one
    - ``notes``: what was not looked into
    """

    program: str
    moment: Moment
    backtrace: Backtrace
    graph: Graph
    notes: tuple[str, ...]


def memory_graph(target: Target, moment: Moment) -> MemoryGraph:
    """Run a program, and look at its state at a moment.

    Raises:
        UsageError: ``no-states``, ``no-moment``.
        NotReducible: ``nondeterministic``, ``not-reproducible``.
    """
    with target.deadline.cutting(), closing(stateful(choose_backend(target)).run(target)) as run:
        found = run.states([moment])
        if moment not in found:  # a native program's places are known when it was walked through
            with run.looked(MOMENTS):
                pass
            found = run.states([moment])
        if moment not in found:
            raise UsageError(
                "no-moment",
                f"The run never comes to {moment}.",
                "Name another line, or the n-th time it is executed: --graph FILE:LINE#N.",
            )
        state = found[moment]
        graph = graph_of(state)
        notes = list(run.notes)
        if state.unseen:
            told = ", ".join(f"{count} {kind}" for kind, count in sorted(state.unseen.items()))
            notes.append(f"Not looked into: {told}.")
        drawn = overlay(compare(graph, graph), (), ())
        return MemoryGraph(target.program, moment, state.backtrace, drawn, tuple(notes))

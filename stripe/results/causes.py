"""The answer of ``stripe causes``: the variables that make one run fail while another passes.

It is made as such a document, and every form of it from that and nothing else.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from stripe.dd import Reason
from stripe.documents.columns import LARGEST
from stripe.results.formats import CAUSES
from stripe.results.limits import LONGEST_LABEL, MOST_VERTICES
from stripe.results.model import (
    Count,
    Meta,
    Model,
    Name,
    Note,
    Positive,
    Seconds,
    text,
    whole,
)
from stripe.results.searches import Searched, Tests, check_tests
from stripe.results.wrong import WrongError, ascending, within
from stripe.snapshots import Kind, Step

type Label = Annotated[str, text(most=LONGEST_LABEL)]
type Key = Label | Annotated[int, whole(-LARGEST)]


class Side(Enum):
    """Which of the runs has something. `changed`: both, with a value of its own each."""

    BOTH = "both"
    PASSING = "passing"
    FAILING = "failing"
    CHANGED = "changed"


class Role(Enum):
    """What a difference has to do with the failure; context is changed as well."""

    CAUSE = "cause"
    CONTEXT = "context"


class Change(Enum):
    """What is done to a variable in the passing run."""

    SET = "set"
    CREATE = "create"
    DELETE = "delete"
    ADJUST = "adjust"


class Shown(Enum):
    """Whether one cause was shown to cause the next one.

    `values`: alone it makes these values; `changes`: it changes these variables, but, as others are
    as in the passing run, to values of neither run; or `no`.
    """

    VALUES = "values"
    CHANGES = "changes"
    NOT = "no"


class Vertex(Model):
    """A vertex of both memory graphs, or of one.

    - ``kind``: what its edges are
    - ``side``: which of the runs has it
    - ``passing``: its value in the passing run; empty where it is in its parts
    - ``failing``: the same in the failing run
    - ``role``: what this difference has to do with the failure: context is changed as well
    - ``equal``: how many of its parts are left out, and are the same in both runs
    - ``different``: how many of its parts are left out, and differ
    """

    kind: Kind
    type: Label
    side: Side
    passing: Label = ""
    failing: Label = ""
    role: Role | None = None
    equal: Count = 0
    different: Count = 0


class Edge(Model, rename={"source": "from", "target": "to"}):
    """An edge of both memory graphs, or of one.

    - ``source``: A vertex, by its number from 0
    - ``step``: how the name of the one end is made of that of the other
    - ``key``: A name, an index, or the text of a key
    - ``was``: the key in the passing run, where it is another
    - ``side``: `changed` is none of an edge
    - ``role``: as that of a vertex
    - ``skipped``: so many vertices between its ends are left out; else 0
    """

    source: Count
    target: Count
    step: Step
    key: Key
    was: Key | None
    side: Side
    role: Role | None
    skipped: Count


class Graph(Model):
    """Both memory graphs laid over each other: all, or what differs and how it is reached.

    - ``vertices``: the first is the root, from which frames and modules are reached
    - ``passing``: how many vertices the whole graph of the passing run has
    - ``failing``: the same of the failing run
    """

    vertices: Annotated[tuple[Vertex, ...], Meta(max_length=MOST_VERTICES)]
    edges: Annotated[tuple[Edge, ...], Meta(max_length=MOST_VERTICES**2)]
    passing: Count
    failing: Count


class Variable(Model):
    """A variable that differs.

    - ``change``: what was done to it in the passing run
    - ``passing``: its value when it passes; null if it is not there
    - ``failing``: the same when it fails
    """

    name: Note
    change: Change
    passing: Note | None
    failing: Note | None


class Call(Model):
    """A call on the stack."""

    function: Name
    file: Name
    line: Count


class DebuggerCommands(Model):
    """The change as a person can make it in a debugger, where it runs the program as it passes.

    - ``debugger``: pdb or gdb
    - ``commands``: what to type, one after the other; none where it cannot be written so
    - ``why``: why it cannot; else empty
    """

    debugger: Name
    commands: tuple[Note, ...]
    why: Note


class Cause(Model):
    """The cause at a moment.

    - ``line``: the moment is before this line is executed
    - ``occurrence``: for the n-th time, in the failing run
    - ``occurrence_when_passing``: and in the passing one
    - ``backtrace``: the calls on the stack, the innermost one first
    - ``variables``: the cause: all of them together
    - ``context``: what is changed as well: the cause alone does not make it fail, or not in the
      same way
    - ``differences``: how many differences there were
    - ``certified``: whether no single variable can be left out, nor be added alone without the
      failure
    - ``by_hand``: the same change, and that of the context, in a debugger; null: not told
    """

    file: Name
    line: Positive
    occurrence: Positive
    occurrence_when_passing: Positive
    backtrace: Annotated[tuple[Call, ...], Meta(min_length=1)]
    variables: Annotated[tuple[Variable, ...], Meta(min_length=1)]
    context: tuple[Variable, ...]
    differences: Count
    certified: bool
    graph: Graph
    by_hand: DebuggerCommands | None = None


class Run(Model):
    """One of the two runs.

    - ``input``: as it was given
    - ``end``: how that run ended
    """

    input: Note
    end: Note


class Transition(Model, rename={"before": "from", "after": "to"}):
    """Where the cause passes from some variables to others.

    - ``before``: A cause of the chain, by its number from 0
    - ``direct``: no moment between has a cause
    """

    before: Count
    after: Count
    direct: bool


class Link(Model, rename={"before": "from", "after": "to", "within": "with"}):
    """What tests have shown of causes that follow each other.

    - ``before``: A cause of the chain, by its number from 0
    - ``after``: the one that follows
    - ``shown``: whether the one causes the other
    - ``without``: what the variables of the other hold there without the cause...
    - ``within``: ...and with it
    - ``why``: why it is not shown; else empty
    """

    before: Count
    after: Count
    shown: Shown
    without: tuple[Note, ...]
    within: tuple[Note, ...]
    why: Note


class SourceLine(Model):
    """A line of the program."""

    file: Name
    line: Positive
    text: Name


class CausesResult(
    Searched,
    Model,
    rename={"failing": "fail", "passing": "pass", "counts": "tests", "code": "source"},
):
    """What `stripe causes --json FILE` writes.

    The variables that make one run of a program fail while another passes, moment by moment.

    - ``failing``: the run that fails
    - ``passing``: the run that does not
    - ``check``: what the failure is
    - ``chain``: the cause at each moment that was searched, in order
    - ``moments``: moments of the failing run
    - ``matched``: those that are in the passing run, too
    - ``code``: the lines of the chain, and those around them
    - ``undecided``: how many tests decided nothing, by the reason
    - ``certified``: whether each cause is
    - ``stopped``: why the search ended
    """

    format: Literal["stripe-causes-result"]
    version: Annotated[int, whole(CAUSES.first, CAUSES.version)]
    program: Note
    failing: Run
    passing: Run
    check: Note
    chain: tuple[Cause, ...]
    transitions: tuple[Transition, ...]
    links: tuple[Link, ...]
    moments: Count
    matched: Count
    code: tuple[SourceLine, ...]
    counts: Tests
    undecided: dict[str, Count]
    certified: bool
    stopped: Reason
    seconds: Seconds
    notes: tuple[Note, ...]

    @property
    def step_numbers(self) -> tuple[int, ...]:
        """The first cause of the chain, and what it passes to at each transition."""
        return (*range(len(self.chain[:1])), *(each.after for each in self.transitions))

    @property
    def steps(self) -> tuple[Cause, ...]:
        """These causes."""
        return tuple(self.chain[number] for number in self.step_numbers)

    def source(self) -> dict[tuple[str, int], str]:
        """The code, by file and line."""
        return {(each.file, each.line): each.text for each in self.code}


def check(document: CausesResult) -> None:
    """Numbers point to what is there, counts are those of what they count.

    Raises:
        WrongError: which says where.
    """
    check_tests(document.counts)
    within([document.matched], document.moments + 1, "matched", single=True)
    for name in ("transitions", "links"):
        found: tuple[Transition | Link, ...] = getattr(document, name)
        for index, pair in enumerate(found):
            within([pair.before], len(document.chain), name, index, "from", single=True)
            within([pair.after], len(document.chain), name, index, "to", single=True)
            ascending([pair.before, pair.after], name, index)
        ascending([pair.after for pair in found], name)
    for index, cause in enumerate(document.chain):
        vertices = cause.graph.vertices
        if not vertices or vertices[0].kind is not Kind.ROOT:
            raise WrongError("a root", vertices, "chain", index, "graph", "vertices")
        for number, edge in enumerate(cause.graph.edges):
            where = ("chain", index, "graph", "edges", number)
            within([edge.source], len(vertices), *where, "from", single=True)
            within([edge.target], len(vertices), *where, "to", single=True)
            if edge.side is Side.CHANGED:
                raise WrongError("passing, failing or both", edge.side.value, *where, "side")


def from_json(data: object, name: str = "the result") -> CausesResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Nothing in it is believed: what is not as the model says is refused, so that every report can
    show what is read, in a time that grows with the size of the document.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    return CAUSES.read(CausesResult, data, name, check)

"""The answer of ``stripe causes``: the variables that make one run fail while another passes."""

from __future__ import annotations

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
    doc,
    text,
    whole,
)
from stripe.results.searches import Tests, check_tests
from stripe.results.wrong import WrongError, ascending, within

type Label = Annotated[str, text(most=LONGEST_LABEL)]
type Key = Label | Annotated[int, whole(-LARGEST)]
type RoleName = Literal["cause", "context"]
type KindName = Literal[
    "root", "atom", "pointer", "record", "array", "sequence", "mapping", "opaque"
]
type StepName = Literal["x", "x.a", "x[1]", "x[]", "x['a']", "*x", "f:x", "m:x"]
type ChangeName = Literal["set", "create", "delete", "adjust"]
type SideName = Literal["both", "passing", "failing", "changed"]
type ShownName = Literal["values", "changes", "no"]
Role = Annotated[
    RoleName | None,
    doc("What this difference has to do with the failure: context is changed as well."),
]


class Vertex(Model):
    """A vertex of both memory graphs, or of one."""

    kind: Annotated[KindName, doc("What its edges are: see `stripe.states.graph.Kind`.")]
    type: Label
    side: Annotated[
        SideName,
        doc("Which of the runs has it; `changed`: both, with a value of its own each."),
    ]
    passing: Annotated[Label, doc("Its value in the passing run; empty where it is in its parts.")]
    failing: Annotated[Label, doc("The same in the failing run.")]
    role: Role
    equal: Annotated[
        Count, doc("How many of its parts are left out, and are the same in both runs.")
    ]
    different: Annotated[Count, doc("How many of its parts are left out, and differ.")]


class Edge(Model, rename={"source": "from", "target": "to"}):
    """An edge of both memory graphs, or of one."""

    source: Annotated[Count, doc("A vertex, by its number from 0.")]
    target: Count
    step: Annotated[StepName, doc("How the name of the one end is made of that of the other.")]
    key: Annotated[Key, doc("A name, an index, or the text of a key.")]
    was: Annotated[Key | None, doc("The key in the passing run, where it is another.")]
    side: Literal["both", "passing", "failing"]
    role: Role
    skipped: Annotated[Count, doc("So many vertices between its ends are left out; else 0.")]


class Graph(Model):
    """Both memory graphs laid over each other: all, or what differs and how it is reached."""

    vertices: Annotated[
        tuple[Vertex, ...],
        Meta(max_length=MOST_VERTICES),
        doc("The first is the root, from which frames and modules are reached."),
    ]
    edges: Annotated[tuple[Edge, ...], Meta(max_length=MOST_VERTICES**2)]
    passing: Annotated[Count, doc("How many vertices the whole graph of the passing run has.")]
    failing: Annotated[Count, doc("The same of the failing run.")]


class Variable(Model):
    """A variable that differs."""

    name: Note
    change: Annotated[ChangeName, doc("What was done to it in the passing run.")]
    passing: Annotated[Note | None, doc("Its value when it passes; null if it is not there.")]
    failing: Annotated[Note | None, doc("The same when it fails.")]


class Call(Model):
    """A call on the stack."""

    function: Name
    file: Name
    line: Count


class Cause(Model):
    """The cause at a moment."""

    file: Name
    line: Annotated[Positive, doc("The moment is before this line is executed")]
    occurrence: Annotated[Positive, doc("for the n-th time, in the failing run")]
    occurrence_when_passing: Annotated[Positive, doc("and in the passing one.")]
    backtrace: Annotated[
        tuple[Call, ...],
        Meta(min_length=1),
        doc("The calls on the stack, the innermost one first."),
    ]
    variables: Annotated[
        tuple[Variable, ...], Meta(min_length=1), doc("The cause: all of them together.")
    ]
    context: Annotated[
        tuple[Variable, ...],
        doc("What is changed as well: the cause alone does not make it fail, or not in the same "
            "way."),
    ]  # fmt: skip
    differences: Annotated[Count, doc("How many differences there were.")]
    certified: Annotated[
        bool,
        doc("Whether no single variable can be left out, nor be added alone without the failure."),
    ]
    graph: Graph


class Run(Model):
    """One of the two runs."""

    input: Annotated[Note, doc("As it was given.")]
    end: Annotated[Note, doc("How that run ended.")]


class Transition(Model, rename={"before": "from", "after": "to"}):
    """Where the cause passes from some variables to others."""

    before: Annotated[Count, doc("A cause of the chain, by its number from 0.")]
    after: Count
    direct: Annotated[bool, doc("No moment between has a cause.")]


class Link(Model, rename={"before": "from", "after": "to", "within": "with"}):
    """What tests have shown of causes that follow each other."""

    before: Annotated[Count, doc("A cause of the chain, by its number from 0.")]
    after: Annotated[Count, doc("The one that follows.")]
    shown: Annotated[
        ShownName,
        doc(
            "Whether the one causes the other: `values`: alone it makes these values; `changes`: "
            "it changes these variables, but, as others are as in the passing run, to values of "
            "neither run; or `no`."
        ),
    ]
    without: Annotated[
        tuple[Note, ...],
        doc("What the variables of the other hold there without the cause..."),
    ]
    within: Annotated[tuple[Note, ...], doc("...and with it.")]
    why: Annotated[Note, doc("Why it is not shown; else empty.")]


class SourceLine(Model):
    """A line of the program."""

    file: Name
    line: Positive
    text: Name


class Document(Model, rename={"failing": "fail", "passing": "pass"}):
    """What `stripe causes --json FILE` writes.

    The variables that make one run of a program fail while another passes, moment by moment.
    """

    format: Literal["stripe-causes-result"]
    version: Annotated[int, whole(CAUSES.first, CAUSES.version)]
    program: Note
    failing: Annotated[Run, doc("The run that fails.")]
    passing: Annotated[Run, doc("The run that does not.")]
    check: Annotated[Note, doc("What the failure is.")]
    chain: Annotated[
        tuple[Cause, ...], doc("The cause at each moment that was searched, in order.")
    ]
    transitions: tuple[Transition, ...]
    links: tuple[Link, ...]
    moments: Annotated[Count, doc("Moments of the failing run.")]
    matched: Annotated[Count, doc("Those that are in the passing run, too.")]
    source: Annotated[tuple[SourceLine, ...], doc("The lines of the chain, and those around them.")]
    tests: Tests
    undecided: Annotated[dict[str, Count], doc("How many tests decided nothing, by the reason.")]
    certified: Annotated[bool, doc("Whether each cause is.")]
    stopped: Annotated[Reason, doc("Why the search ended.")]
    seconds: Seconds
    notes: tuple[Note, ...]


def check(document: Document) -> None:
    """Numbers point to what is there, counts are those of what they count.

    Raises:
        WrongError: which says where.
    """
    check_tests(document.tests)
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
        if not vertices or vertices[0].kind != "root":
            raise WrongError("a root", vertices, "chain", index, "graph", "vertices")
        for number, edge in enumerate(cause.graph.edges):
            where = ("chain", index, "graph", "edges", number)
            within([edge.source], len(vertices), *where, "from", single=True)
            within([edge.target], len(vertices), *where, "to", single=True)

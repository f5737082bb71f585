"""The answer of ``stripe trace``: a recorded run and its critical slices.

Reports rely on what passes here: it can be shown, in a time that grows with the size of the
document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from operator import ge
from typing import Annotated, Literal

from stripe.dd import Reason
from stripe.documents.columns import LARGEST
from stripe.results.formats import SLICES
from stripe.results.limits import HEAD
from stripe.results.model import (
    UNSET,
    Column,
    Count,
    Digest,
    Directory,
    Facts,
    Index,
    Line,
    Meta,
    Model,
    Name,
    Note,
    Numbers,
    Parents,
    Positive,
    Program,
    Ranges,
    Seconds,
    SystemText,
    Text,
    UnsetType,
    text,
    whole,
)
from stripe.results.searches import Test, Tests, check_log, check_ranges, check_tests, counted
from stripe.results.wrong import WrongError, ascending, within
from stripe.trace.levels import LEVELS

MOST_MARKS = 200_000_000
"""Slices times what each may keep: events, statements, lines.  Reports mark all of it."""

type Control = Literal["trace", "program"]
type Why = Literal["data", "call", "return", "control"]
type Dependence = tuple[Count, Count, Why, tuple[str, ...]]
type LevelName = Literal["calls", "rounds", "statements", "events"]
type PassName = Literal["guess", "mend", "widen", "levels", "bodies", "events", "certificate"]
type EndName = Literal["EXITED", "SIGNAL", "TIMEOUT", "DIVERGED", "BLOCKED", "HARMFUL", "CUT"]


class File(Model):
    """A source file of the user's.

    - ``path``: relative to the directory the program ran in, where it is below it
    - ``text``: the source that was recorded
    - ``elsewhere``: lines that ran where nothing is recorded, such as in another thread
    """

    path: SystemText
    text: Text
    elsewhere: tuple[Line, ...] | UnsetType = UNSET


class Statement(Model):
    """A statement of a file.

    - ``file``: index in files
    - ``kind``: the syntax node's name, such as Assign or While
    - ``function``: the enclosing code: <module>, f, C.m
    - ``line``: first line of its own part
    - ``header_end``: last line of its own part
    - ``end_line``: last line of all of it
    - ``column``: bytes of UTF-8 before it on its line
    - ``parent``: id of the enclosing statement, or -1
    """

    id: Count
    file: Count
    kind: Name
    function: Name
    line: Line
    header_end: Line
    end_line: Line
    column: Column
    parent: Index


class Activation(Model):
    """An execution of a function, a module or a class body."""

    function: Name
    file: Count
    caller: Index


class Window(Model):
    """The part of the run that was recorded, if it was not all.

    - ``first``: how many events were before it
    - ``total``: how many there were; those outside always take effect
    """

    first: Count
    total: Count


class Stored(Model):
    """The JSON file beside this one with the columns that are told to be `stored`.

    - ``name``: its name, without a folder
    - ``sha256``: of all that it holds
    """

    name: Name
    sha256: Digest


class Trace(Model):
    """The recorded run. Columns are indexed by event; they may be in a file (`stored`).

    - ``statement``: the id of the statement that the event executes
    - ``activation``: index in activations
    - ``caller``: the event that called the activation it happened in, or -1
    - ``scope``: the loop, with or raising event without which it cannot happen, or -1
    - ``control``: the predicate instance that decided it; in control mode program only
    """

    statement: Facts
    activation: Facts
    caller: Parents
    scope: Parents
    control: Parents | None
    activations: tuple[Activation, ...]
    window: Window | UnsetType = UNSET
    stored: Stored | UnsetType = UNSET


class Raised(Model):
    """The exception that ended the run.

    - ``statement``: id of the statement that raised it
    - ``event``: number of the event that raised it, where that is known
    - ``compared``: what the operands of a failing assert held
    - ``innermost``: the frame that raised it, if that is of code which is not recorded
    """

    type: Name
    message: str
    file: str
    line: Column
    statement: Count | None
    event: Count | None = None
    compared: str = ""
    innermost: str = ""


class Recorded(Model):
    """What the recorded run did.

    - ``status``: exit status, or the signal's number
    - ``stdout``, ``stderr``: the beginning of it
    - ``digests``: SHA-256 of all of standard output and error
    - ``unwritten``: where the run first read memory that nothing had written; empty: not known
    """

    end: EndName
    status: Annotated[int, whole(-LARGEST)]
    stdout: Annotated[str, text(most=HEAD)]
    stderr: Annotated[str, text(most=HEAD)]
    digests: tuple[Digest, Digest]
    exception: Raised | None
    unwritten: Note = ""


class Target(Model):
    """What to run, and how: all that `stripe verify` needs.

    - ``stdin``: what the program reads, as Base64
    - ``window``: the part of the run that is recorded, as --window has it; empty: all of it
    - ``whole``: functions that run in full, as part of what calls them
    - ``engine``: which of the backend's ways to run it; null: its own choice
    - ``tty``: whether it has a terminal; stdin is the script of what is typed
    - ``only``: nothing else counts as the user's code. Where this is missing, ``include`` said that
    """

    program: Program
    arguments: tuple[SystemText, ...]
    module: bool
    directory: Directory
    stdin: bytes
    python: Program | None
    include: tuple[SystemText, ...]
    exclude: tuple[SystemText, ...]
    timeout: Annotated[float, Meta(ge=1e-9, le=1e10)] | None
    memory: Annotated[int, whole(1, 2**63 - 1)] | None
    window: str = ""
    whole: tuple[SystemText, ...] = ()
    engine: Name | None = None
    tty: bool = False
    only: tuple[SystemText, ...] | UnsetType = UNSET


class KeptStatement(Model):
    """A statement with kept executions."""

    statement: Count
    kept: Positive
    executed: Positive


class Level(Model):
    """The answer at one level.

    - ``level``: what was left out: calls, rounds of loops or statements with all of it
    - ``units``: how many of these there were at the beginning of the level
    - ``kept``: how many are left
    - ``before``: events at the beginning of the level
    - ``events``: events that are left
    - ``tests``: tests of the level, executed or resumed
    - ``certified``: without any single kept unit the criterion was lost. It says nothing of events
    - ``ranges``: the events of the answer as first, last + 1, first, last + 1, ...
    """

    level: LevelName
    units: Count
    kept: Count
    before: Count
    events: Count
    tests: Count
    seconds: Seconds
    certified: bool
    ranges: Ranges


class Pass(Model):
    """What a pass of the guided search has done.

    - ``tests``: how many tests it ran
    - ``successes``: after how many questions events went
    - ``events``: how many events went
    - ``seconds``: how long it took, without the passes inside it
    """

    name: PassName
    tests: Count
    successes: Count
    events: Count
    seconds: Seconds


class Freer(Model):
    """A slice in which kept events had not to see what they saw in the recorded run.

    - ``tests``: how many tests it took
    """

    events: Numbers
    tests: Count


class Slice(Model):
    """The critical slice of a check.

    - ``name``: what the criterion is called
    - ``check``: its specification, as --check takes it
    - ``events``: the kept events, in order
    - ``statements``: the statements of kept events: kept of executed
    - ``certified``: 1-minimal: every kept event was left out on its own, and each time it was lost
    - ``stopped``: why the search ended
    - ``verified``: whether it reproduced the criterion in a fresh process; null: not tried
    - ``log``: the executed tests (Figure 5 of the paper)
    - ``evidence``: digest of what the check saw in the recorded run
    - ``dependences``: [event, the event it needs, why, names of variables]: explanations, not
      proofs
    - ``values``: [event, {variable: text}]: what variables held, set ones after the event, others
      before: in a replay of the slice, or, where that differs (others), in the run
    - ``governing``: the conditions and loop headers that are not kept, and decided that kept events
      ran
    - ``undecided``: how many tests came to UNRESOLVED, by reason
    - ``untried``: why the tests show nothing, if so: what came of a control of the search
    - ``tried``: if not certified: the events that were left out on their own, and each time it was
      lost
    - ``symptom``: those of the events that the check probably looks at, in order
    - ``shown``: [what the check looks at, its first lines in the recorded run, how many there are]
    - ``level``: the level at which the search was last
    - ``levels``: the answers of the levels it passed, coarse to fine, each inside the one before
    - ``same``: whether kept events had to see what they saw in the recorded run
    - ``passes``: what each pass of the search has done that did anything
    - ``freer``: the slice that was found before this one
    - ``others``: [event, {what: [then, now]}]: what kept events see in the slice otherwise than in
      the recorded run; absent where it is not known
    - ``looks``: how many replays were compared with the recorded run
    """

    name: Note
    check: Note
    events: Numbers
    statements: tuple[KeptStatement, ...]
    tests: Tests
    certified: bool
    stopped: Reason
    verified: bool | None
    seconds: Seconds
    log: tuple[Test, ...]
    evidence: Annotated[str, text(most=1000)]
    dependences: tuple[Dependence, ...]
    values: tuple[tuple[Count, dict[str, str]], ...]
    # These are not in results of earlier versions.
    governing: Numbers | UnsetType = UNSET
    undecided: dict[str, Count] = {}  # noqa: RUF012 - each has its own
    untried: Note = ""
    tried: Numbers | UnsetType = UNSET
    symptom: Numbers | UnsetType = UNSET
    shown: tuple[tuple[Note, tuple[Note, ...], Count], ...] = ()
    level: LevelName = "events"
    levels: tuple[Level, ...] = ()
    same: bool | UnsetType = UNSET
    passes: tuple[Pass, ...] = ()
    freer: Freer | UnsetType = UNSET
    others: tuple[tuple[Count, dict[str, tuple[str, str]]], ...] | UnsetType = UNSET
    looks: Count | UnsetType = UNSET


class DeadValue(Model):
    """A value of the recorded run that nothing read.

    - ``name``: the variable
    - ``event``: the last event of its statement that wrote one
    - ``overwritten``: the event that wrote the next value there; null: its function ended
    - ``times``: how many values of that statement ended this way
    - ``value``: what it was; empty: not known
    """

    name: Name
    event: Count
    overwritten: Count | None
    times: Positive
    value: Note = ""


class Statistics(Model):
    """How long things took, and how much was done.

    - ``uses``: by fast path or cache: how often it served, and how often it could not
    """

    plain_seconds: Seconds
    recorded_seconds: Seconds
    total_seconds: Seconds
    replays: Count
    uses: dict[str, tuple[Count, Count]] = {}  # noqa: RUF012 - each has its own


class Document(Model):
    """What `stripe trace --json FILE` writes: a recorded run and its critical slices.

    Events are numbered from 0 in order of execution; people see them as line_time, with times
    from 1. What is not required is not in results of earlier versions.

    - ``version``: counts the incompatible changes of this form; 3 where the trace is in itself
    - ``command``: the program with its arguments
    - ``statements``: by id
    - ``slices``: one for each check, in their order
    - ``notes``: facts the user must know
    - ``values``: what was asked for of what kept events see: anything (free), what they saw in the
      recorded run (same), or the one and then the other (auto)
    - ``sandbox``: what kept the runs from reaching outside
    - ``interpreter``: what ran the program, for people: its path, version, and why it was chosen
    - ``dead_values``: what the recorded run computed and nothing read, the nearest to the symptom
      first
    """

    format: Literal["stripe-result"]
    version: Annotated[int, whole(SLICES.first, SLICES.version)]
    command: tuple[SystemText, ...]
    control: Control
    algorithm: Name
    files: tuple[File, ...]
    statements: tuple[Statement, ...]
    trace: Trace
    recorded: Recorded | None
    target: Target | None
    slices: tuple[Slice, ...]
    notes: tuple[Note, ...]
    statistics: Statistics
    values: Literal["auto", "free", "same"] = "free"
    sandbox: Literal["", "namespaces", "landlock", "none"] = ""
    interpreter: Note = ""
    dead_values: tuple[DeadValue, ...] = ()


def check(document: Document) -> None:
    """Whether values of a document go together: numbers point to what is there, counts are right.

    Raises:
        WrongError: which says where.
    """
    statement = document.trace.statement
    size, statements = len(statement), len(document.statements)
    lines = _check_statements(document.statements, [each.text for each in document.files])
    _check_trace(document)
    raised = document.recorded and document.recorded.exception
    if raised and raised.statement is not None:
        path = ("recorded", "exception", "statement")
        within([raised.statement], statements, *path, single=True)
    if raised and raised.event is not None:
        within([raised.event], size, "recorded", "exception", "event", single=True)
    for index, each in enumerate(document.dead_values):
        wrote = [each.event, *([] if each.overwritten is None else [each.overwritten])]
        within(wrote, size, "dead_values", index, "event", single=True)
    slices = document.slices
    if len(slices) * (size + lines + statements) > MOST_MARKS:
        most = MOST_MARKS // (size + lines + statements)
        raise WrongError(f"at most {most} slices of so much", slices, "slices")
    executed = Counter(statement)
    for index, found in enumerate(slices):
        try:
            _check_slice(found, statement, executed)
        except WrongError as error:
            raise error.below("slices", index) from None


def _check_statements(statements: Sequence[Statement], texts: Sequence[str]) -> int:
    """Statements stand in their files; how many lines these have together."""
    lines = [len(text.splitlines()) for text in texts]
    # Parts of statements do not overlap but in the lines where one ends and another begins.
    left = [2 * count + 1000 for count in lines]
    for index, each in enumerate(statements):
        path = ("statements", index)
        if each.id != index:
            raise WrongError(f"{index}, its place", each.id, *path, "id")
        within([each.file], len(texts), *path, "file", single=True)
        if not each.line <= each.header_end <= each.end_line:
            expected = "line, header_end and end_line in this order"
            raise WrongError(expected, each.header_end, *path, "header_end")
        if each.parent >= index:
            raise WrongError(f"an earlier statement than {index}", each.parent, *path, "parent")
        left[each.file] -= each.header_end - each.line
        if left[each.file] < 0:
            expected = "statements that do not cover more lines than there are"
            raise WrongError(expected, each.header_end, *path, "header_end")
    return sum(lines)


def _check_trace(document: Document) -> None:
    """The arrays of the trace fit together."""
    trace, control = document.trace, document.trace.control
    size = len(trace.statement)
    if not size:
        raise WrongError("at least one event", trace.statement, "trace", "statement")
    for name in ("activation", "caller", "scope"):
        if len(column := getattr(trace, name)) != size:
            raise WrongError(f"a list of {size}, one for each event", column, "trace", name)
    if trace.window is not UNSET and trace.window.first + size > trace.window.total:
        expected = f"at least {trace.window.first + size}, for so many are told of"
        raise WrongError(expected, trace.window.total, "trace", "window", "total")
    within(trace.statement, len(document.statements), "trace", "statement")
    within(trace.activation, len(trace.activations), "trace", "activation")
    parents = {"caller": trace.caller, "scope": trace.scope}
    if document.control == "program":
        if control is None or len(control) != size:
            expected = f"a list of {size}, for the control mode is program"
            raise WrongError(expected, control, "trace", "control")
        parents["control"] = control
    elif control is not None:
        raise WrongError("null, for the control mode is trace", control, "trace", "control")
    for name, column in parents.items():
        if any(map(ge, column, count())):
            event = next(event for event, parent in enumerate(column) if parent >= event)
            raise WrongError("an earlier event", column[event], "trace", name, event)
    for index, each in enumerate(trace.activations):
        path = ("trace", "activations", index)
        within([each.file], len(document.files), *path, "file", single=True)
        within([each.caller], size, *path, "caller", single=True)


def _check_slice(found: Slice, statement: Sequence[int], executed: Mapping[int, int]) -> None:
    """A slice is one of this trace, and what it counts is what it holds."""
    size = len(statement)
    events = found.events
    within(events, size, "events")
    ascending(events, "events")
    kept = Counter(map(statement.__getitem__, events))
    counts = [(number, kept[number], executed[number]) for number in sorted(kept)]
    if [(each.statement, each.kept, each.executed) for each in found.statements] != counts:
        raise WrongError("the statements of its events, counted", found.statements, "statements")
    if found.tried is not UNSET:
        ascending(found.tried, "tried")
        if unkept := set(found.tried).difference(events):
            raise WrongError("an event that is kept", min(unkept), "tried")
    if found.freer is not UNSET:
        within(found.freer.events, size, "freer", "events")
        ascending(found.freer.events, "freer", "events")
    check_tests(found.tests)
    check_log(found.log, size)
    for index, (event, on, _, _) in enumerate(found.dependences):
        within([event, on], size, "dependences", index)
    _check_levels(found, size)
    present = set(events)
    if found.governing is not UNSET:
        within(found.governing, size, "governing")
        ascending(found.governing, "governing")
        if twice := present.intersection(found.governing):
            raise WrongError("an event that is not kept", min(twice), "governing")
    others = () if found.others is UNSET else found.others
    for name, pairs in (("values", found.values), ("others", others)):
        numbers = [event for event, _ in pairs]
        within(numbers, size, name)
        ascending(numbers, name)
    for index, (event, _) in enumerate(others):
        if event not in present:
            raise WrongError("an event of the slice", event, "others", index, 0)


def _check_levels(found: Slice, size: int) -> None:
    """The levels passed are the first ones, and each is inside the one before."""
    before, levels = size, found.levels
    if levels and len(levels) > LEVELS.index(found.level) + 1:
        raise WrongError("no level beyond that of the search", levels, "levels")
    for index, answer in enumerate(levels):
        path = ("levels", index)
        if answer.level != LEVELS[index]:
            raise WrongError(f"{LEVELS[index]}, its place", answer.level, *path, "level")
        if answer.kept > answer.units:
            raise WrongError("at most as many as units", answer.kept, *path, "kept")
        if answer.before != before:
            raise WrongError(f"{before}, the events before", answer.before, *path, "before")
        check_ranges(answer.ranges, size, *path, "ranges")
        if counted(answer.ranges) != answer.events:
            raise WrongError("the number of events in ranges", answer.events, *path, "events")
        before = answer.events

"""The seam between the core and the backends that run programs.

A backend records one run of a target (:class:`Recording`) and replays it with only some of
its events taking effect.  The core knows nothing else of it.  Backends are found through
the entry-point group ``stripe.backends``; each entry is a class with the shape of
:class:`Backend`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from stripe.deadline import Deadline as Deadline
from stripe.deadline import OutOfTime as OutOfTime
from stripe.errors import UsageError
from stripe.interrupts import cut_by_hand as cut_by_hand
from stripe.sandbox.reads import Reads
from stripe.sandbox.walls import Layer
from stripe.trace import Trace

ENTRY_POINTS = "stripe.backends"

AUTOMATIC = "auto"
"""As :attr:`Target.python`: the interpreter that ``python PROGRAM`` would run."""


class End(Enum):
    """How a run ended."""

    EXITED = "exited"
    SIGNAL = "was killed by a signal"
    TIMEOUT = "ran into the time limit"
    DIVERGED = "left the recorded path"
    DIFFERED = "saw other values"
    BLOCKED = "waits for what cannot come"
    HARMFUL = "was about to do harm"
    CUT = "was cut off in a loop that goes on"
    CANCELLED = "was not needed any more"


@dataclass(frozen=True, slots=True)
class Probe:
    """A variable to observe: the last value of ``name`` after line ``line`` of ``file``."""

    name: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.name}@{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class UncaughtException:
    """The exception a run ended with; ``statement`` is the id of the one that raised it.

    ``event`` is the recorded event that raised it, where that is known.  ``operands`` is what those
    of a failing ``assert`` held, whose message need not say it; ``None`` for one that holds
    something else in each run, such as a time, which is no part of the failure.  ``innermost`` is
    the frame that raised it, for people, if that is of code which is not recorded.
    """

    type: str
    message: str
    file: str
    line: int
    statement: int | None
    event: int | None = None
    operands: tuple[str | None, ...] = ()
    innermost: str = field(default="", compare=False)

    @property
    def compared(self) -> str:
        """The operands that are part of the failure, as one text."""
        return ", ".join(each for each in self.operands if each is not None)

    def but_as(self, other: UncaughtException | None) -> UncaughtException:
        """It, without the operands that hold something else in another run of the same."""
        if other is None or len(self.operands) != len(other.operands):
            return self
        pairs = zip(self.operands, other.operands, strict=True)
        return replace(self, operands=tuple(mine if mine == its else None for mine, its in pairs))

    def is_as(self, recorded: UncaughtException) -> bool:
        """Whether it is the exception of a recorded run, whatever event raised it."""
        mine = replace(self, event=recorded.event, operands=recorded.operands)
        return (
            mine == recorded
            and len(self.operands) == len(recorded.operands)
            and all(
                then is None or then == now
                for then, now in zip(recorded.operands, self.operands, strict=True)
            )
        )


@dataclass(frozen=True, slots=True)
class Observation:
    """What one run did, as far as a check may look at it.

    ``status`` is the exit status (0-255) if the run exited, else the signal number.
    ``directory`` is the run's scratch copy of the working directory; it is valid only
    until the worker that made it runs again.  ``values`` holds, for each probe that was
    reached, the text of the last value seen.  ``detail`` says more about ``end``.
    ``fault`` tells crashes of one type at one event apart, where a backend can: two runs with
    different ones failed in different ways.
    """

    end: End
    status: int
    stdout: bytes
    stderr: bytes
    directory: Path
    exception: UncaughtException | None = None
    values: Mapping[Probe, str] = field(default_factory=dict)
    detail: str = ""
    seconds: float = 0.0
    fault: str = ""


TEST_MODULE = "stripe_testcase"
"""The module that runs a single test in the traced program, where that is a run of tests."""


@dataclass(frozen=True, slots=True)
class Target:
    """What to run and how.

    ``program`` is a path, or a module name if ``module``.  ``stdin`` is all the program
    can read.  ``include``, ``only`` and ``exclude`` say what counts as the user's code, by names
    or globs over source paths: the program's own project (or nothing but what ``only`` names), what
    ``include`` adds, and never what ``exclude`` names.  ``unions`` are rules
    for which member of a union is meant where states are looked at.  ``window`` is
    the part of the run that is recorded (:mod:`stripe.trace.window`; empty: all), ``whole`` names
    functions that run in full, as part of what calls them.  ``timeout`` is in seconds of
    wall time and bounds one run (``None``: 30 for what is recorded, for replays
    what that took, several times); ``deadline`` bounds all together; ``memory`` is in bytes.
    ``jobs`` is how many replays may run at the same time.  ``engine`` is which of
    its ways to run programs a backend that has several takes (``None``: its own choice).
    ``python`` names the interpreter: a path, a command or a version, :data:`AUTOMATIC`, or
    ``None``: the one that runs us.
    ``environment``: the variables of runs (``None``: our own).
    ``tty`` gives the program a terminal, at which somebody types; ``stdin`` then is the
    script of that.

    Runs are in a sandbox, and nothing they do lasts.  ``unsafe``: go on where there is no sandbox;
    ``live``: the recorded run acts for real; ``network``: it may use this machine's network.

    ``cut``: the program is expected not to end.  The recorded run is cut off (``CUT``) at the last
    event of its trace, the header of a loop that goes on; so are replays in which that header is
    kept and evaluates so that the loop goes on.  ``interruptible``: Ctrl-C during the recording may
    raise :class:`~stripe.interrupts.CutByHand`, as ``cut`` would do for the check.
    """

    program: str
    arguments: Sequence[str] = ()
    module: bool = False
    directory: Path = field(default_factory=Path.cwd)
    stdin: bytes = b""
    python: str | None = None
    include: Sequence[str] = ()
    only: Sequence[str] = ()
    exclude: Sequence[str] = ()
    unions: Sequence[str] = ()
    window: str = ""
    whole: Sequence[str] = ()
    timeout: float | None = None
    memory: int | None = None
    jobs: int = 1
    engine: str | None = None
    environment: Mapping[str, str] | None = field(default=None, repr=False)
    tty: bool = False
    unsafe: bool = False
    live: bool = False
    network: bool = False
    cut: bool = False
    interruptible: bool = False
    deadline: Deadline = field(default_factory=Deadline, repr=False, compare=False)

    @property
    def runs_test(self) -> bool:
        """Whether it is the module that runs a single test (``stripe/guest/``)."""
        return self.module and self.program.partition(".")[0] == TEST_MODULE

    @property
    def variables(self) -> Mapping[str, str]:
        """The variables of runs, but what a backend adds."""
        return os.environ if self.environment is None else self.environment


class Recording(Protocol):
    """A recorded run that can be replayed.  Close it: it owns processes and scratch copies.

    ``plain`` is what the program did untouched, ``recorded`` what it did while recorded.
    ``notes`` are one-line facts the user must know (threads not traced, files written).
    ``layer`` is what keeps its runs from reaching outside.
    """

    trace: Trace
    plain: Observation
    recorded: Observation
    notes: Sequence[str]
    layer: Layer

    def replay(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> AbstractContextManager[Observation]:
        """Run with only ``events`` (sorted, closed under parents) taking effect.

        ``strict`` is control mode ``program``: a kept predicate that does not evaluate as
        recorded ends the run as ``DIVERGED``.  ``fresh`` uses a fresh process instead of
        the backend's fast path.  May be called from up to ``jobs`` threads at once; the
        observation's directory is valid inside the context only.

        Raises :class:`~stripe.deadline.OutOfTime` if it was ended because the time for all of
        it is used up.
        """
        ...

    def cancel(self, events: Sequence[int]) -> None:
        """End the replay of ``events`` that another thread waits for; it is ``CANCELLED`` then.

        Nothing happens if there is none, it has just ended, or the backend cannot do it.
        """
        ...

    def close(self) -> None:
        """End every process and remove every temporary file of this recording."""
        ...


type Values = Mapping[int, Mapping[str, str]]
"""For events, the values of variables their statements name, as short texts."""


@runtime_checkable
class Interpreted(Protocol):
    """What a recording may offer as well: the interpreter that ran the program, for people."""

    interpreter: str


@runtime_checkable
class Watching(Protocol):
    """What a recording may offer as well: to tell what variables held."""

    def watch(
        self, events: Sequence[int], *, strict: bool = False
    ) -> AbstractContextManager[tuple[Observation, Values]]:
        """Replay once, in a fresh process, and look at the variables of kept events.

        What a statement sets or may change is told as it is after it, what it only reads as it
        is before.
        The texts are for people: they may be cut, and may be missing where looking at a value
        could disturb the program, or where there is too much to tell.  It may be called while
        other threads replay.
        """
        ...


type Differences = Mapping[int, Mapping[str, tuple[str, str]]]
"""For events, the variables that held something else: texts for then, in the run, and for now."""


@runtime_checkable
class Comparing(Protocol):
    """What a recording may offer as well: to tell what kept events saw that the run did not."""

    def differences(
        self, events: Sequence[int], *, strict: bool = False, fresh: bool = False
    ) -> Differences:
        """Replay ``events`` and compare what each saw with the recorded run.

        What its statement reads is compared as it is read, what it writes as it is written, by
        content, to a stated depth; so are the truth of a condition, the items of a loop and what
        is returned.  The names are the program's own text where there is one.  Events that saw
        what they saw in the recorded run are absent.  ``fresh``: in a fresh process.  It may be
        called while other threads replay.

        Raises :class:`~stripe.errors.NotReducible` ``values-unknown`` if it cannot be told.
        """
        ...


@runtime_checkable
class Varied(Protocol):
    """What a recording may offer as well: to vary what memory holds that nothing has written.

    There are ``variants`` ways to replay, at least one, and the full replay is the same in all.
    ``unwritten`` says in a line where the recorded run itself first reads such memory, and as what;
    empty if it does not, or if that cannot be told.
    """

    variants: int
    unwritten: str

    def replay(
        self,
        events: Sequence[int],
        *,
        strict: bool = False,
        fresh: bool = False,
        variant: int = 0,
    ) -> AbstractContextManager[Observation]:
        """See :meth:`Recording.replay`, which is that of variant 0."""
        ...


@runtime_checkable
class Witnessed(Protocol):
    """What a recording may offer as well: to tell what the run read.

    ``reads``: what the plain run read, with stamps as of then.  ``facts``: what else decides about
    outcomes and is no such file, in short texts by what they are about, such as the interpreter.
    """

    reads: Reads
    facts: Mapping[str, str]

    def stamp(self, path: str) -> str:
        """The stamp of a path (as in ``reads``, or absolute) as it is now."""
        ...


@runtime_checkable
class Proved(Protocol):
    """What a recording may offer as well: how often it was replayed in full to find out how.

    That it can be replayed as it was recorded is found out by the backend, which may know several
    ways; that a check holds then, in the control mode asked for, is seen by the core.
    """

    proved: int


@runtime_checkable
class Rehearsing(Protocol):
    """What a recording may offer as well: a full replay by the means of partial ones.

    Where :meth:`Recording.replay` takes a shorter way for all events, that shows nothing of the
    longer one, by which the tests of a search go.
    """

    def rehearse(self, *, strict: bool = False) -> AbstractContextManager[Observation]:
        """Replay all events, each of which is kept because it is asked for."""
        ...


type Uses = Mapping[str, tuple[int, int]]
"""By the name of a fast path or a cache: how often it served, and how often it could not."""


@runtime_checkable
class Accounted(Protocol):
    """What a recording may offer as well: to tell how often its fast paths and caches served.

    ``without``: the names of those that replays do without from now on, for measurements.
    """

    without: Collection[str]

    def uses(self) -> Uses:
        """What they have been of use for so far."""
        ...


class State(Enum):
    """How something is that runs may depend on: there, missing but optional, missing."""

    GOOD = "good"
    LESS = "less"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """What ``stripe doctor`` tells of one thing, in sentences: how it is, and what to do."""

    about: str
    state: State
    says: str
    advice: str = ""


@runtime_checkable
class Interpreting(Protocol):
    """What a backend may offer as well: to name the interpreter that runs a target."""

    def interpreter(self, target: Target) -> str:
        """Its absolute path.

        Raises :class:`~stripe.errors.UsageError` if there is none that can be used.
        """
        ...


@runtime_checkable
class Examined(Protocol):
    """What a backend may offer as well: to tell what this machine has of what its runs need."""

    def examine(self) -> Iterator[Finding]:
        """One finding for each thing; nothing is changed, and nothing missing is an error."""
        ...


@dataclass(frozen=True, slots=True)
class CallFrame:
    """A call on the stack: function, file as the user has it, line (1: the first)."""

    function: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What is asked at a moment, in the ``frame``-th call from the innermost one.

    ``base`` is ``"locals"``, ``"globals"``, ``"expression"``, or ``"owned"`` (the module's name,
    and whether one of the names in ``expression`` is a variable of the function); ``path`` leads
    from there into parts, by their numbers.  ``opens``: the parts themselves, ``count`` of them
    from ``start`` on.
    """

    frame: int
    base: str
    expression: str = ""
    path: tuple[int, ...] = ()
    opens: bool = False
    start: int = 0
    count: int = 100


@dataclass(frozen=True, slots=True)
class Watched:
    """An expression whose changes are looked for.

    In the ``level``-th call from the outermost of those that there are at events ``first`` to
    ``last``; or in the names of a ``module``, at any event.
    """

    expression: str
    level: int
    first: int
    last: int
    module: str = ""


@dataclass(frozen=True, slots=True)
class Alteration:
    """What a run is to do otherwise at an event.

    ``kind``: ``set`` (``text`` is a statement that is executed first, in the ``frame``-th call from
    the innermost one), ``skip`` (the statement is left out), ``turn`` (its condition counts as the
    opposite), ``return`` (the function returns the value of ``text`` instead).
    """

    event: int
    kind: str
    text: str = ""
    frame: int = 0


class TravelError(Exception):
    """What an evaluation at a moment has raised, as text: the answer to who asked for it."""


class Journey(Protocol):
    """A recorded run of which any moment can be gone to.

    Moments are line events, from 1 to ``total``: control is about to execute a line of the user's
    code.  ``failure`` is the one at which the exception was raised that ended the run, or the last.
    ``ending`` is what came of it.  ``depths`` has for each event, from index 0 on, how many calls
    of the user's code there are.
    """

    total: int
    failure: int
    ending: Observation
    notes: Sequence[str]
    alterations: Sequence[Alteration]

    @property
    def depths(self) -> Sequence[int]:
        """See above."""
        ...

    def place(self, event: int) -> tuple[str, int]:
        """The file (as the user has it) and the line of an event."""
        ...

    def events_at(self, file: str, line: int) -> Sequence[int]:
        """All events of a line, ascending."""
        ...

    def has_passed(self, file: str, line: int) -> bool:
        """Whether the run came to a line."""
        ...

    def passes(
        self, file: str, line: int, condition: str, event: int, *, backwards: bool
    ) -> Iterator[tuple[int, str]]:
        """The events of a line after one (before it: ``backwards``), the nearest first.

        ``condition``, if there is one, holds there; its value comes with each, if that is a text.
        """
        ...

    def entries(self, function: str) -> Sequence[int]:
        """The events with which calls of a function begin (``f``, ``C.f``), ascending."""
        ...

    def span(self, event: int, level: int) -> tuple[int, int]:
        """The first and the last event of a call, the ``level``-th from the outermost there."""
        ...

    def raised(self) -> Sequence[tuple[int, str]]:
        """The events at which an exception was raised, ascending, each with its type."""
        ...

    def files(self) -> Sequence[str]:
        """The files that were executed."""
        ...

    def go(self, event: int) -> Sequence[CallFrame]:
        """Stand at an event; the calls there, the innermost first."""
        ...

    def inspect(self, inquiry: Inquiry) -> dict[str, Any]:
        """Answer at the present moment; nothing lasts of what that does.

        Returns:
            ``value`` (``text``, ``type``, number of ``parts``) or ``parts`` (with ``name`` each),
            and what was ``printed`` meanwhile.

        Raises:
            TravelError: the evaluation raised it, or was ended.
        """
        ...

    def output(self) -> tuple[bytes, bytes]:
        """What was printed up to the present moment."""
        ...

    def search(
        self, events: Sequence[int], condition: str, *, backwards: bool
    ) -> Iterator[tuple[int, str]]:
        """Those of some ascending events where a condition holds, in order or ``backwards``.

        Each comes with the condition's value, if that is a text.
        """
        ...

    def changes(self, watched: Watched, event: int, *, backwards: bool) -> Iterator[int]:
        """The events after one (before: ``backwards``) of lines that change what is watched.

        A change is one of content, to some depth.
        """
        ...

    def parts_from(self, other: Any) -> int:
        """The first event that is not as in another journey; beyond both if all are the same."""
        ...

    def alter(self, alteration: Alteration) -> Journey:
        """The run that goes on otherwise from an event on: a journey of its own.

        Raises :class:`TravelError` if it cannot be made, or what comes of it is not known.
        """
        ...

    def close(self) -> None:
        """End all processes."""
        ...


@runtime_checkable
class TimeTravel(Protocol):
    """What a backend may offer as well: to go to any moment of a run."""

    def travel(self, target: Target) -> Journey:
        """Record a run and get ready to go to its moments.

        Raises :class:`~stripe.errors.NotReducible` for programs that do not repeat themselves.
        """
        ...


class Backend(Protocol):
    """A way to record and replay programs of one kind.

    ``suffixes``: of files with source code that it takes for programs, each with the name of its
    language, as editors and SARIF have it.
    """

    name: str
    suffixes: Mapping[str, str]

    def refuses(self, target: Target) -> str | None:
        """Why this backend cannot run ``target``, or ``None`` if it can."""
        ...

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        """Run ``target`` plainly and recorded.

        Raises :class:`~stripe.errors.NotReducible` if the two differ, the program hangs, or all
        the time there is is used up (:class:`~stripe.deadline.OutOfTime`),
        :class:`~stripe.errors.UsageError` if the target cannot be run at all.
        """
        ...


def backends() -> Iterator[Backend]:
    """All installed backends, by name."""
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda each: each.name):
        yield entry.load()()


@cache
def languages() -> Mapping[str, str]:
    """The languages that the installed backends trace, by the suffixes of their files."""
    return {suffix: name for each in backends() for suffix, name in each.suffixes.items()}


def choose_backend(target: Target) -> Backend:
    """The first backend that accepts ``target``; the error names each one's reason why not."""
    reasons = []
    for backend in backends():
        reason = backend.refuses(target)
        if reason is None:
            return backend
        reasons.append(f"{backend.name}: {reason}")
    raise UsageError(
        "no-backend",
        f"Nothing here can run {target.program!r}: " + ("; ".join(reasons) or "no backend found."),
        "Give a Python file (stripe trace prog.py), a module (stripe trace -m package), or a "
        "program with debug information (stripe trace ./a.out); check the path.",
    )

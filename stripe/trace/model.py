"""The model of a recorded run: statements, events, activations, and the trees they form.

A *statement* is static; an *event* ``s_t`` is one execution of it (Cleve & Zeller 2000,
section 2).  Events are numbered from 0 in the order of execution; people see time ``t``,
which counts from 1.  Per-event facts live in parallel arrays, so a million events stay
within tens of megabytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress

from stripe.index_set import IndexSet, differing, flagged, packed
from stripe.trace.columns import Numbers, narrowed
from stripe.trace.window import Extent

NONE = -1
"""In the per-event arrays: there is no such event."""

LINE_KIND = "Block"
"""The kind of statements of which only the line is known, as in machine code."""

DENSE = 16
"""Where there is one of so many events, flags for all take less than a set of these."""

FEW = 512
"""Up to so many events that may differ, it is seen which ones do, rather than looked at all."""

OPPOSITE = bytes([1, *bytes(255)])
"""For ``translate``: flags of what has none."""


def flags(events: Iterable[int], size: int) -> bytearray:
    """A 1 for each of ``events``, a 0 for all others of so many."""
    if isinstance(events, IndexSet) and len(known := flagged(events)) <= size:
        return known + bytes(size - len(known))
    found = bytearray(size)
    for event in events:  # faster than what calls functions in C
        found[event] = 1
    return found


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the user's code, with the text that was recorded.

    ``elsewhere``: lines that ran where nothing is recorded, such as in another thread or in a
    process that the program has forked.
    """

    path: str
    text: str
    elsewhere: tuple[int, ...] = ()

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


@dataclass(frozen=True, slots=True)
class Statement:
    """A static statement.

    ``line`` .. ``header_end`` are the 1-based source lines of its own part (for a compound
    statement its header, decorators included); ``end_line`` is the last line of all of it.
    ``column`` counts from 0.  ``kind`` is the syntax node's name (``Assign``, ``While``).
    ``parent`` is the id of the enclosing statement, ``NONE`` at the top of a function or
    module.  ``function`` names the enclosing code: ``<module>``, ``f``, ``C.m``.

    ``reads`` and ``writes`` are the locations its own part may use and change, as far as the
    backend can tell from the source; both may be wrong or empty.  A location is a text:

    - ``x``: a variable of the activation
    - ``::x``, ``m::x``: a variable of the same file, of the file of module ``m`` (``p.m``, as far
      as its packages are named)
    - ``m::*``, in writes: all that module ``m`` has, under the same names in this file; ``::*``:
      all that the package has that this file is in
    - ``m::``, in reads: that module ``m`` is there
    - ``f:x``: a variable of function ``f`` that functions inside it share
    - ``.x``: the attributes called ``x`` of all objects
    - ``<stdin>``, ``<stdout>``, ``<stderr>``, ``<file>``: what is read from or written outside
    - ``<exit>``: the end of the program; ``<return>``: what the caller gets, also of a class's body
    - ``<next>``: where the iterator of the loop stands
    - ``<argument>``: what the caller handed over

    ``*`` in front, in writes: the variable still refers to the same object, which is changed;
    ``?``: perhaps, for it was handed to a call.
    """

    id: int
    file: int
    kind: str
    line: int
    header_end: int
    end_line: int
    column: int
    function: str
    parent: int = NONE
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Activation:
    """One execution of a function, module, class body or generator.

    ``caller`` is the event that first called it, ``NONE`` for the program itself.
    """

    id: int
    function: str
    file: int
    caller: int


@dataclass(slots=True)
class Trace:
    """A recorded run: the dynamic tree as arrays indexed by event number.

    - ``statement[e]``: id of the statement event ``e`` executes
    - ``activation[e]``: the activation it happened in
    - ``caller[e]``: the event whose execution called (or resumed) that activation; if that event
      was suspended meanwhile, as a ``yield from`` is, what resumed it last
    - ``scope[e]``: the event of the same activation or below without which ``e`` cannot
      happen: the header that made the iterator of the loop, the ``with`` header, the
      statement that raised what the handler around ``e`` caught
    - ``control[e]``: the predicate instance that decided that ``e`` was executed

    Of a part of a run (``extent``), what came before has no numbers: it is always kept.

    ``caller`` and ``scope`` are the structural parents; ``control`` counts as a parent too
    in control mode ``program``.  Every parent has a smaller number than its child.
    """

    files: Sequence[SourceFile]
    statements: Sequence[Statement]
    activations: Sequence[Activation]
    statement: Numbers = field(default_factory=lambda: array("i"))
    activation: Numbers = field(default_factory=lambda: array("i"))
    caller: Numbers = field(default_factory=lambda: array("i"))
    scope: Numbers = field(default_factory=lambda: array("i"))
    find_control: Callable[[], Numbers] = field(default=lambda: array("i"), repr=False)
    extent: Extent | None = None
    _control: Numbers | None = field(default=None, init=False, repr=False)
    # By control mode: the events that were found to be closed last, and which have children.
    _closed: dict[bool, tuple[int, ...]] = field(default_factory=dict, init=False, repr=False)
    _leading: dict[bool, bytearray] = field(default_factory=dict, init=False, repr=False)

    @property
    def control(self) -> Numbers:
        """See above; found when first asked for, as only control mode ``program`` needs it."""
        if self._control is None:
            self._control = self.find_control()
        return self._control

    def narrow(self) -> None:
        """Take no more room for columns of small numbers than these need; all are there now."""
        self.statement, self.activation = narrowed(self.statement), narrowed(self.activation)

    def __len__(self) -> int:
        return len(self.statement)

    def name(self, event: int) -> str:
        """The event as the paper writes it: ``line_time``."""
        return f"{self.statements[self.statement[event]].line}_{self.time(event)}"

    def time(self, event: int) -> int:
        """When an event was, counted from 1 in all of the run."""
        return event + 1 + (0 if self.extent is None else self.extent.first)

    def parent_columns(self, *, control: bool) -> tuple[Numbers, ...]:
        """For each event its structural parents of each kind; NONE where there is none."""
        if control:
            return self.caller, self.scope, self.control
        return self.caller, self.scope

    def parents(self, event: int, *, control: bool = False) -> Iterator[int]:
        """The events that must be kept for ``event`` to be kept."""
        for parents in self.parent_columns(control=control):
            if (parent := parents[event]) != NONE:
                yield parent

    def close(self, events: Iterable[int], *, control: bool = False) -> tuple[int, ...]:
        """The largest subset of ``events`` that holds every parent of its members, sorted.

        Cost: proportional to the number of ``events``, not to the trace.
        """
        ordered = packed(events if isinstance(events, IndexSet) else sorted(events))
        if len(ordered) == len(self):
            return ordered
        if not self._near(ordered, control=control):
            ordered = self._close(ordered, control=control)
        self._closed[control] = ordered
        return ordered

    def _near(self, events: tuple[int, ...], *, control: bool) -> bool:
        """Whether events (in order) are closed, as far as what was closed last tells at once.

        So does most of what leaves out single events of the same ones.
        """
        last = self._closed.get(control, ())
        if abs(len(last) - len(events)) > FEW:
            return False
        before, now = differing(last, events)
        if len(before) + len(now) > FEW:
            return False
        leading = self._leading.get(control)
        if leading is None or len(leading) <= len(self):  # it may have grown
            parents = chain.from_iterable(self.parent_columns(control=control))
            leading = self._leading[control] = flags(parents, len(self) + 1)
        if any(leading[gone] for gone in {*before}.difference(now)):
            return False
        new = {*now}.difference(before)
        return all(
            parent in events for each in new for parent in self.parents(each, control=control)
        )

    def _close(self, ordered: tuple[int, ...], *, control: bool) -> tuple[int, ...]:
        if len(ordered) * DENSE >= len(self):
            return self._close_most(ordered, control=control)
        caller, scope = self.caller, self.scope
        predicate = self.control if control else scope
        kept: set[int] = {NONE}
        closed: list[int] = []
        for event in ordered:
            if caller[event] not in kept or scope[event] not in kept:
                continue
            if control and predicate[event] not in kept:
                continue
            kept.add(event)
            closed.append(event)
        return ordered if len(closed) == len(ordered) else packed(closed)

    def _close_most(self, events: tuple[int, ...], *, control: bool) -> tuple[int, ...]:
        """``close`` in less memory and time, where they are not few (in order)."""
        caller, scope = self.caller, self.scope
        predicate = self.control if control else scope
        there = flags(events, len(self) + 1)
        there[NONE] = 1
        columns = self.parent_columns(control=control)
        if all(all(map(there.__getitem__, compress(each, there))) for each in columns):
            return events  # nearly always
        kept = bytearray(len(self) + 1)
        kept[NONE] = 1
        for event in events:
            if kept[caller[event]] and kept[scope[event]] and kept[predicate[event]]:
                kept[event] = 1
        return packed(compress(events, map(kept.__getitem__, events)))

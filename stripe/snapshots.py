"""What backends tell of a program's state, and what they are asked to change in it.

A snapshot is plain data: the memory that :mod:`stripe.states` unfolds into a graph.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from stripe.backend import Observation, Target
from stripe.sandbox.walls import Layer


class Call(NamedTuple):
    """A call on the stack: function, file, line, and where in it if that says more."""

    function: str
    file: str
    line: int
    place: int = 0


type Backtrace = tuple[Call, ...]
"""The innermost call first."""


class Moment(NamedTuple):
    """Before the n-th execution of a line, counted from 1."""

    file: str
    line: int
    occurrence: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f"#{self.occurrence}" if self.occurrence > 1 else "")


class Kind(enum.Enum):
    """What a vertex is, which says what its edges are.

    A pointer has one edge or, null, none; a record has fixed ones; an array has elements by index,
    which come and go at its end only; in a sequence they do anywhere; a mapping has edges by key,
    which come and go. What is opaque is seen, but not looked into.
    """

    ROOT = "root"
    ATOM = "atom"
    POINTER = "pointer"
    RECORD = "record"
    ARRAY = "array"
    SEQUENCE = "sequence"
    MAPPING = "mapping"
    OPAQUE = "opaque"


class Step(enum.Enum):
    """How an operation makes a child's expression from its parent's."""

    VARIABLE = "x"
    MEMBER = "x.a"
    INDEX = "x[1]"
    ELEMENT = "x[]"
    KEY = "x['a']"
    TARGET = "*x"
    FRAME = "f:x"
    MODULE = "m:x"


class Part(NamedTuple):
    """An edge: ``step`` and ``key`` are those of :class:`stripe.states.graph.Operation`."""

    step: str
    key: str | int
    item: int


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of memory: see :class:`stripe.states.graph.Vertex`.

    ``made``: whether one like it can be made in another state.  ``shared``: whether who has it
    shares it with others who have it, or has a value that nobody can change.
    """

    kind: str
    type: str
    value: Hashable
    text: str
    parts: Sequence[Part]
    made: bool
    shared: bool = True


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state at a moment.

    - ``bases``: frames and modules, in which the base variables are; ``items``: all there is
    - ``unseen``: what is there and was not looked into, and how often
    - ``private``: what the backend needs to change it
    """

    backtrace: Backtrace
    bases: Sequence[Part]
    items: Sequence[Item]
    unseen: Mapping[str, int]
    private: Mapping[str, Any]


class Ref(NamedTuple):
    """An item: of the state that is changed, or ``new``: made like one of the other state."""

    new: bool
    item: int


@dataclass(frozen=True, slots=True)
class Alteration:
    """How a state is to be changed: the parts of all that is new or gets other parts."""

    contents: Mapping[Ref, Sequence[tuple[str, str | int, Ref]]]
    state: Snapshot
    other: Snapshot


class Later(NamedTuple):
    """Where a backtrace is there for the n-th time, counted from after a change on."""

    backtrace: Backtrace
    number: int


class Run(Protocol):
    """A program with its input, to be run as often as wanted.  Close it.

    ``plain``: what it did untouched.  Each run is a fresh one, behind walls, in its own folder.
    ``debugger``: that of the language, by name.
    """

    debugger: str
    plain: Observation
    layer: Layer
    notes: Sequence[str]

    def looked(
        self, most: int
    ) -> AbstractContextManager[tuple[Observation, Sequence[tuple[Moment, Backtrace]]]]:
        """Run as it is; and the first moments of that, no more than ``most``.

        Raises :class:`~stripe.errors.NotReducible` if it does otherwise when it is looked at.
        """
        ...

    def states(self, moments: Sequence[Moment]) -> Mapping[Moment, Snapshot]:
        """The states at moments; those that the run does not come to are not there."""
        ...

    def changed(
        self, moment: Moment, alteration: Alteration
    ) -> AbstractContextManager[tuple[Observation, Snapshot | None]]:
        """Run to the moment, change the state, and run on; and the state after the change.

        A run that cannot be changed so, or had another state there, is ``DIVERGED``. The
        observation's directory is valid in the context only.
        """
        ...

    def close(self) -> None:
        """End all, and remove what it needed."""
        ...


@runtime_checkable
class Following(Protocol):
    """What a run may offer as well: to tell what a change does to a later state."""

    def followed(
        self, moment: Moment, alteration: Alteration, later: Later
    ) -> AbstractContextManager[tuple[Observation, Snapshot | None, Snapshot | None]]:
        """As :meth:`Run.changed`; and the state at a later moment, if the run comes to it."""
        ...


@runtime_checkable
class Identifying(Protocol):
    """What a run may offer as well: to tell what is the same thing at several moments."""

    def identities(self, moments: Sequence[Moment]) -> Mapping[Moment, Sequence[int | None]]:
        """For each item of the states at moments, the number of the thing that it is.

        ``None``: what has no identity, as an atom, or a frame. Raises as :meth:`Run.looked`.
        """
        ...


@runtime_checkable
class Stateful(Protocol):
    """What a backend may offer as well: to look at states and to change them."""

    def run(self, target: Target) -> Run:
        """Prepare runs of ``target``; it has been run plainly then."""
        ...

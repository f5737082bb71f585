"""What statements read and write, and what else holds whichever events of a trace take effect."""

from __future__ import annotations

from typing import NamedTuple

from stripe.trace.columns import walk
from stripe.trace.model import NONE, Trace
from stripe.trace.modules import ALL, Modules, bound

# What a location is kept in: a table per activation, or the one table of all that is shared.
Access = tuple[bool, str]  # local, key


class Step(NamedTuple):
    """What one execution does to locations, in this order.

    - ``local``, ``shared``: what it reads, of its activation and of all, each once
    - ``changes``: what it changes and was read before; the older value lives on in it
    - ``argument``: whether it changes what its callers handed over
    - ``writes``: what it sets: whether local, the key, and whether the older value is gone
    """

    local: tuple[str, ...]
    shared: tuple[str, ...]
    changes: tuple[Access, ...]
    argument: bool
    writes: tuple[tuple[bool, str, bool], ...]


class ResolvedEffects:
    """What one statement reads and writes, with the shared locations made unambiguous."""

    __slots__ = (
        "_steps",
        "changes",
        "changes_argument",
        "cursor",
        "fetches",
        "hands",
        "hands_argument",
        "imports",
        "reads",
        "returns",
        "usual",
        "writes",
    )  # fmt: skip

    def __init__(self, trace: Trace, number: int, modules: Modules) -> None:
        statement = trace.statements[number]
        # What it reads may be there only when what it calls is over.
        self.imports = statement.kind == "ImportFrom"
        self.reads: list[Access] = []
        self.writes: list[Access] = []
        self.changes: list[Access] = []  # `*`: read as well
        self.hands: list[Access] = []  # `?`
        self.returns = self.fetches = self.changes_argument = self.hands_argument = False
        for location in statement.reads:
            if location == "<next>":
                self.fetches = True
            else:
                self.reads.append(self._access(location, statement.file, modules))
        for location in statement.writes:
            if location == "<return>":
                self.returns = True
            elif location == "*<argument>":
                self.changes_argument = True
            elif location == "?<argument>":
                self.hands_argument = True
            elif location in OUTPUTS:
                continue
            elif location.endswith(ALL):
                source = modules.file(location.removesuffix(ALL), statement.file)
                if source is not None:
                    self.writes.append((False, bound(statement.file, source)))
            elif location[0] in "*?":
                access = self._access(location[1:], statement.file, modules)
                (self.changes if location[0] == "*" else self.hands).append(access)
            elif location != "<next>":
                self.writes.append(self._access(location, statement.file, modules))
        self.cursor = f"<next>{number}"
        self._steps: dict[tuple[bool, bool], Step] = {}
        # What each execution does, if that is the same for all.
        self.usual: Step | None = None
        if not (self.hands or self.fetches):
            self.usual = self.step(alone=False, ended=False)

    def step(self, *, alone: bool, ended: bool) -> Step:
        """What an execution does.

        Args:
            alone: nothing is known of what it called, so that may have changed what it was handed.
            ended: it ended its loop, and binds nothing.
        """
        found = self._steps.get((alone, ended))
        if found is None:
            changes = (*self.changes, *self.hands) if alone else tuple(self.changes)
            consulted = dict.fromkeys((*self.reads, *changes))
            found = self._steps[alone, ended] = Step(
                tuple(key for local, key in consulted if local),
                tuple(key for local, key in consulted if not local),
                changes,
                self.changes_argument or (alone and self.hands_argument and bool(self.hands)),
                # Of which object is not known, so what was written before may count.
                ()
                if ended
                else tuple((each, key, key[0] not in ".<") for each, key in self.writes),
            )
        return found

    @staticmethod
    def _access(location: str, file: int, modules: Modules) -> Access:
        module, separator, name = location.partition("::")
        if separator:
            found = modules.file(module, file) if module else file
            # A library's, or no module at all: as an attribute of any object.
            return False, f".{name}" if found is None else f"{found}::{name}"
        if ":" in location:
            return False, f"{file}:{location}"
        return not location.startswith((".", "<")), location


OUTPUTS = frozenset({"<stdout>", "<stderr>", "<exit>"})
"""What nobody in the program reads."""


class Facts:
    """What holds for a trace whichever of its events take effect."""

    def __init__(self, trace: Trace) -> None:
        self.owners = owners(trace)
        self.effects: list[ResolvedEffects | None] = [None] * len(trace.statements)
        self.ended = ended(trace)
        self._trace = trace
        self.modules = Modules(trace)

    def resolve(self, number: int) -> ResolvedEffects:
        """The effects of a statement that was not asked for before."""
        found = self.effects[number] = ResolvedEffects(self._trace, number, self.modules)
        return found


def ended(trace: Trace) -> bytearray:
    """By event, whether it is a loop header that ended its loop: it binds nothing.

    What follows one that fetched an item, in the same activation, is in the loop's body.
    """
    fetching = bytearray("<next>" in each.writes for each in trace.statements)
    statement, activation, scope = trace.statement, trace.activation, trace.scope
    found = bytearray(len(trace))
    if not any(fetching):
        return found
    open_fetches: dict[int, int] = {}  # by activation: a fetch that nothing has followed yet
    for event, number in enumerate(walk(statement)):
        if open_fetches:
            fetch = open_fetches.pop(activation[event], NONE)
            if fetch != NONE:
                above = scope[fetch]
                maker = above if above != NONE and statement[above] == statement[fetch] else fetch
                if scope[event] != maker:
                    found[fetch] = 1
        if fetching[number]:
            open_fetches[activation[event]] = event
    for fetch in open_fetches.values():
        found[fetch] = 1
    return found


def owners(trace: Trace) -> list[int | None]:
    """For each statement the one that defines the function it is in; None at the top."""
    found: list[int | None] = []
    for statement in trace.statements:
        parent = statement.parent
        if parent == NONE:
            found.append(None)
        elif trace.statements[parent].function != statement.function:
            found.append(parent)
        else:
            found.append(found[parent])
    return found

"""What statements read and write, and what else holds whichever events of a trace take effect."""

from __future__ import annotations

from stripe.trace.model import NONE, Trace

# What a location is kept in: a table per activation, or the one table of all that is shared.
Access = tuple[bool, str]  # local, key


class ResolvedEffects:
    """What one statement reads and writes, with the shared locations made unambiguous."""

    __slots__ = (
        "changes", "changes_argument", "fetches", "hands", "hands_argument", "reads", "returns",
        "writes",
    )  # fmt: skip

    def __init__(self, trace: Trace, number: int, modules: dict[str, int]) -> None:
        statement = trace.statements[number]
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
            elif location[0] in "*?":
                access = self._access(location[1:], statement.file, modules)
                (self.changes if location[0] == "*" else self.hands).append(access)
            elif location != "<next>":
                self.writes.append(self._access(location, statement.file, modules))

    @staticmethod
    def _access(location: str, file: int, modules: dict[str, int]) -> Access:
        module, separator, name = location.partition("::")
        if separator:
            return False, f"{modules.get(module, file) if module else file}::{name}"
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
        self._modules = _module_files(trace)

    def resolve(self, number: int) -> ResolvedEffects:
        """The effects of a statement that was not asked for before."""
        found = self.effects[number] = ResolvedEffects(self._trace, number, self._modules)
        return found


def ended(trace: Trace) -> set[int]:
    """The events of loop headers that ended their loop: they bind nothing.

    What follows one that fetched an item, in the same activation, is in the loop's body.
    """
    fetching = bytearray("<next>" in each.writes for each in trace.statements)
    statement, activation, scope = trace.statement, trace.activation, trace.scope
    found: set[int] = set()
    open_fetches: dict[int, int] = {}  # by activation: a fetch that nothing has followed yet
    for event, number in enumerate(statement):
        if open_fetches:
            fetch = open_fetches.pop(activation[event], NONE)
            if fetch != NONE:
                above = scope[fetch]
                maker = above if above != NONE and statement[above] == statement[fetch] else fetch
                if scope[event] != maker:
                    found.add(fetch)
        if fetching[number]:
            open_fetches[activation[event]] = event
    found.update(open_fetches.values())
    return found


def _module_files(trace: Trace) -> dict[str, int]:
    """The number of each file by the name of its module, without packages."""
    found = {}
    for number, file in enumerate(trace.files):
        folder, _, name = file.path.rpartition("/")
        stem = name.rpartition(".")[0] or name
        found[folder.rpartition("/")[2] if stem == "__init__" else stem] = number
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

"""What statements read that was set where nothing is recorded, as in an import before a test.

Nothing of that was left out, so a slice does not tell whether it matters: the source does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from stripe.trace.effects import ResolvedEffects
from stripe.trace.model import NONE, Trace
from stripe.trace.modules import Modules

DECLARATIONS = frozenset({"FunctionDef", "AsyncFunctionDef", "ClassDef", "Import", "ImportFrom"})
"""Kinds of statements that give something its name, and compute nothing."""


def unrecorded_definitions(trace: Trace, events: Iterable[int]) -> dict[int, int]:
    """The statements at the top of files that set what ``events`` read, and ran unrecorded.

    Returns:
        By statement, the nearest first: in how many steps what is read leads there.  Declarations
        are gone through, and are not among them.
    """
    recorded = set(trace.statement)
    modules = Modules(trace)
    effects: dict[int, ResolvedEffects] = {}
    writers: dict[str, list[int]] = defaultdict(list)
    for statement in trace.statements:
        file = trace.files[statement.file]
        top = statement.parent == NONE or statement.function == "<module>"
        if top and statement.id not in recorded and statement.line in file.elsewhere:
            found = effects[statement.id] = ResolvedEffects(trace, statement.id, modules)
            for local, key in (*found.writes, *found.changes):
                if not local:
                    writers[key].append(statement.id)
    steps: dict[int, int] = {}
    reached = {trace.statement[event] for event in events} if writers else set()
    keys = {key for each in reached for key in _read(ResolvedEffects(trace, each, modules))}
    seen: set[str] = set()
    distance = 0
    while keys:
        distance += 1
        seen |= keys
        further: set[str] = set()
        for key in sorted(keys):
            for number in writers.get(key, ()):
                steps.setdefault(number, distance)
                read = _read(effects[number])
                if trace.statements[number].kind in DECLARATIONS:  # one name of several
                    _, _, name = key.rpartition("::")
                    read = {each for each in read if each.endswith(f"::{name}")} or read
                further |= read
        keys = further - seen
    return {
        number: count
        for number, count in steps.items()
        if trace.statements[number].kind not in DECLARATIONS
    }


def _read(effects: ResolvedEffects) -> set[str]:
    """The variables of files among what a statement reads."""
    return {key for local, key in (*effects.reads, *effects.changes) if not local}

"""The log of the recorder, made into a trace.

Statements are the blocks that are neither prologue nor epilogue, all of them: those that never
ran are shown too.  Structural parents are few: an event needs the call it happened in, and the
first event of a handler needs what threw the exception.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from stripe.trace import NONE, Activation, SourceFile, Statement, Trace
from stripe.trace.model import LINE_KIND
from stripe_gdb.blocks import Table
from stripe_gdb.effects import EffectsOf
from stripe_gdb.inside.log import read_parts, write_parts
from stripe_gdb.sources import Sources


@dataclass(slots=True)
class Log:
    """What the recorder wrote; see ``inside/record.py``."""

    block: array[int]
    activation: array[int]
    activations: array[int]
    landings: array[int]
    frames: array[int]

    @classmethod
    def read(cls, path: Path) -> Log:
        return cls(**read_parts(path))  # type: ignore[no-untyped-call]

    def until(self, event: int) -> Log:
        """What had been written before an event; what was being executed then never ended."""
        callers = self.activations[2::4]
        made = next((n for n, caller in enumerate(callers) if caller >= event), len(callers))
        landed = sum(each < event for each in self.landings[0::2])
        return Log(
            self.block[:event],
            self.activation[:event],
            self.activations[: 4 * made],
            self.landings[: 2 * landed],
            self.frames[:made],
        )

    def write(self, path: Path) -> None:
        """Write it as a recorder does."""
        write_parts(path, self)  # type: ignore[no-untyped-call]

    def functions(self) -> set[int]:
        """The functions that ran, by their entry blocks."""
        return set(self.activations[0::4])


def make_trace(
    log: Log,
    table: Table,
    sources: Sources,
    names: Mapping[int, str],
    elsewhere: Collection[int] = (),
) -> Trace:
    """The trace of a recorded run.

    ``names`` are those of functions, by entry block; ``elsewhere`` blocks that other threads ran.
    """
    files: dict[str, int] = {}
    functions = log.functions()
    ran = {table.blocks[block].file for block in (*functions, *elsewhere)}
    theirs: dict[str, set[int]] = {}
    for block in (table.blocks[number] for number in elsewhere):
        theirs.setdefault(os.path.normpath(block.file), set()).add(block.line)

    def file(path: str) -> int:
        return files.setdefault(os.path.normpath(path), len(files))

    guesses = EffectsOf(sources.text, sorted(ran))
    blocks_of: dict[tuple[int, str, int], list[int]] = {}
    for number, block in enumerate(table.blocks):
        if not block.entry and not block.epilogue:
            blocks_of.setdefault((block.function, block.file, block.line), []).append(number)
    statement_of = array("i", [NONE]) * len(table.blocks)
    statements: list[Statement] = []
    for path in sorted(ran):
        file(path)
    for number, block in enumerate(table.blocks):
        if block.entry or block.epilogue:
            continue
        if os.path.normpath(block.file) not in files and block.function not in functions:
            continue
        statement_of[number] = len(statements)
        name = names.get(block.function, "?")
        where, line = file(block.file), block.line
        same = blocks_of[block.function, block.file, line]
        effects = guesses.effects(block.file, line, same.index(number), len(same))
        reads, writes = tuple(effects.reads), tuple(effects.writes)
        kind, number = LINE_KIND, len(statements)
        statements.append(
            Statement(number, where, kind, line, line, line, 0, name, NONE, reads, writes)
        )
    entries, callers, events = log.activations[0::4], log.activations[1::4], log.activations[2::4]
    activations: list[Activation] = []
    for number, entry in enumerate(entries):
        event = events[number]
        if event == NONE and callers[number] != NONE:  # from a prologue or epilogue
            event = activations[callers[number]].caller
        where = file(table.blocks[entry].file)
        activations.append(Activation(number, names.get(entry, "?"), where, event))
    caller = array("i", (activations[number].caller for number in log.activation))
    scope = array("i", [NONE]) * len(log.block)
    for event, thrower in zip(log.landings[0::2], log.landings[1::2], strict=True):
        scope[event] = thrower
    return Trace(
        [
            SourceFile(
                sources.relative(path),
                sources.text(path),
                elsewhere=tuple(sorted(theirs.get(path, ()))),
            )
            for path in files
        ],
        statements,
        activations,
        array("i", (statement_of[block] for block in log.block)),
        log.activation,
        caller,
        scope,
    )

"""From a target to a recording: compile, read the file, find the blocks, run."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from stripe.backend import Probe, Target
from stripe.errors import UsageError
from stripe.kit.refusals import require_plain_names
from stripe.kit.slots import scratch_copies
from stripe.sandbox.layers import find_layer, try_layer
from stripe.sandbox.walls import Layer, no_sandbox
from stripe_gdb.blocks import Table, find_blocks
from stripe_gdb.compiler import compile_program
from stripe_gdb.elf import Executable, read_program
from stripe_gdb.hangs import CutRecording
from stripe_gdb.languages import LANGUAGES
from stripe_gdb.machine import find_gdb
from stripe_gdb.recording import NativeRecording
from stripe_gdb.refusals import (
    find_program,
    require_blocks,
    require_executable,
    require_rules,
    require_unoptimised,
)
from stripe_gdb.runner import Runner
from stripe_gdb.session import no_fixed_addresses, no_ptrace
from stripe_gdb.sources import Sources
from stripe_gdb.state_runs import StateRun
from stripe_gdb.tracing_session import require_engine
from stripe_gdb.witness import WitnessedRunner


@dataclass(frozen=True, slots=True)
class Opened:
    """A program that can be run: its file and blocks, its sources, and notes on it."""

    program: Executable
    table: Table
    sources: Sources
    layer: Layer
    notes: list[str]


def open_program(target: Target, why_walls: str) -> Opened:
    """Read the program, which is compiled first if it is a source.

    ``why_walls``: what makes runs of it dangerous where there are none.
    """
    find_gdb()  # before anything that takes long
    layer, why = find_layer()
    if layer is Layer.NONE and not target.unsafe:
        raise no_sandbox(f"{target.program!r} is native code, {why_walls}", why)
    require_tracing(layer)
    notes = []
    path = find_program(target)
    sources = Sources(target.directory, target.include, target.only, target.exclude)
    if path.suffix in LANGUAGES:
        target.deadline.start_phase("compiling the program")
        path, note = compile_program(path, target.directory, layer)
        notes.append(note)
    target.deadline.start_phase("reading the program")
    program = read_program(path, target.program, sources.wants)
    require_executable(path, target.program)
    table = find_blocks([program], sources.wants, sources.line, rounds=target.cut)
    units = [sources.relative(unit.name) for unit in program.units]
    require_blocks(table, units, target.only, target.program)
    require_unoptimised(program, sources.wants, target.program)
    return Opened(program, table, sources, layer, notes)


def require_tracing(layer: Layer) -> None:
    """What native programs are traced by must not be forbidden, as the self-test found out.

    Raises:
        UsageError: ``no-ptrace``, ``no-fixed-addresses`` or ``temporary-noexec``.
    """
    tasks = {} if layer is Layer.NONE else try_layer(layer).tasks
    if why := tasks.get("run a file in TMPDIR"):
        raise UsageError(
            "temporary-noexec",
            f"No program can be run in {tempfile.gettempdir()} ({why}), where copies of it are "
            "made: it may be mounted noexec.",
            "Set TMPDIR to a folder in which programs may be run: TMPDIR=DIR stripe ...",
        )
    if why := tasks.get("ptrace"):
        raise no_ptrace(why)
    if why := tasks.get("fix addresses"):
        raise no_fixed_addresses(why)


def open_recording(target: Target, probes: Sequence[Probe] = ()) -> NativeRecording:
    """Record ``target``; see :class:`stripe.backend.Backend`."""
    require_plain_names(probes)
    require_engine(target, probes)
    opened = open_program(target, "run with parts left out")
    with scratch_copies(target, opened.layer) as workspace:
        runner = WitnessedRunner(target, probes, opened.program, opened.table, workspace)
        kind = CutRecording if target.cut else NativeRecording
        return kind(runner, opened.sources, opened.notes)


def open_states(target: Target) -> StateRun:
    """Prepare runs whose states are looked at; see :class:`stripe.snapshots.Stateful`."""
    require_rules(target.unions)
    opened = open_program(target, "run in states that it never made")
    with scratch_copies(target, opened.layer) as workspace:
        runner = Runner(target, (), opened.program, opened.table, workspace)
        return StateRun(runner, opened.sources, opened.notes)

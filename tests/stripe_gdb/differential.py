"""What must hold for every native program: run plainly, recorded, and replayed."""

from __future__ import annotations

import random
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

from stripe.backend import End, Observation, Target
from stripe_gdb.preparation import open_recording
from tests.stripe_gdb.programs import Program

KEEP = (0.9, 0.5)


def facts(run: Observation) -> tuple[object, ...]:
    return run.end, run.status, run.stdout, run.stderr


def check_program(program: Program, folder: Path) -> None:
    """It compiles without a warning and does what is listed, always the same; plain run = recorded
    run = full replay under both engines, and partial runs run what they were told to.
    """
    work = folder / "work"
    work.mkdir()
    executable = Path(shutil.copy(program.compiled(), work))
    check_plain_runs(program, executable, folder)
    target = Target(executable.name, program.arguments, directory=work, stdin=program.stdin)
    by_gdb = check_target(program, target)
    by_ptrace = check_target(program, replace(target, engine="ptrace"))
    assert by_ptrace == by_gdb


def check_plain_runs(program: Program, executable: Path, folder: Path) -> None:
    """It does what is listed, and twice the same."""
    runs = []
    for number in ("first", "second"):
        directory = folder / number
        directory.mkdir()
        runs.append(program.run(executable, directory))
    first, second = runs
    assert first.stdout == program.stdout
    assert first.status == program.returncode
    assert program.stderr in first.stderr
    assert bool(first.stderr) == bool(program.stderr)
    assert (first.stdout, first.status, first.files) == (
        second.stdout,
        second.status,
        second.files,
    )
    if not program.stderr_varies:
        assert first.stderr == second.stderr


def check_target(program: Program, target: Target) -> tuple[object, ...]:
    """What one engine says of it."""
    recording = open_recording(target)
    try:
        trace = recording.trace
        everything = range(len(trace))
        assert recording.plain.stdout == program.stdout
        assert facts(recording.recorded) == facts(recording.plain)
        # That conditions evaluate as they did is all that strictness adds.
        with recording.replay(everything, strict=True) as full:
            assert facts(full) == facts(recording.plain)
        assert not any(each.function.startswith(("_Z", "_R")) for each in trace.activations)
        for parents in (trace.caller, trace.scope, trace.control):
            assert all(parent < event for event, parent in enumerate(parents))
        draw = random.Random(zlib.crc32(str(program).encode()))
        for share in KEEP:
            kept = trace.close([event for event in everything if draw.random() < share])
            run, executed = recording.executed(kept)
            # Exactly the kept events, in order: all of those in the activations that came to be.
            assert list(executed) == sorted(set(executed))
            assert set(executed) <= set(kept)
            if run.end is End.EXITED and recording.plain.end is End.EXITED:
                begun = {trace.activation[event] for event in executed}
                missing = [e for e in kept if trace.activation[e] in begun and e not in executed]
                # Unless the run ended before its time, by an `exit` of its own.
                assert missing == [] or executed[-1] < kept[-1]
        return (
            trace.statements, trace.activations, trace.statement, trace.activation, trace.caller,
            trace.scope, trace.control, facts(recording.recorded), recording.recorded.exception,
        )  # fmt: skip
    finally:
        recording.close()

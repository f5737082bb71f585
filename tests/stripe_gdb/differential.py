"""What must hold for every native program: run plainly, recorded, and replayed."""

from __future__ import annotations

import random
import zlib
from dataclasses import replace

from stripe.backend import End, Observation, Target
from stripe_gdb.opening import open_recording
from tests.stripe_gdb.programs import Program

KEEP = (0.9, 0.5)


def facts(run: Observation) -> tuple[object, ...]:
    return run.end, run.status, run.stdout, run.stderr


def check_program(program: Program, folder, *, strict: bool) -> None:
    """Plain run = recorded run = full replay, and partial runs run what they were told to."""
    executable = program.compile(folder)
    target = Target(executable.name, program.arguments, directory=folder, stdin=program.stdin)
    by_gdb = check_target(program, target, strict=strict)
    by_ptrace = check_target(program, replace(target, engine="ptrace"), strict=strict)
    assert by_ptrace == by_gdb


def check_target(program: Program, target: Target, *, strict: bool) -> tuple[object, ...]:
    """What one engine says of it."""
    recording = open_recording(target)
    try:
        trace = recording.trace
        everything = range(len(trace))
        assert recording.plain.stdout == program.stdout
        assert facts(recording.recorded) == facts(recording.plain)
        with recording.replay(everything) as full:
            assert facts(full) == facts(recording.plain)
        if strict:
            with recording.replay(everything, strict=True) as full:
                assert facts(full) == facts(recording.plain)
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
        control = trace.control if strict else ()
        return (
            trace.statements, trace.activations, trace.statement, trace.activation, trace.caller,
            trace.scope, control, facts(recording.recorded), recording.recorded.exception,
        )  # fmt: skip
    finally:
        recording.close()

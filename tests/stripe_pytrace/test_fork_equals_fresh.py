"""A replay by the fork server does what the same replay in a fresh process does.

So does one in a process that is put back after each replay, where the system can do that.
"""

from __future__ import annotations

import os
import random
import re

import pytest

from stripe.backend import Observation
from stripe_pytrace.agent.snapshots.fork_point import FORKS_AT_FIRST
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import AT_FIRST
from tests.support import corpus
from tests.support.recordings import recorded

PROGRAMS = {program.name: program for program in corpus.programs()}
NAMES = (
    "generators_interleaved", "hash_order", "warnings_and_logging", "with_return",
    "callbacks_atexit", "pkg_name_main", "settrace_program", "async_cancellation",
)  # fmt: skip
SHARES = (0.3, 0.9)
ADDRESS = re.compile(rb"0x[0-9a-f]+")


def seen(run: Observation) -> tuple[object, ...]:
    return (
        run.end,
        run.status,
        ADDRESS.sub(b"0x", run.stdout),
        ADDRESS.sub(b"0x", run.stderr),
        run.detail,
    )


@pytest.mark.parametrize("name", NAMES)
def test_fork_equals_fresh(name, tmp_path):
    recording = PythonBackend().record(PROGRAMS[name].place(tmp_path))
    try:
        size = len(recording.trace)
        chance = random.Random(name)
        for _ in range(AT_FIRST + FORKS_AT_FIRST):
            with recording.replay(range(size)) as run:
                assert seen(run) == seen(recording.plain)
        for share in SHARES:
            kept = recording.trace.close(event for event in range(size) if chance.random() < share)
            with recording.replay(kept) as run:
                forked = seen(run)
            with recording.replay(kept, fresh=True) as run:
                assert seen(run) == forked
            assert b"/agent/" not in forked[3]  # type: ignore[operator]
    finally:
        recording.close()


def test_printing_tracebacks_leaves_nothing_in_classes_that_the_program_uses(tmp_path):
    """Since 3.14 it imports dataclasses, which ask the annotations of ``Mapping``."""
    (tmp_path / "prog.py").write_text(
        "from collections.abc import Mapping\nprint(sorted(vars(Mapping)))\n"
    )
    with recorded(tmp_path) as recording, recording.replay([0, 1]) as run:
        assert seen(run) == seen(recording.plain)


def test_what_a_library_changes_when_it_is_imported_does_not_reach_fresh_replays(
    tmp_path, monkeypatch
):
    """They are started by the process that has imported it for all others."""
    library = tmp_path / "lib"
    library.mkdir()
    (library / "changing.py").write_text(
        "import os, signal\n"
        "os.umask(0o123)\n"
        "signal.signal(signal.SIGUSR1, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(library))
    project = tmp_path / "project"
    project.mkdir()
    (project / "prog.py").write_text(
        "import os, signal\n"
        "import changing\n"
        "print(os.umask(0), signal.getsignal(signal.SIGUSR1), signal.pthread_sigmask(0, []))\n"
    )
    with recorded(project) as recording:
        assert recording.plain.stdout.startswith(b"83 1 {")
        with recording.replay([0, 2], fresh=True) as run:
            assert run.stdout == b"%d 0 set()\n" % umask()


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

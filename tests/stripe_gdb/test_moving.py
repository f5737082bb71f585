"""The engine that has recorded goes on to replay, as another one would."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from stripe.kit.limits import replay_output
from tests.stripe_gdb.differential import facts
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded, sample

pytestmark = [needs_gdb, needs_cc]

ENGINES = ("gdb", "ptrace") if platform.machine() == "x86_64" else ("gdb",)

WHERE = sample("moving/where.c")


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("engine", ENGINES)
def test_replays_know_where_they_are(engine: str, jobs: int, hidden: bool, tmp_path: Path) -> None:
    """The same engine goes on if the recorded run changed nothing in its directory (``hidden``)."""
    program = build(WHERE, tmp_path, f"-DHIDDEN={hidden:d}")
    with recorded(program, engine=engine, jobs=jobs) as recording:
        assert [path.name for path in recording.recorded.directory.glob("note")] == (
            [] if hidden else ["note"]
        )
        # The branches are known before anything was replayed, and are the same afterwards.
        parents = list(recording.trace.control)
        assert max(parents) >= 0
        everything = range(len(recording.trace))
        for fresh in (False, False, True):
            with recording.replay(everything, fresh=fresh) as run:
                assert facts(run) == facts(recording.plain)
                assert run.directory != recording.recorded.directory
                home = run.directory.parents[1]
                note = (home / "tmp" if hidden else run.directory) / "note"
                here, named, temporary, words, most = note.read_text().split()
                inside = recording._workspace.slot(int(home.name)).inside
                assert here == named == str(inside)
                assert temporary == str(home / "tmp")
                assert words == str(inside / "prog")
                assert int(most) == replay_output(run)
        assert list(recording._control()) == parents

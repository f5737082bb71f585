"""The engine that has recorded replays in another slot, as one started there would."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from stripe_gdb.recording import SLACK_OUTPUT
from tests.stripe_gdb.differential import facts
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded

pytestmark = [needs_gdb, needs_cc]

ENGINES = ("gdb", "ptrace") if platform.machine() == "x86_64" else ("gdb",)

WHERE = """\
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int number, char **words)
{
    char here[4000];
    struct rlimit most;
    getrlimit(RLIMIT_FSIZE, &most);
    FILE *note = fopen("note", "w");
    fprintf(note, "%s\\n%s\\n%s\\n", getcwd(here, sizeof here), getenv("PWD"), getenv("TMPDIR"));
    fprintf(note, "%s\\n%lu\\n", words[0], (unsigned long)most.rlim_cur);
    fclose(note);
    if (number == 1)
        puts("no words");
    puts("done");
    return 0;
}
"""


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("engine", ENGINES)
def test_replays_know_where_they_are(engine: str, jobs: int, tmp_path: Path) -> None:
    with recorded(build(WHERE, tmp_path), engine=engine, jobs=jobs) as recording:
        # The branches are known before anything was replayed, and are the same afterwards.
        parents = list(recording.trace.control)
        assert max(parents) >= 0
        everything = range(len(recording.trace))
        for fresh in (False, False, True):
            with recording.replay(everything, fresh=fresh) as run:
                assert facts(run) == facts(recording.plain)
                here, named, temporary, program, most = (run.directory / "note").read_text().split()
                assert here == named == str(run.directory)
                assert Path(temporary).is_dir()
                assert Path(temporary).parents[0] in run.directory.parents
                assert program == str(run.directory / "prog")
                assert int(most) == SLACK_OUTPUT + 2 * len(run.stdout)
        assert list(recording._control()) == parents

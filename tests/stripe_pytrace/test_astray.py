"""What goes astray in a partial run changes nothing outside, whatever the layer.

The recorded run does all of it to folders of its own.  Each replay leaves out one line that says
so, and nothing else: what it does then is done to a folder of the test's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from stripe.backend import End, Observation
from stripe.sandbox.walls import Layer
from tests.support.layers import WALLED, forced
from tests.support.recordings import recorded

MODE = "os.chmod(path + '/old', 0)"
# What is done, and what is said of it where there are no walls.
DEEDS = {
    "open(path + '/old', 'w').close()": "write {}/old",
    "os.remove(path + '/old')": "os.remove {}/old",
    "os.rename(path + '/old', path + '/gone')": "os.rename {}/old",
    "os.truncate(path + '/old', 0)": "os.truncate {}/old",
    MODE: "os.chmod {}/old",
    "os.symlink('x', path + '/name')": "os.symlink {}/name",
    "os.mkdir(path + '/made')": "os.mkdir {}/made",
    "os.unlink('old', dir_fd=os.open(path, os.O_RDONLY))": "os.remove {}/old",
    "shutil.rmtree(path)": "shutil.rmtree {}",
}
COMMANDS = {
    "os.system('rm ' + path + '/old')": "run b'rm {}/old'",
    "subprocess.run(['rm', '-r', path])": "run ['rm', '-r', '{}']",
    "os.posix_spawn('/bin/rm', ['rm', path + '/old'], {}); os.wait()": "run ['/bin/rm', '{}/old']",
}
"""Recorded in a sandbox, or where the user says that there is no need of one."""
NATIVE = ("ctypes.CDLL(None).unlink((path + '/old').encode())",)

# As text, which is not traced: so all of it happens in replays, too.
LOOK = """\
for name in sorted(os.listdir(path)) if os.path.exists(path) else ["nothing"]:
    print(name)
    if os.path.isfile(path + "/" + name):
        print(os.stat(path + "/" + name).st_mode, os.path.getsize(path + "/" + name))
"""
PRELUDE = f"""\
import ctypes, os, shutil, subprocess
look = {LOOK!r}
"""
DEED = """\
os.mkdir({mine!r}); open({mine!r} + '/old', 'w').write('precious')
path = {outside!r}
path = {mine!r}
{deed}
exec(look)
"""


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that is not in ``/tmp``, of which a run has its own in each layer."""
    with TemporaryDirectory(dir=Path.home()) as place:
        folder = Path(place, "outside")
        folder.mkdir()
        (folder / "old").write_text("precious")
        before = (folder / "old").stat()
        yield folder
        assert os.listdir(folder) == ["old"]
        assert (folder / "old").read_text() == "precious"
        assert (folder / "old").stat().st_mtime_ns == before.st_mtime_ns
        assert (folder / "old").stat().st_mode == before.st_mode


@contextmanager
def gone_astray(
    outside: Path, deeds: Iterable[str], *, unsafe: bool = False
) -> Iterator[tuple[bytes, list[tuple[str, Observation]]]]:
    """What the recorded run printed, and how each deed ended without the line before it."""
    folder = outside.with_name("work")
    folder.mkdir()
    blocks = [
        DEED.format(outside=str(outside), mine=f"mine{number}", deed=deed)
        for number, deed in enumerate(deeds)
    ]
    with recorded(folder, PRELUDE + "".join(blocks), unsafe=unsafe) as recording:
        trace = recording.trace
        lines = [trace.statements[trace.statement[event]].line for event in range(len(trace))]
        runs = []
        for number, deed in enumerate(deeds):
            line = PRELUDE.count("\n") + 5 * number + 3
            assert lines.count(line) == 1
            kept = [event for event, each in enumerate(lines) if each != line]
            other = number % 2 == 1  # the one way to replay it, or the other
            with recording.replay(kept, strict=other, fresh=other) as run:
                runs.append((deed, run))
        yield recording.recorded.stdout, runs


@pytest.mark.parametrize(("deeds", "unsafe"), [(DEEDS, False), (DEEDS | COMMANDS, True)])
def test_without_walls_it_is_not_even_tried(
    outside: Path, deeds: dict[str, str], unsafe: bool
) -> None:
    with forced(Layer.NONE), gone_astray(outside, deeds, unsafe=unsafe) as (_, runs):
        for deed, run in runs:
            assert (run.end, run.detail) == (End.HARMFUL, deeds[deed].format(outside))


@pytest.mark.parametrize("layer", WALLED)
def test_behind_walls_it_is_done_in_vain(outside: Path, layer: Layer) -> None:
    """To copies it is done as the recorded run did it to its own; without copies it fails."""
    deeds = [*DEEDS, *COMMANDS, *NATIVE]
    if layer is Layer.LANDLOCK:
        deeds.remove(MODE)  # which nobody may change there
    with forced(layer), gone_astray(outside, deeds) as (printed, runs):
        for deed, run in runs:
            assert (run.stdout == printed) is (layer is Layer.NAMESPACES), deed
            assert run.end is End.EXITED

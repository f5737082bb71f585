"""In a large working directory, which is shown as an overlay, all is as in a small one.

Every :meth:`Room.stripe` also asserts that nothing has changed there.
"""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from stripe.sandbox.layers import refused
from stripe.sandbox.walls import VARIABLE, Layer
from stripe.sandbox.workspace import LARGE_FILES
from tests.e2e.harness import Room
from tests.stripe_gdb.native import build, needs_cc, needs_gdb
from tests.stripe_perl.perl import needs_perl
from tests.support.patience import PATIENCE, wait_until

why_not = refused(Layer.NAMESPACES)
needs_namespaces = pytest.mark.skipif(why_not is not None, reason=str(why_not))

PYTHON = """\
import os
seen = os.path.exists('out/log.txt')
os.makedirs('out', exist_ok=True)
total = 0
for n in range(3):
    total += n
    with open('out/log.txt', 'a') as log:
        log.write(f'{total}\\n')
with open('notes.txt', 'a') as notes:
    notes.write('more\\n')
print(seen, open('out/log.txt').read().split(), open('notes.txt').read())
"""

PERL = """\
my $seen = -e 'log.txt' ? 1 : 0;
my $total = 0;
for my $n (1 .. 3) {
    $total += $n;
    open my $log, '>>', 'log.txt' or die;
    print $log "$total\\n";
    close $log;
}
open my $in, '<', 'log.txt' or die;
my @lines = <$in>;
print $seen, @lines;
"""

C = """\
#include <stdio.h>
int main(void) {
    FILE *old = fopen("log.txt", "r");
    int seen = old != NULL, total = 0, c;
    for (int n = 1; n < 4; n++) {
        total += n;
        FILE *log = fopen("log.txt", "a");
        fprintf(log, "%d\\n", total);
        fclose(log);
    }
    FILE *in = fopen("log.txt", "r");
    printf("%d ", seen);
    while ((c = getc(in)) != EOF)
        putchar(c);
    return 0;
}
"""


def fill(room: Room) -> None:
    """Make the directory a large one."""
    (room.work / "data").mkdir()
    for number in range(LARGE_FILES + 1):
        (room.work / "data" / str(number)).touch()
    room.file("notes.txt", "first\n")


def alike(room: Room, program: str, *arguments: str, check: str) -> None:
    """The same slice in a small directory, and in it when it is large."""
    room.environment[VARIABLE] = Layer.NAMESPACES.value
    room.file("notes.txt", "first\n")
    found = []
    for large in (False, True):
        if large:
            fill(room)
        run = room.trace(program, "--check", check, *arguments)
        assert any("overlay" in note for note in run.result["notes"]) is large
        assert run.slice()["certified"]
        assert run.slice()["verified"]
        found.append(run.kept())
    assert found[0] == found[1]


@needs_namespaces
@pytest.mark.parametrize("check", ["stdout", "file:out/log.txt", "cmd:grep -q 3 out/log.txt"])
def test_python(room: Room, check: str) -> None:
    alike(room, room.program(PYTHON), check=check)


@needs_namespaces
@needs_perl
@pytest.mark.parametrize("check", ["stdout", "file:log.txt"])
def test_perl(room: Room, check: str) -> None:
    alike(room, room.program(PERL, "prog.pl"), check=check)


@needs_namespaces
@needs_cc
@needs_gdb
@pytest.mark.parametrize("engine", ["ptrace", "gdb"])
def test_native(room: Room, tmp_path: Path, engine: str) -> None:
    (tmp_path / "built").mkdir()
    built = build(C, tmp_path / "built")
    for each in built.parent.iterdir():
        shutil.copy(each, room.work)
    alike(room, built.name, "--engine", engine, check="file:log.txt")


@needs_namespaces
def test_a_folder_that_cannot_be_renamed_there_is_no_failure_of_the_program(room: Room) -> None:
    fill(room)
    room.environment[VARIABLE] = Layer.NAMESPACES.value
    run = room.stripe("trace", room.program("import os\nos.rename('data', 'other')\n"))
    run.refused("denied-by-sandbox", "overlay", "smaller", status=1)


@needs_namespaces
def test_modes_and_times_of_the_directory_itself_are_put_back(room: Room) -> None:
    program = (
        "import os\nbefore = os.stat('.')\nos.utime('.', (1, 1))\nos.chmod('.', 0o711)\n"
        "print(before.st_mode == {mode}, before.st_mtime > 1)\n"
    )
    fill(room)
    room.work.chmod(0o755)
    room.environment[VARIABLE] = Layer.NAMESPACES.value
    name = room.program(program.format(mode=room.work.stat().st_mode))
    run = room.trace(name, "--check", "stdout:/^True True$/")
    assert run.lines() == [1, 2, 5]


@needs_namespaces
def test_an_edit_ends_the_search(room: Room) -> None:
    fill(room)
    started = room.elsewhere / "started"
    program = room.program(
        "import time\nnotes = open('notes.txt').read()\ntime.sleep(0.3)\n"
        + "".join(f"x{n} = {n}\n" for n in range(40))
        + "print(notes)\n"
    )
    with open(started, "wb") as stream:
        process = room.start("trace", program, "-v", stderr=stream)

    def edit() -> None:
        wait_until(lambda: b"test 1:" in started.read_bytes(), lambda: "no test was told of")
        (room.work / "notes.txt").write_text("second\n")

    editor = threading.Thread(target=edit)
    editor.start()
    with room.never_outlived_by(process):
        out, _ = process.communicate(timeout=PATIENCE)
    editor.join()
    assert process.returncode != 0
    assert out == b""
    assert b"[directory-changed]" in started.read_bytes()
    assert b"notes.txt" in started.read_bytes()

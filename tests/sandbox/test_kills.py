"""Whatever is killed, and when: nothing is left behind, and an answer that was there is kept.

``STRIPE_TEST_KILLS`` says how many random kills there are; 500 take the better part of an hour.
"""

from __future__ import annotations

import json
import os
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stripe.sandbox.layers import refused
from stripe.sandbox.walls import VARIABLE, Layer
from tests.support.killing import kill
from tests.support.patience import PATIENCE, wait_until

KILLS = int(os.environ.get("STRIPE_TEST_KILLS", "10"))
MARK = "STRIPE_TEST_KILLS_MARK"

# All leave a child behind that would run for hours, in a session of its own.
PYTHON = """\
import os, time
if os.fork() == 0:
    os.setsid()
    os.closerange(0, 3)
    os.execlp("sleep", "sleep", "10000")
time.sleep(0.2)
total = 0
for number in range(60):
    total += number
    total ^= 3
print(total)
"""
C = """\
#include <stdio.h>
#include <unistd.h>
static int total;
int main(void)
{
    fflush(stdout);
    if (fork() == 0) {
        setsid();
        close(0); close(1); close(2);
        execlp("sleep", "sleep", "10000", NULL);
        _exit(0);
    }
    usleep(200000);
    for (int i = 0; i < 30; i++) {
        total += i;
        total ^= 3;
    }
    printf("%d\\n", total);
    return 0;
}
"""
SCRIPT = """\
#!/bin/sh
setsid sleep 10000 >/dev/null 2>&1 </dev/null &
sleep 0.02
grep -q needle "$1" && grep -q other "$1"
"""

LAYERS = [each for each in (Layer.NAMESPACES, Layer.LANDLOCK) if refused(each) is None]
SEARCH = ("--algorithm", "ddmin", "--jobs", "2", "--json", "../out/result.json", "-q")
native = shutil.which("gdb") and shutil.which("gcc")
KINDS = {
    "python": ("trace", "prog.py", *SEARCH),
    "input": ("input", "data.txt", "--test", "./test", "--output", "../out/reduced", *SEARCH[:6]),
}
if native:
    KINDS["gdb"] = ("trace", "./prog", *SEARCH)
if native and platform.machine() == "x86_64":
    KINDS["ptrace"] = ("trace", "./prog", "--engine", "ptrace", *SEARCH)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kills")
    (folder / "prog.py").write_text(PYTHON)
    lines = [f"line {number}\n" for number in range(400)]
    lines[50], lines[350] = "needle\n", "other\n"
    (folder / "data.txt").write_text("".join(lines))
    (folder / "test").write_text(SCRIPT)
    (folder / "test").chmod(0o755)
    if native:
        (folder / "prog.c").write_text(C)
        subprocess.run(["gcc", "-g", "-O0", "prog.c", "-o", "prog"], cwd=folder, check=True)
    return folder


VERBS = {
    "causes": ("causes", "half.py", "--fail", "7", "--pass", "8", "-q"),
    "changes": (
        "changes",
        "good",
        "bad",
        "--test",
        f"{sys.executable} half.py 7",
        "-q",
        "--output",
        "../out/changes.patch",
    ),
    "suspects": ("suspects", "half.py", "--expect", "4", "7", "-q"),
    "trace": KINDS["python"],
    "input": KINDS["input"],
    "verify": ("verify", "--yes", "--directory", ".", "saved.json"),
}
HALF = """\
import os, sys, time
if os.fork() == 0:
    os.setsid()
    os.closerange(0, 3)
    os.execlp("sleep", "sleep", "10000")
total = 0
for number in range(int(sys.argv[1])):
    total += number % 2
assert total != 3, total
print(total)
"""


class Job:
    """A command, all that it starts, and all that it could leave."""

    def __init__(
        self, words: tuple[str, ...], layer: Layer, work: Path, folder: Path, mark: str
    ) -> None:
        self.mark = f"{MARK}={mark}".encode()
        self.scratch, self.out = folder / "scratch", folder / "out"
        self.cache = folder / "cache"
        for place in (self.scratch, self.out):
            place.mkdir()
        self.work = folder / "work"
        shutil.copytree(work, self.work)
        self.before = self.world()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "stripe.cli.main", *words],
            cwd=self.work,
            env=os.environ
            | {
                MARK: mark,
                VARIABLE: layer.value,
                "TMPDIR": str(self.scratch),
                "XDG_CACHE_HOME": str(self.cache),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def world(self) -> list[object]:
        """What a run could leave outside."""
        mounts = Path("/proc/self/mountinfo").read_text()
        objects = [Path(f"/proc/sysvipc/{kind}").read_text() for kind in ("shm", "sem", "msg")]
        shared = [name for name in os.listdir("/dev/shm") if not name.startswith("pytest")]
        return [mounts, objects, sorted(shared), sorted(os.listdir(self.work))]

    def processes(self) -> list[int]:
        """All of its processes but the command itself; no zombies."""
        found: list[int] = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                continue
        return [pid for pid in sorted(found) if pid != self.process.pid]

    def wait_for_an_orphan(self) -> None:
        """Until there is something to bury."""

        def sleeps() -> bool:
            assert self.process.poll() is None
            return any(b"10000" in words(pid) for pid in self.processes())

        wait_until(sleeps)

    def must_be_gone(self) -> None:
        """Nothing of it is left, nor will be."""

        def left() -> list[object]:
            changed = zip(self.world(), self.before, strict=True)
            return [
                *self.processes(),
                *self.scratch.iterdir(),
                *self.unfinished(),
                *(now for now, old in changed if now != old),
            ]

        wait_until(lambda: not left(), lambda: str(left()))

    def unfinished(self) -> list[Path]:
        """What was on its way into the cache."""
        found = self.cache.rglob("*")
        return [path for path in found if re.fullmatch(r"stripe-[0-9a-f]{16}", path.name)]

    def kill_all(self) -> None:
        for pid in [*self.processes(), self.process.pid]:
            kill(pid)
        self.process.wait()


def words(pid: int) -> bytes:
    """The command of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


ENDINGS = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.mark.skipif(not LAYERS, reason="there is no sandbox here")
@pytest.mark.parametrize("number", range(KILLS))
def test_a_random_kill(number: int, work: Path, tmp_path: Path) -> None:
    draw = random.Random(number)
    turn, kind = divmod(number, len(KINDS))
    # Without namespaces the system ends nothing by itself.
    layer = LAYERS[turn % len(LAYERS)]
    job = Job(KINDS[sorted(KINDS)[kind]], layer, work, tmp_path, f"{os.getpid()}-{number}")
    try:
        job.wait_for_an_orphan()
        # Not to wait for something: the moment is what is random.
        time.sleep(draw.choice((0.0, draw.uniform(0.0, 3.0))))
        how = draw.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, None))
        if how is not signal.SIGKILL and (victims := job.processes()):
            kill(draw.choice(victims))
        if how is not None:
            job.process.send_signal(how)
        _, err = job.process.communicate(timeout=PATIENCE)
        job.must_be_gone()
    finally:
        job.kill_all()
    status = job.process.returncode
    said = err.decode()
    assert "internal-error" not in said
    if how is None:
        assert status == 0, said
    elif how is not signal.SIGKILL:
        assert status in (0, ENDINGS[how]), said  # 0: it had come to its end
    written = list(job.out.iterdir())
    for path in written:  # whole, if it is there at all
        if path.suffix == ".json":
            json.loads(path.read_text())
    if status == 0:
        assert written


@pytest.mark.skipif(Layer.LANDLOCK not in LAYERS, reason="there is no Landlock here")
@pytest.mark.parametrize("which", range(3))
def test_a_guard_is_killed_where_no_namespace_ends_what_is_left(
    which: int, work: Path, tmp_path: Path
) -> None:
    job = Job(KINDS["input"], Layer.LANDLOCK, work, tmp_path, f"{os.getpid()}-guard-{which}")
    try:
        job.wait_for_an_orphan()
        # The two guards, and the launcher, which goes on in the process of a guard's child.
        guards = [pid for pid in job.processes() if b"enter.py" in words(pid)]
        kill(guards[which])
        job.process.communicate(timeout=PATIENCE)
        job.must_be_gone()
    finally:
        job.kill_all()


@pytest.fixture(scope="module")
def halves(work: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something for each verb."""
    folder = tmp_path_factory.mktemp("halves") / "work"
    shutil.copytree(work, folder)
    for place, condition in (("good", "total != 300"), ("bad", "total != 3"), (".", "total != 3")):
        (folder / place).mkdir(exist_ok=True)
        (folder / place / "half.py").write_text(HALF.replace("total != 3", condition))
    subprocess.run(
        [sys.executable, "-m", "stripe.cli.main", "trace", "half.py", "-q",
         "--json", "saved.json", "7"],
        cwd=folder, check=True, stdin=subprocess.DEVNULL, timeout=PATIENCE,
    )  # fmt: skip
    return folder


@pytest.mark.skipif(not LAYERS, reason="there is no sandbox here")
@pytest.mark.parametrize("number", range(max(1, KILLS // 5)))
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_killed(verb: str, number: int, halves: Path, tmp_path: Path) -> None:
    draw = random.Random(f"{verb} {number}")
    layer = LAYERS[number % len(LAYERS)]
    job = Job(VERBS[verb], layer, halves, tmp_path, f"{os.getpid()}-{verb}-{number}")
    try:
        # Not to wait for something: the moment is what is random.
        time.sleep(draw.uniform(0.0, 2.0))
        early = job.process.poll() is None
        job.process.kill()
        _, err = job.process.communicate(timeout=PATIENCE)
        assert early or job.process.returncode in (0, 1), err
        job.must_be_gone()
    finally:
        job.kill_all()

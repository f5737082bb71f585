"""Small limits of the shell: each verb tells a limit, and never a fact about the user's program."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.cli import limits
from stripe.errors import UsageError
from tests.e2e.harness import Room, Run, command
from tests.harm import jail
from tests.stripe_gdb.native import needs_cc, needs_gdb
from tests.stripe_perl.perl import needs_perl
from tests.support.patience import PATIENCE

HALF = "import sys\ntotal = int(sys.argv[1]) // 2\nassert total != 3, total\nprint(total)\n"
TEST = f"{sys.executable} half.py 7"
VERBS = {
    "trace": ("trace", "half.py", "7"),
    "input": ("input", "data.txt", "--check", "stdout:/needle/", "--", "cat", "@@"),
    "changes": ("changes", "good", "bad", "--test", TEST),
    "causes": ("causes", "half.py", "--fail", "7", "--pass", "8"),
    "suspects": ("suspects", "--expect", "4", "half.py", "7"),
    "verify": ("verify", "--yes", "saved.json"),
}
LIMITS = ("-n 12", "-n 64", "-v 30000", "-v 60000", "-f 0", "-f 1")


def limited(room: Room, limit: str, *words: str) -> Run:
    command = [sys.executable, "-m", "stripe.cli.main"]
    return room.stripe(*words, words=["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *command])


@pytest.fixture
def ready(room: Room) -> Room:
    for place, text in (("good/", HALF.replace("3", "300")), ("bad/", HALF), ("", HALF)):
        room.file(f"{place}half.py", text)
    room.file("data.txt", "one\nneedle\n")
    room.file("saved.json", "{}")
    return room


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("verb", VERBS)
def test_it_is_named(ready: Room, verb: str, limit: str) -> None:
    run = limited(ready, limit, *VERBS[verb])
    run.refused("system-limit", f"ulimit {limit[:2]}", status=2)


def test_a_verb_that_runs_nothing_tells_it_as_well(ready: Room) -> None:
    limited(ready, "-v 60000", "doctor").refused("system-limit", "ulimit -v", status=2)


def test_processes_that_the_user_has_count(monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.getuid()
    there = limits.tasks(user)
    assert there >= 1
    monkeypatch.setattr(os, "geteuid", lambda: user or 12345)
    monkeypatch.setattr(limits, "tasks", lambda asked: there)
    known = resource.getrlimit
    for more, refused in ((limits.LEAST_PROCESSES - 1, True), (limits.LEAST_PROCESSES, False)):
        limit = there + more

        def told(which: int, limit: int = limit) -> tuple[int, int]:
            return (limit, limit) if which == resource.RLIMIT_NPROC else known(which)

        monkeypatch.setattr(resource, "getrlimit", told)
        if not refused:
            limits.require_limits()
            continue
        with pytest.raises(UsageError, match=f"no more than {limit} processes") as error:
            limits.require_limits()
        assert error.value.slug == "system-limit"
        assert "ulimit -u" in error.value.hint


FULL = """\
mount -t tmpfs -o size="$0" tmpfs "$TMPDIR" && exec "$@"
"""
needs_mount = pytest.mark.skipif(
    os.geteuid() != 0
    or shutil.which("unshare") is None
    or subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0,
    reason="mounts a small disk",
)


@needs_mount
@pytest.mark.parametrize("size", ["16k", "48k"])
@pytest.mark.parametrize("verb", ["trace", "input", "changes", "causes", "suspects"])
def test_a_full_disk_is_named(ready: Room, verb: str, size: str) -> None:
    """Where there is room for a part of the copies only; ``input`` and ``changes`` need little."""
    words = ["unshare", "-m", "--propagation", "private", "sh", "-c", FULL, size, *command()]
    answers = {"input": ("data.reduced.txt",), "changes": ("changes.patch",)}
    before = {each.name for each in ready.work.iterdir()}
    process = ready.start(*VERBS[verb], words=words)
    with ready.never_outlived_by(process):
        out, err = process.communicate(timeout=PATIENCE)
    run = Run(process.returncode, out.decode(), err.decode())
    left = {each.name for each in ready.work.iterdir()} - before
    assert left <= set(answers.get(verb, ())), run
    if run.status == 0:
        return
    slug = "system-limit" if "[system-limit]" in run.err else "no-space-for-copies"
    run.refused(slug, "TMPDIR", status=2)


@pytest.mark.parametrize("stopped", ["getpid", "getppid"])
def test_a_process_that_was_stopped(room: Room, stopped: str) -> None:
    """In the sandbox only: elsewhere the parent is not the program's to stop."""
    room.program(f"import os, signal\nos.kill(os.{stopped}(), signal.SIGSTOP)\nprint(1 / 0)\n")
    run = room.stripe("trace", "--timeout", "2", "prog.py")
    run.refused("process-stopped", "SIGSTOP", status=1)


STOPS_ITS_PARENT = {
    "prog.py": "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\nprint(3)\n",
    "prog.pl": "kill 'STOP', getppid;\nprint 3;\n",
    "prog.c": """\
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    kill(getppid(), SIGSTOP);
    puts("3");
    return 0;
}
""",
    "test.sh": "#!/bin/sh\nkill -STOP $PPID\ngrep -q needle data.txt\n",
}
PREPARED = """\
mkdir /tmp/alone && cd /tmp/alone && printf %s "$1" > "$0" && chmod +x "$0" || exit 1
printf 'one\\nneedle\\ntwo\\n' | tee data.txt > good
shift
"$@"
"""
"""Our command is no process 1, as that one cannot be stopped."""


@pytest.mark.skipif(bool(jail.unavailable()), reason=jail.unavailable())
@pytest.mark.parametrize(
    ("name", "words", "shown"),
    [
        ("prog.py", "trace prog.py", "stdout       3"),
        pytest.param("prog.pl", "trace prog.pl", "stdout       3", marks=[needs_perl]),
        pytest.param("prog.c", "trace prog.c --engine ptrace", "stdout       3", marks=[needs_cc]),
        pytest.param(
            "prog.c", "trace prog.c --engine gdb", "stdout       3", marks=[needs_cc, needs_gdb]
        ),
        ("test.sh", "input data.txt --test ./test.sh", "needle"),
    ],
)
def test_a_parent_that_was_stopped_without_a_sandbox_goes_on(
    room: Room, name: str, words: str, shown: str
) -> None:
    """It was waited for without an end, or taken for a program that hangs."""
    verb, *more = words.split()
    begin = ["sh", "-c", PREPARED, name, STOPS_ITS_PARENT[name]]
    environment = {"STRIPE_SANDBOX_LAYER": "none", "TMPDIR": "/tmp", "XDG_CACHE_HOME": "/tmp/c"}
    in_jail = [sys.executable, str(Path(jail.__file__)), *begin, *command()]
    run = room.stripe(verb, "--unsafe", *more, words=in_jail, environment=environment)
    assert run.status == 0, run
    assert shown in run.out


def test_what_the_interpreter_prints_at_its_start_is_no_part_of_a_run(room: Room) -> None:
    """It was taken for the program's, which was refused as not reproducible."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", room.elsewhere], check=True)
    (packages,) = room.elsewhere.glob("lib/python3*/site-packages")
    (packages / "broken.pth").write_text("import nowhere_at_all\n")
    text = "import sys\nprint('so', file=sys.stderr)\nx = 2\nprint(1 / 0)\n"
    python = ("--python", str(room.elsewhere / "bin" / "python"))
    result = room.trace(room.program(text), *python).result
    assert result["slices"][0]["certified"]
    assert "nowhere_at_all" not in result["recorded"]["stderr"]
    assert "so" in result["recorded"]["stderr"]

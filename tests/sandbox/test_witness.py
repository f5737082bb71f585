"""What a witness sees of a command, and what the command notices of it: nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.sandbox.inside import witness
from stripe.sandbox.reads import (
    ABSENT,
    LARGE,
    Reads,
    Seen,
    Stamps,
    read_report,
    unwitnessed,
    witnessed,
)

SH = "/bin/sh"


def run(tmp_path: Path, *command: str) -> tuple[subprocess.CompletedProcess[bytes], Seen]:
    report = tmp_path / "report"
    done = subprocess.run(witnessed(command, report), capture_output=True, cwd=tmp_path)
    seen = read_report(report)
    if seen.refused:
        pytest.skip(seen.refused)
    return done, seen


def paths(seen: Seen, kind: str = "oxs") -> set[str]:
    return {path for each, path in seen.sights if each in kind}


def test_what_is_opened_executed_and_looked_for(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    done, seen = run(tmp_path, SH, "-c", "cat data; test -e nothing")
    assert (done.returncode, done.stdout) == (1, b"x")
    assert {SH, "/bin/cat", "/usr/bin/cat"} & paths(seen, "x")
    assert f"{tmp_path}/data" in paths(seen, "o")
    assert f"{tmp_path}/nothing" in paths(seen, "s")


def test_processes_of_processes_and_other_folders(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "data").write_text("x")
    text = f"cd a && {SH} -c '(cat data; :) | cat'"
    done, seen = run(tmp_path, SH, "-c", text)
    assert done.stdout == b"x"
    assert f"{tmp_path}/a/data" in paths(seen, "o")


def test_a_path_from_a_descriptor(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "data").write_text("x")
    code = "import os; f = os.open('a', os.O_RDONLY); print(os.stat('data', dir_fd=f).st_size)"
    done, seen = run(tmp_path, sys.executable, "-c", code)
    assert done.stdout == b"1\n"
    assert f"{tmp_path}/a/data" in paths(seen)


def test_what_is_only_written_is_not_read(tmp_path: Path) -> None:
    done, seen = run(tmp_path, SH, "-c", "echo x > new; echo y >> new")
    assert done.returncode == 0
    assert f"{tmp_path}/new" not in paths(seen)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_static_program(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(
        '#include <fcntl.h>\nint main(void) { return open("data", 0); }\n'
    )
    if subprocess.run(["cc", "-static", "-o", "p", "p.c"], cwd=tmp_path).returncode:
        pytest.skip("there is no static C library")
    (tmp_path / "data").write_text("x")
    done, seen = run(tmp_path, str(tmp_path / "p"))
    assert done.returncode == 3
    assert f"{tmp_path}/data" in paths(seen, "o")


def test_it_ends_as_the_command_does(tmp_path: Path) -> None:
    assert run(tmp_path, SH, "-c", "exit 7")[0].returncode == 7
    assert run(tmp_path, SH, "-c", "kill -TERM $$")[0].returncode == -signal.SIGTERM
    assert run(tmp_path, SH, "-c", "kill -KILL $$")[0].returncode == -signal.SIGKILL
    done, _ = run(tmp_path, "/nothing")
    assert done.returncode == 127
    assert b"No such file" in done.stderr


def test_the_command_is_as_it_would_be(tmp_path: Path) -> None:
    code = (
        "import os, signal; print(sorted(os.environ), os.getsid(0) == os.getpid(), "
        "os.listdir('/proc/self/fd'), signal.getsignal(signal.SIGINT), "
        "open('/proc/self/status').read().split('SigIgn:')[1][:17])"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    options = {"env": {"A": "1"}, "start_new_session": True, "capture_output": True}
    plain = subprocess.run(command, **options)  # type: ignore[call-overload]
    under = subprocess.run(witnessed(command, tmp_path / "r"), **options)  # type: ignore[call-overload]
    assert under.stdout == plain.stdout
    assert under.returncode == 0


def test_it_stays_in_a_session_that_is_not_ours(tmp_path: Path) -> None:
    code = "import os; print(os.getsid(0))"
    command = witnessed([sys.executable, "-I", "-S", "-c", code], tmp_path / "r")
    shell = subprocess.Popen(
        [SH, "-c", '"$@"; exit', "sh", *command], stdout=subprocess.PIPE, start_new_session=True
    )
    assert int(shell.communicate()[0]) == shell.pid


def test_signals_do_not_interrupt(tmp_path: Path) -> None:
    # An open that is interrupted would fail, if the kernel did not start it again.
    code = """
import ctypes, os, signal
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.siginterrupt(signal.SIGALRM, False)
libc = ctypes.CDLL(None, use_errno=True)
for _ in range(3000):
    file = libc.open(b"/etc/passwd", 0)
    assert file >= 0, os.strerror(ctypes.get_errno())
    os.close(file)
signal.setitimer(signal.ITIMER_REAL, 0)
"""
    done, _ = run(tmp_path, sys.executable, "-c", code)
    assert done.stderr == b""
    assert done.returncode == 0


def test_many_at_once(tmp_path: Path) -> None:
    code = """
import os, threading
def look():
    for n in range(200):
        assert not os.path.exists(f"/nothing-{n}")
threads = [threading.Thread(target=look) for _ in range(8)]
children = [os.fork() for _ in range(2)]
for t in threads: t.start()
for t in threads: t.join()
"""
    done, seen = run(tmp_path, sys.executable, "-W", "ignore", "-c", code)
    assert done.returncode == 0, done.stderr
    assert {f"/nothing-{n}" for n in range(200)} <= paths(seen)


def test_what_runs_on_is_answered(tmp_path: Path) -> None:
    text = (
        f"(sleep 0.5; cat /etc/passwd > {tmp_path}/new; mv {tmp_path}/new {tmp_path}/done) & exit 3"
    )
    report = tmp_path / "report"
    done = subprocess.run(
        witnessed([SH, "-c", text], report), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert done.returncode == 3
    assert done.stderr == b""  # waits for the end of what has it open
    assert (tmp_path / "done").read_bytes() == Path("/etc/passwd").read_bytes()


def test_where_nothing_can_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witness, "_ARCHITECTURES", {})
    with pytest.raises(witness.CannotWatch):
        witness.install()
    assert read_report(tmp_path / "no-report").refused
    (tmp_path / "report").write_bytes(b"no seccomp: Invalid argument")
    assert read_report(tmp_path / "report").refused == "seccomp: Invalid argument"
    # Then all of the copy counts.
    (tmp_path / "copy" / "a").mkdir(parents=True)
    (tmp_path / "copy" / "a" / "data").write_text("x")
    reads = unwitnessed(Stamps(tmp_path / "mine", tmp_path / "copy"), "reason")
    assert reads.unseen == "reason"
    assert list(reads.stamps) == ["a/data"]


# --- stamps


@pytest.fixture
def stamps(tmp_path: Path) -> Stamps:
    (tmp_path / "mine").mkdir()
    (tmp_path / "copy").mkdir()
    return Stamps(tmp_path / "mine", tmp_path / "copy", (tmp_path / "own",), "/slot/work")


def reads(stamps: Stamps, *sights: tuple[str, str]) -> Reads:
    return stamps.reads(Seen(sights, 1.0, ""))


def test_names_of_paths(stamps: Stamps, tmp_path: Path) -> None:
    work = str(tmp_path / "mine")
    assert stamps.key(f"{work}/a/b") == "a/b"
    assert stamps.key("/slot/work/a") == "a"
    assert stamps.key(f"{work}/x/../a") == "a"
    assert stamps.key(f"{work}/.") == "."
    assert stamps.key(work) == "."
    assert stamps.key("/etc/./passwd") == "/etc/passwd"
    for ours in (f"{tmp_path}/own/0000/tmp/x", "/proc/self/maps", "/dev/null", "/sys",
                 f"{work}/__pycache__/a.pyc"):  # fmt: skip
        assert stamps.key(ours) is None


def test_stamps_change_with_what_is_there(stamps: Stamps, tmp_path: Path) -> None:
    copy, outside = tmp_path / "copy" / "a", tmp_path / "outside"
    for path, key in ((copy, "a"), (outside, str(outside))):
        assert stamps.stamp(key) == ABSENT
        path.write_text("1")
        first = stamps.stamp(key)
        before = path.stat()
        path.write_text("2")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        second = stamps.stamp(key)
        path.chmod(0o700)
        assert len({first, second, stamps.stamp(key), ABSENT}) == 4


def test_a_link_is_what_it_leads_to(stamps: Stamps, tmp_path: Path) -> None:
    goal = tmp_path / "goal"
    goal.write_text("1")
    link = tmp_path / "link"
    link.symlink_to(goal)
    first = stamps.stamp(str(link))
    goal.write_text("22")
    second = stamps.stamp(str(link))
    link.unlink()
    link.symlink_to("goal")
    assert len({first, second, stamps.stamp(str(link))}) == 3
    link.unlink()
    link.symlink_to("link")
    assert "link" in stamps.stamp(str(link))  # and comes to an end


def test_folders_by_names_if_they_were_opened(stamps: Stamps, tmp_path: Path) -> None:
    folder = tmp_path / "copy" / "d"
    folder.mkdir()
    opened = dict(reads(stamps, ("o", f"{tmp_path}/mine/d")).stamps)
    looked = dict(reads(stamps, ("s", f"{tmp_path}/mine/d")).stamps)
    (folder / "new").write_text("")
    assert {key for key, old in opened.items() if stamps.stamp(key) != old} == {"d/"}
    assert {key for key, old in looked.items() if stamps.stamp(key) != old} == set()


def test_the_interpreter_of_a_script(stamps: Stamps, tmp_path: Path) -> None:
    (tmp_path / "copy" / "s").write_text("#!/bin/sh\n")
    assert "/bin/sh" in reads(stamps, ("x", f"{tmp_path}/mine/s")).stamps


def test_a_large_file_of_the_directory(stamps: Stamps, tmp_path: Path) -> None:
    for folder in ("copy", "mine"):
        with open(tmp_path / folder / "a", "wb") as stream:
            stream.truncate(LARGE + 1)
    first = stamps.stamp("a")
    (tmp_path / "mine" / "a").chmod(0o600)
    assert stamps.stamp("a") != first

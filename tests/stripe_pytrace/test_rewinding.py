"""A process that is put back after each run knows nothing of it, or is not used again."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.support.patience import PATIENCE

PROGRAM = """
import gc, mmap, os, select, signal, sys, time
from stripe_pytrace.agent.snapshots.restore import SINK, TAIL, Unfit, Worker, reserve, with_room

state, kept = {{"runs": 0}}, [bytearray(5000) for _ in range(100)]
wide = bytearray(24 << 20)

class Shop:
    sold = []

def act(number):
{act}

def main():
    global worker
    reserve()
    gc.freeze()
    try:
        worker = Worker()
    except Unfit:
        print("unfit")
        return
    if worker.order is not None:
        number = int(worker.order)
        told = act(number)
        os.write(SINK, f"{{told}}\\n".encode())
        worker.stop(number)
    for number in range({runs}):
        worker.begin(b"%d" % number)
        told, exited = b"", os.pidfd_open(worker.process)
        while (end := told.find(b"\\n") + 1) == 0 or len(told) < end + TAIL.size:
            ready = select.select([worker.reader, exited], [], [])[0]
            if worker.reader not in ready:
                break
            told += os.read(worker.reader, 1 << 16)
        os.close(exited)
        text, tail = told[: end - 1], told[end:]
        if len(tail) < TAIL.size:
            _, status = os.waitpid(worker.process, 0)
            print("lost", os.waitstatus_to_exitcode(status))
            worker.process = -1
            break
        print(text.decode(), TAIL.unpack(tail)[0])
    worker.end()
    print(len(os.listdir("/proc/self/fd")))

with_room(main)
"""


def told(act: str, runs: int = 4, stdin: IO[str] | None = None) -> list[str]:
    """What each run tells, with its exit status; then the number of descriptors."""
    body = "".join(f"    {line}\n" for line in act.strip().split("\n"))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(act=body, runs=runs)],
        capture_output=True,
        stdin=stdin or subprocess.DEVNULL,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    lines = done.stdout.splitlines()
    if lines == ["unfit"]:
        pytest.skip("this system cannot put a process back")
    return lines[:-1]


def test_what_a_run_changes_in_memory_is_not_there_in_the_next() -> None:
    """In modules, classes, large and small objects, and what is only found through C."""
    assert told(
        """
state["runs"] += 1
Shop.sold.append(number)
Shop.rate = getattr(Shop, "rate", 0) + 1
for each in kept:
    each[number] += 1
    each.extend(bytes(100 * number))
sys.setrecursionlimit(sys.getrecursionlimit() + 1)
sys.modules[f"m{len(sys.modules)}"] = sys
return state["runs"], Shop.sold, Shop.rate, sum(map(sum, kept)), sys.getrecursionlimit(), len(
    [each for each in sys.modules if each.startswith("m") and each[1:].isdigit()])
"""
    ) == [f"(1, [{number}], 1, 100, 1001, 1) {number}" for number in range(4)]


def test_what_is_put_back_may_lie_in_thousands_of_places() -> None:
    act = """
found = sum(wide[::4096])
for place in range(4096 * (number % 2), len(wide), 8192):
    wide[place] += 1 + number
return found, sum(wide[::4096]) // 3072
"""
    assert told(act, runs=6) == [f"(0, {1 + number}) {number}" for number in range(6)]


def test_it_does_not_matter_how_deep_the_run_before_has_ended() -> None:
    """Frames and the stack of C are those that there were."""
    assert told(
        """
def deep(n):
    if n:
        return deep(n - 1)
    os.write(SINK, b"deep\\n")
    worker.stop(number)
if number % 2:
    deep(300)
return "plain"
"""
    ) == ["plain 0", "deep 1", "plain 2", "deep 3"]


def test_each_run_reads_input_that_is_a_file_from_where_it_stood(tmp_path: Path) -> None:
    (tmp_path / "input").write_text("one\ntwo\nthree\n")
    act = "os.lseek(0, 4, os.SEEK_CUR) if number % 2 else 0\nreturn sys.stdin.read().split()"
    with open(tmp_path / "input", encoding="utf-8") as stdin:
        assert told(act, stdin=stdin) == [
            "['one', 'two', 'three'] 0", "['two', 'three'] 1", "['one', 'two', 'three'] 2",
            "['two', 'three'] 3",
        ]  # fmt: skip


def test_what_a_run_has_opened_to_be_read_is_closed_behind_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("one")
    act = f"""
first, folder = os.open({str(tmp_path / "file")!r}, os.O_RDONLY), os.listdir({str(tmp_path)!r})
return first, open(first).read(), folder, os.open("/dev/null", os.O_RDONLY) - first
"""
    (first, *others) = told(act)
    assert first.endswith(", 'one', ['file'], 0) 0")
    assert [each.rpartition(" ")[0] for each in others] == [first.rpartition(" ")[0]] * 3


@pytest.mark.parametrize(
    "act",
    [
        "open('/dev/null', 'w')",
        "os.dup(0)",
        "os.close(0)",
        "os.chdir('/')",
        "os.umask(0)",
        "os.lseek(0, 0, 0)",
        "os.read(0, 1)",
        "os.fork()",
        "signal.signal(signal.SIGUSR1, print)",
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
        "signal.setitimer(signal.ITIMER_REAL, 9)",
        "os.kill(os.getppid(), 0)",
        "os.set_blocking(1, False)",
        "os.nice(1)",
        "os.system('true')",
        "mmap.mmap(-1, 1 << 20)",
        "bytearray(1 << 28)",
    ],
)
def test_a_run_that_would_change_what_the_kernel_knows_is_ended_before_it_does(act: str) -> None:
    lines = told(f"if number == 2:\n    {act}\nreturn 'well'")
    assert lines == ["well 0", "well 1", f"lost -{signal.SIGSYS:d}"]


def test_clocks_and_files_looked_at_are_no_reason_to_end_a_run() -> None:
    act = "time.time(), os.getpid(), os.stat('/'), os.getcwd(), time.sleep(0), os.urandom(4)"
    assert told(f"{act}\nreturn 'well'", runs=2) == ["well 0", "well 1"]


def test_a_process_that_is_ended_by_a_run_leaves_no_other_behind() -> None:
    assert told("if number:\n    os._exit(7)\nreturn 'well'", runs=3) == ["well 0", "lost 7"]


LARGE = """
import os, sys
from stripe_pytrace.agent.snapshots.calls import LIBC, address, buffer
from stripe_pytrace.agent.snapshots.originals import PAGE, Originals
from stripe_pytrace.agent.snapshots.pages import LARGE, MADV_COLLAPSE

if LIBC is None:
    sys.exit("unfit")
content = os.urandom(300 * PAGE)
there = buffer(content, len(content))
spare = Originals()
spare.keep(os.getpid(), [address(there), PAGE])
if LIBC.syscall(28, spare._first, LARGE, MADV_COLLAPSE, 0, 0):
    sys.exit("refused")
originals = Originals()
for part in range(3):  # some is kept before, and some when it is in large pages
    originals.keep(os.getpid(), [address(there) + 100 * part * PAGE, 100 * PAGE])
    originals.settle()
((count, _, offset, total),) = originals.reads
print(count, os.pread(originals.number, total, offset) == content)
with open("/proc/self/smaps") as stream:
    maps = stream.read().split("/memfd:originals")[1:]
print(sum(int(each.split("PmdMapped:")[1].split()[0]) for each in maps))
"""


def test_what_runs_are_put_back_from_is_in_large_pages() -> None:
    if not Path("/sys/kernel/mm/transparent_hugepage").exists():
        pytest.skip("this kernel has none")
    run = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=False)
    if run.stderr == "unfit\n":
        pytest.skip("this system cannot put a process back")
    if run.stderr == "refused\n":
        pytest.skip("this kernel has no large page for a file in memory, or none left")
    assert run.stdout == "3 True\n4096\n"  # and those of the spare one

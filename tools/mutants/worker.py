"""Inside the jail: tries mutants, one after another, in processes forked from this one.

Process 1 of the jail, and the only one that outlives a mutant.  It has pytest imported, and nothing
that is mutated; what is tested is a copy of the tree, mounted over the checkout.  Jobs come in, and
answers go out, as lines of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import hypothesis  # noqa: F401  (forked processes need not import it again)
import pytest

from tests.harm import jail
from tools.mutants.rooms import ROOT
from tools.mutants.selecting import Watcher

COPIED = ("stripe", "backends", "plugins", "tests")
MEMORY = 6 << 30
"""Bytes of addresses that a process of a test may have: some mutants collect for ever."""


def settle(root: Path) -> None:
    """Put a copy of what is tested over the checkout, which stays as it is."""
    for name in COPIED:
        if (root / name).is_dir():
            copied = Path("/var/tmp/mutants", name)
            shutil.copytree(root / name, copied, symlinks=True)
            jail.mount(str(copied), str(root / name), flags=jail.MS_BIND)


def try_one(root: Path, job: dict[str, Any]) -> dict[str, Any]:
    """Run the tests of a job with its file changed; what came of it."""
    started = time.monotonic()
    path = root / job["path"] if job.get("path") else None
    if path:
        original, times = path.read_text(), path.stat()
        path.write_text(job["text"])
        # No two states of a file have the same time: it decides whether what was compiled is stale.
        os.utime(path, (times.st_atime, times.st_mtime + job["number"]))
    try:
        answer = _run(root, job)
    finally:
        if path:
            path.write_text(original)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return {**answer, "seconds": round(time.monotonic() - started, 1)}


def _run(root: Path, job: dict[str, Any]) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _test(root, job, writing)
    os.close(writing)
    answer = _follow(reading, job)
    os.close(reading)
    _clear(root)
    return answer


def _test(root: Path, job: dict[str, Any], told: int) -> None:
    """Run pytest in the forked process, and never come back."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing, output = os.open(os.devnull, os.O_RDWR), os.open("/tmp/output", os.O_RDWR | os.O_CREAT)
    for standard, opened in enumerate((nothing, output, output)):
        os.dup2(opened, standard)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(root)
    sys.path.insert(0, str(root))
    watcher = Watcher(told, job["tests"], job["folder"])
    options = ["-q", "-x", "-pno:cacheprovider", "-pno:xdist", "--basetemp=/tmp/tests"]
    options += ["-m", "not realworld"]  # they take long, and say little about a function
    if watcher.wanted is None:
        options.remove("-x")
    files = dict.fromkeys(test.partition("::")[0] for test in job["tests"])
    status = pytest.main([*options, *files], plugins=[watcher])
    watcher.tell({"status": int(status)})
    os._exit(0)


def _follow(reading: int, job: dict[str, Any]) -> dict[str, Any]:
    """Listen to the tests until one fails, all have passed, or one takes too long."""
    limits: dict[str, float] = job["limits"]
    ran: list[Any] = []
    test, limit, buffer = "(to collect)", job["limit"], b""
    while True:
        if not select.select([reading], [], [], limit)[0]:
            return {"outcome": "killed", "by": f"{test} (endless)", "ran": ran}
        data = os.read(reading, 1 << 16)
        if not data:
            return {"outcome": "killed", "by": f"{test} (ended)", "ran": ran}
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            told = json.loads(line)
            if "begins" in told:
                test = told["begins"]
                limit = limits.get(test, job["limit"])
            elif "test" in told:
                ran.append(told if "lines" in told else told["test"])
                if told["failed"] and not job.get("all"):
                    return {"outcome": "killed", "by": told["test"], "ran": ran}
            elif told["status"] == 0 or job.get("all"):
                return {"outcome": "survived", "ran": ran}
            else:
                return {"outcome": "killed", "by": f"{test} (status {told['status']})", "ran": ran}


def _clear(root: Path) -> None:
    """End all other processes of the jail, and remove what they left."""
    if os.getpid() != 1:
        raise PermissionError("not process 1 of a jail")
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break
    for place in ("/tmp", "/dev/shm"):
        for each in Path(place).iterdir():
            if any(kept.is_relative_to(each) for kept in (root, ROOT, Path(sys.prefix))):
                continue
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each, ignore_errors=True)
            else:
                each.unlink(missing_ok=True)


def main() -> None:
    """Answer jobs until there are no more."""
    if os.getpid() != 1:
        sys.exit("mutants: this is not a jail")
    root = Path(sys.argv[1])
    settle(root)
    os.environ["CI"] = "true"  # Hypothesis draws the same examples each time
    del os.environ["PYTHONPATH"]
    for line in sys.stdin:
        print(json.dumps(try_one(root, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()

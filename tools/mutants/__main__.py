"""``python -m tools.mutants [ROOM...]``: does the suite notice small changes of what it tests?

Each mutant is a copy of the tree with one small change, on which the tests that enter the changed
function are run, the quickest first, until one fails.  All of it happens in the jail of
``tests/harm``, for a mutant of what guards the machine may do anything.  Results are kept in
``build/mutants/`` as they come; a second call goes on where the first one ended.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.harm import jail
from tools.mutants.operators import Mutation, functions
from tools.mutants.rooms import ROOMS, ROOT, Room, equivalents, sample

KEPT = ROOT / "build" / "mutants"
RESULTS, BEFORE = ".jsonl", ".before.jsonl"
"""Ends of names: what is known, and what was known before ``--anew``: which test to try first."""
FAILED = 1
"""Exit status of an interpreter that ends by an exception."""
FULL = 300.0
"""Seconds that a test may take when nothing is mutated."""


class Jailed:
    """A worker in a jail, started again whenever a mutant has ended it."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.process: subprocess.Popen[str] | None = None
        self.jobs = 0

    def answer(self, job: dict[str, Any]) -> dict[str, Any]:
        """What came of a job."""
        if self.process is None:
            command = [sys.executable, jail.__file__, sys.executable, "-m", "tools.mutants.worker"]
            self.process = subprocess.Popen(
                ["nice", "-n", "5", *command, str(self.root)],
                cwd=self.root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
        self.jobs += 1
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps({**job, "number": self.jobs}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        if self.end() == FAILED:
            raise RuntimeError("the worker in the jail failed; what it said is above")
        return {"outcome": "killed", "by": "(the jail ended)", "ran": [], "seconds": 0.0}

    def end(self) -> int:
        """End it, with all that is in its jail; its exit status."""
        if self.process is None:
            return 0
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        status = self.process.wait()
        self.process = None
        return status


def in_parallel(jobs: int, work: list[Any], do: Any) -> None:
    """``do(jailed, item)`` for each item of the work, in ``jobs`` jails."""
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for item in work:
        waiting.put(item)

    def serve() -> None:
        jailed = Jailed()
        try:
            while True:
                do(jailed, waiting.get_nowait())
        except queue.Empty:
            return
        finally:
            jailed.end()

    threads = [threading.Thread(target=serve) for _ in range(min(jobs, len(work)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def baseline(room: Room, jobs: int) -> list[dict[str, Any]]:
    """The room's tests that pass: seconds, and what of the room each executes.

    ``executed`` has the lines, by paths and names, counted from the beginning of the function.
    """
    kept = KEPT / f"{room.name}.tests.jsonl"
    files: dict[str, str] = {}
    for place in room.tests:
        path = ROOT / place
        for each in [path] if path.is_file() else sorted(path.rglob("test_*.py")):
            content = hashlib.sha256(each.read_bytes()).hexdigest()
            files[str(each.relative_to(ROOT))] = content
    lines = kept.read_text().splitlines() if kept.exists() else []
    known = [
        each
        for each in map(json.loads, lines)
        if files.get(each["file"]) == each.get("content") and "executed" in each
    ]
    done = {each["file"] for each in known}
    command = "stripe/cli/main.py"
    after = "from __future__ import annotations\n"
    noting = f"import sys\nsys.path.append({str(ROOT)!r})\nfrom tools.mutants import entering\n"
    text = (ROOT / command).read_text().replace(after, f"{after}{noting}entering.note()\n", 1)
    names: dict[str, dict[int, str]] = {}

    def lasting(path: str, first: int, line: int) -> tuple[str, str, int]:
        """By the name of a function that begins there now; the lines will move."""
        if path not in names:
            names[path] = functions((ROOT / path).read_text())
        return path, names[path].get(first, ""), line - first

    def do(jailed: Jailed, file: str) -> None:
        job = {"tests": [file], "folder": room.folder, "limit": FULL, "limits": {}, "all": True}
        answer = jailed.answer({**job, "path": command, "text": text})
        with kept.open("a") as stream:
            for told in answer["ran"]:
                told["executed"] = grouped(lasting(*each) for each in told.pop("lines", []))
                known.append({"file": file, "content": files[file], **told})
                stream.write(json.dumps(known[-1]) + "\n")
        good = sum(bool(told.get("passed")) for told in answer["ran"])
        print(f"{room.name}: {file}: {good} of {len(answer['ran'])} tests pass", flush=True)

    in_parallel(jobs, [file for file in files if file not in done], do)
    return [told for told in known if told.get("passed")]


def grouped(lines: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, list[int]]]:
    """The lines, by paths and functions."""
    found: dict[str, dict[str, list[int]]] = {}
    for path, function, line in sorted(lines):
        found.setdefault(path, {}).setdefault(function, []).append(line)
    return found


def nearest(
    room: Room,
    mutation: Mutation,
    tests: list[dict[str, Any]],
    kills: Counter[tuple[str, str]],
    cap: float,
) -> list[dict[str, Any]]:
    """The tests for a mutant: those that enter its function, or that its room names for it, or all.

    The one that killed it before comes first, then those that are named one by one, then those that
    execute the changed line; of these, quick ones, and those that have killed mutants of the same
    file; as many as fit into ``cap`` seconds.
    """
    named = next((files for start, files in room.guests if mutation.path.startswith(start)), ())
    begins = {name: line for line, name in functions(mutation.text).items()}
    place = mutation.line - begins.get(mutation.function, 0)

    def lines(test: dict[str, Any]) -> list[int]:
        found: list[int] = test["executed"].get(mutation.path, {}).get(mutation.function, [])
        return found

    near = [test for test in tests if lines(test) or test["test"].startswith(named)] or tests
    nearest = tuple(each for each in named if "::" in each)

    def cost(test: dict[str, Any]) -> tuple[bool, bool, bool, float]:
        killed = kills[mutation.id, test["test"]]
        pointed = test["test"].startswith(nearest)
        seconds = test["seconds"] / (1 + 20 * kills[mutation.path, test["test"]])
        return not killed, not pointed, place not in lines(test), seconds

    chosen: list[dict[str, Any]] = []
    spent = 0.0
    for test in sorted(near, key=cost):
        if spent + test["seconds"] <= cap or not chosen:
            chosen.append(test)
            spent += test["seconds"]
    return chosen


def limit(seconds: float) -> float:
    """What is endless for a test that has taken so long: ten times that, or three, of slow ones."""
    return max(min(20 + 10 * seconds, 100), 3 * seconds)


def killer(by: str) -> str:
    """The name of the test that killed a mutant, without how it ended."""
    return re.sub(r" \((endless|ended|status \d+)\)$", "", by)


def judged(jailed: Jailed, job: dict[str, Any], trusted: dict[str, bool]) -> dict[str, Any]:
    """What comes of a mutant: a test that kills it has to pass on the tree as it is.

    It is run there once, with those that ran before it, and what came of it is kept in ``trusted``.
    One that fails there, too (what it needs has changed, say), is left out from then on.
    """
    unchanged = {name: value for name, value in job.items() if name not in ("path", "text")}
    tests = job["tests"]
    while tests := [test for test in tests if trusted.get(test, True)]:
        answer = jailed.answer({**job, "tests": tests})
        if answer["outcome"] == "survived":
            return answer
        by = killer(answer["by"])
        if answer["by"].endswith(" (endless)") and by in tests:
            # Perhaps the machine was busy: it counts if the test is endless by itself as well.
            answer = jailed.answer({**job, "tests": [by]})
            if answer["outcome"] == "survived":
                tests = [test for test in tests if test != by]
                continue
        if by not in trusted:
            ran = tests[: tests.index(by) + 1] if by in tests else tests
            again = jailed.answer({**unchanged, "tests": ran})
            trusted[by] = again["outcome"] == "survived"
            if not trusted[by]:
                print(f"fails without a change, too: {again['by']}", flush=True)
        if trusted[by]:
            return answer
        if by not in tests:
            raise RuntimeError(f"without a change, too: {answer['by']}")
    return {"outcome": "survived", "ran": [], "seconds": 0.0}


def run(room: Room, options: argparse.Namespace) -> None:
    """Try the mutants of a room that have no result yet."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"{room.name}{RESULTS}"
    if options.anew and kept.exists():
        kept.rename(KEPT / f"{room.name}{BEFORE}")
    results = results_of(room)
    wanted = sample(room, options.count, options.seed)
    again = {id for id, each in results.items() if options.again and each["outcome"] == "survived"}
    work = [mutation for mutation in wanted if mutation.id not in results or mutation.id in again]
    work = [mutation for mutation in work if mutation.id not in equivalents()]
    if not work:
        return
    tests = baseline(room, options.jobs)
    kills: Counter[tuple[str, str]] = Counter()
    for each in [*results_of(room, BEFORE).values(), *results.values()]:
        if each["outcome"] == "killed":
            kills.update((each[name], killer(each["by"])) for name in ("path", "id"))

    trusted: dict[str, bool] = {}
    slowest: dict[str, float] = {}
    for test in tests:  # any of a file may be the one that makes what the others use as well
        slowest[test["file"]] = max(test["seconds"], slowest.get(test["file"], 0))

    def do(jailed: Jailed, mutation: Mutation) -> None:
        chosen = nearest(room, mutation, tests, kills, options.cap)
        job: dict[str, Any] = {
            "path": mutation.path,
            "text": mutation.text,
            "folder": room.folder,
            "tests": [test["test"] for test in chosen],
            "limits": {test["test"]: limit(slowest[test["file"]]) for test in chosen},
            "limit": 90,
        }
        answer = judged(jailed, job, trusted)
        told = {name: value for name, value in vars(mutation).items() if name != "text"}
        by = answer.get("by", "")
        kills.update((name, killer(by)) for name in (mutation.path, mutation.id))
        line = {"id": mutation.id, **told, **answer, "ran": len(answer["ran"])}
        line["chosen"] = [test["test"] for test in chosen]
        with kept.open("a") as stream:
            stream.write(json.dumps(line) + "\n")
        print(
            f"{room.name} {mutation.id} {mutation.path}:{mutation.line} {mutation.operator}: "
            f"{answer['outcome']} {by} ({answer['seconds']} s)",
            flush=True,
        )

    in_parallel(options.jobs, work, do)


def results_of(room: Room, which: str = RESULTS) -> dict[str, dict[str, Any]]:
    """What is known about mutants of a room, by id; the last word counts."""
    kept = KEPT / f"{room.name}{which}"
    lines = kept.read_text().splitlines() if kept.exists() else []
    return {each["id"]: each for each in map(json.loads, lines)}


def table(rooms: list[Room], options: argparse.Namespace) -> str:
    """The table for the docs, and below it what survived."""
    reasons = equivalents()
    lines = [
        "| room | mutants | killed | equivalent | survived | not run | seed | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    survivors = []
    for room in rooms:
        results = results_of(room)
        outcomes: Counter[str] = Counter()
        seconds = 0.0
        wanted = sample(room, options.count, options.seed)
        for mutation in wanted:
            result = results.get(mutation.id, {"outcome": "not run", "seconds": 0.0})
            outcome = "equivalent" if mutation.id in reasons else result["outcome"]
            outcomes[outcome] += 1
            seconds += result["seconds"]
            if outcome == "survived":
                survivors.append(
                    f"{mutation.id} {mutation.path}:{mutation.line} ({mutation.function})\n"
                    f"    - {mutation.before}\n    + {mutation.after}\n"
                    f"    {result['ran']} tests ran"
                )
        counts = [outcomes[each] for each in ("killed", "equivalent", "survived", "not run")]
        cells = [room.name, len(wanted), *counts, options.seed, round(seconds)]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, "", *survivors])


def main() -> int:
    """Read the arguments, try mutants, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn (1)")
    parser.add_argument("--count", type=int, default=60, help="mutants of each room (60)")
    parser.add_argument("--cap", type=float, default=30, help="seconds of tests for each (30)")
    parser.add_argument("--jobs", type=int, default=2, help="jails at a time (2)")
    parser.add_argument("--again", action="store_true", help="try again what survived")
    parser.add_argument("--anew", action="store_true", help="try all again")
    parser.add_argument("--table", action="store_true", help="show what is known; run nothing")
    options = parser.parse_args()
    if unknown := set(options.rooms) - set(ROOMS):
        parser.error(f"no such room: {', '.join(sorted(unknown))}")
    rooms = [ROOMS[name] for name in options.rooms or ROOMS]
    if not options.table:
        if reason := jail.unavailable():
            print(f"mutants run in a jail alone, and there can be none: {reason}", file=sys.stderr)
            return 1
        for room in rooms:
            run(room, options)
    print(table(rooms, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""States of small C programs, read and changed by a gdb of the tests' own."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from stripe.snapshots import Alteration, Item, Part, Snapshot
from stripe.states import Graph
from stripe.states.snapshots import graph_of
from tests.stripe_gdb.native import why_no_calls
from tests.support.caching import cache_folder, locked

INSIDE = Path(__file__).parents[2] / "backends" / "stripe_gdb"

SERVER = """
import json, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, {inside!r})
import gdb
from inside import heap
from inside.state_change import Alteration
from inside.allocation import CannotBeMade
from inside.memory import Memory
from inside.symbols import Program
# Debug information of the loader may be here, and would be read in each run.
for each in ("auto-solib-add off", "confirm off", "debug-file-directory /nonexistent",
             "environment GLIBC_TUNABLES " + heap.TUNABLES):
    gdb.execute("set " + each)
requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
null = os.open(os.devnull, os.O_RDWR)
for each in (0, 1, 2):
    os.dup2(null, each)
path = ""

def go(job):
    global path, program
    if job["path"] != path:
        path = job["path"]
        gdb.execute("delete")
        gdb.execute("file " + path, to_string=True)
        gdb.execute("break " + job["place"], to_string=True)
    gdb.execute("set args " + job["arguments"])
    gdb.execute("run", to_string=True)
    frame = gdb.newest_frame()
    program = Program([each.pc for each in frame.find_sal().symtab.linetable()])

def tell(job, sizes=None):
    memory = Memory(program, gdb.newest_frame(), job["rules"], sizes)
    told = {{"bases": memory.bases, "items": memory.items, "unseen": memory.unseen}}
    return memory, {{**told, "digest": memory.digest()}}

for line in requests:
    job = json.loads(line)
    try:
        go(job)
        memory, said = tell(job)
        if "change" in job:
            change = Alteration(memory, job["change"])
            change.apply()
            _, said = tell(job, change.sizes)
            gdb.execute("continue", to_string=True)
            said["exit"] = int(gdb.convenience_variable("_exitcode"))
        else:
            gdb.execute("kill", to_string=True)
    except CannotBeMade as error:
        said = {{"cannot": str(error)}}
        gdb.execute("kill", to_string=True)
    answers.write(json.dumps(said) + chr(10))
    answers.flush()
"""


class CannotBeMade(Exception):
    """The engine says so."""


def compiled(source: str, *options: str, suffix: str = "c") -> Path:
    """A program, compiled once and for all."""
    if "// static" in source:
        options = (*options, "-static")
    key = hashlib.sha256("\0".join((source, suffix, *options)).encode()).hexdigest()[:16]
    folder = cache_folder(f"states/{key}")
    program = folder / "prog"
    with locked(folder):
        if not program.exists():
            file = folder / f"prog.{suffix}"
            file.write_text(source, "utf-8")
            compiler = "cc" if suffix == "c" else "c++"
            command = [compiler, "-g", "-O0", *options, str(file), "-o", str(folder / "new")]
            subprocess.run(command, check=True, cwd=folder)
            (folder / "new").rename(program)
    return program


class Reader:
    """Stops programs where their source says ``HERE``."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def _ask(self, source: str, arguments: str, rules: Sequence[str], **more: Any) -> Any:
        suffix = "cpp" if "// C++" in source else "c"
        program = compiled(source, suffix=suffix)
        lines = source.splitlines()
        line = next(n for n, each in enumerate(lines, 1) if "HERE" in each)
        job = {
            "path": str(program), "place": f"prog.{suffix}:{line}", "arguments": arguments,
            "rules": list(rules), **more,
        }  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, self._process.communicate()[1]
        told = json.loads(answer)
        if "cannot" in told:
            if why_no_calls():
                pytest.skip(why_no_calls())
            raise CannotBeMade(told["cannot"])
        return told

    def snapshot(self, source: str, arguments: str = "", rules: Sequence[str] = ()) -> Snapshot:
        """The state."""
        return snapshot(self._ask(source, arguments, rules))

    def graph(self, source: str, arguments: str = "", rules: Sequence[str] = ()) -> Graph:
        """The state as a graph."""
        return graph_of(self.snapshot(source, arguments, rules))

    def changed(
        self, source: str, arguments: str, alteration: Alteration, rules: Sequence[str] = ()
    ) -> tuple[Graph, int]:
        """The state after a change, and the exit status of the run that goes on from there."""
        other = alteration.other.private["items"]
        new = {ref.item for ref in alteration.contents if ref.new}
        for parts in alteration.contents.values():
            new |= {part.item for _, _, part in parts if part.new}
        change = {
            "contents": [[ref, parts] for ref, parts in alteration.contents.items()],
            "made": {str(each): other[each][:4] for each in sorted(new)},
        }
        told = self._ask(source, arguments, rules, change=change)
        return graph_of(snapshot(told)), told["exit"]


def snapshot(told: Any) -> Snapshot:
    """As the host has it."""
    items = [
        Item(kind, type_, text, text or "", [Part(*part) for part in parts], how is not None)
        for kind, type_, text, how, parts in told["items"]
    ]
    bases = [Part(*part) for part in told["bases"]]
    return Snapshot((), bases, items, told["unseen"], {"items": told["items"], **told})


@contextmanager
def reader(folder: Path) -> Iterator[Reader]:
    """A gdb that answers."""
    script = folder / "server.py"
    script.write_text(SERVER.format(inside=str(INSIDE)), "utf-8")
    errors = (folder / "errors").open("w")
    process = subprocess.Popen(
        ["gdb", "-nx", "-q", "-batch", "-x", str(script)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
        env={**os.environ, "DEBUGINFOD_URLS": ""},
    )  # fmt: skip
    with process, errors:
        try:
            yield Reader(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()

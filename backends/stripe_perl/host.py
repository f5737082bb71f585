"""Speaks for perl in a slot: a line of JSON each for requests and answers.

``host.py FOLDER LIBRARY OUTPUT MEMORY INCLUDE ONLY EXCLUDE PERL WORD...`` starts perl with the
runtime in ``LIBRARY``, which compiles the program and forks for each run.  ``FOLDER`` is for files
that both share; runs may use ``MEMORY`` bytes (0: all) and write ``OUTPUT`` bytes into a file.
Which files count is said by regular expressions of POSIX (empty: nothing).  Requests:

- ``{"probes": [[NAME, FILE, LINE], ...]}``: variables whose last values answers have from then on
- ``{"stdin": TEXT, "seconds": NUMBER}``: record; with ``"cut": true`` a run that does not end, too
- ``{"load": NODES, "cut": EVENT}``: take the run that another host has recorded; ``cut``: the event
  at which runs are cut off as they go on, or ``null``
- ``{"stdin": TEXT, "seconds": NUMBER, "kept": [EVENT, ...], "mode": MODE}``: replay
  (``replay``, ``program``: a kept condition that evaluates to something else ends it, ``step``: by
  stops); with ``"look": "compare"`` the answer has what kept events saw, with ``"show"`` what the
  variables that they name held, unless that is too much

It imports the standard library only: it is started anew for each slot.
"""

from __future__ import annotations

import base64
import json
import os
import resource
import struct
import subprocess
import sys
import zlib
from bisect import bisect_left
from pathlib import Path
from typing import IO, Any

NODE = struct.Struct("iii")  # site, parent, outcome: see runtime/model.h
STOPPED = {
    2: "a kept condition evaluates to something else",
    5: "it ended before the last recorded event",
    3: "it ran far more code that the recorded run had not run than that had in all",
}
FAULT = 6  # how a run stopped that could not begin, or go on, for what is ours
TOO_MANY = b"\0"  # looks to be logged
CUT = 7  # how a run stopped in the loop that goes on
LINE, FILE = 0, -1  # columns of sites
REQUESTS_FD = 201
MOST_RECORDED = NODE.size << 24  # as many nodes as there may be: see MOST_NODES there
WARDEN = "STRIPE_WARDEN"
SCOPES = ("STRIPE_INCLUDE", "STRIPE_ONLY", "STRIPE_EXCLUDE")


def find_warden() -> Any:
    """What undoes what a run did to the world, if we are behind walls (``stripe.sandbox``)."""
    told = os.environ.get(WARDEN)
    if told is None:
        return None
    namespace: dict[str, Any] = {}
    path = told.split(",", 2)[2]
    with open(path, "rb") as stream:
        exec(compile(stream.read(), path, "exec"), namespace)
    return namespace["Warden"]()


class Server:
    """Perl, which has compiled the program and forks for each run."""

    def __init__(
        self,
        folder: Path,
        library: str,
        limits: tuple[int, int],
        command: list[str],
        scopes: tuple[str, str, str] = ("", "", ""),
    ):
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._fixed: list[bool] = []
        self._probing = False
        self._nodes = b""
        self._events: list[int] = []
        self._warden = find_warden()
        requests, self._requests = os.pipe()
        answers_in, answers = os.pipe()
        perl, *words = command
        for number, pipe in enumerate((requests, answers), REQUESTS_FD):
            os.dup2(pipe, number)
            os.close(pipe)

        def prepare() -> None:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            output, memory = limits
            if output:  # the runtime writes what it has recorded, which may be more
                resource.setrlimit(resource.RLIMIT_FSIZE, (output, max(output, MOST_RECORDED)))
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        with open(folder / "compiled.out", "wb") as out, open(folder / "compiled.err", "wb") as err:
            self._process = subprocess.Popen(
                [perl, f"-I{library}", "-MStripeRuntime", *words],
                env={
                    **os.environ,
                    "STRIPE_REQUESTS": str(REQUESTS_FD),
                    "STRIPE_FOLDER": str(folder),
                    "STRIPE_HOME": os.getcwd() + "/",
                    **dict(zip(SCOPES, scopes, strict=True)),
                },
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                preexec_fn=prepare,
                pass_fds=(REQUESTS_FD, REQUESTS_FD + 1),
            )
        os.close(REQUESTS_FD)
        os.close(REQUESTS_FD + 1)
        self._answers: IO[str] = os.fdopen(answers_in)
        self.ready = self._answers.readline() == "ready\n"
        if self.ready:
            rows = self._read("sites").decode("utf-8", "surrogateescape").splitlines()
            self._sites = [row.split("\t") for row in rows]
            self._fixed = [True, *(row[2] == "1" for row in self._sites)]

    def _read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def _streams(self, *, run: bool) -> dict[str, Any]:
        """What was printed: by what runs as the program is compiled, and by the run."""
        streams = {}
        for name, short in (("stdout", "out"), ("stderr", "err")):
            text = self._read(f"compiled.{short}") + (self._read(name) if run else b"")
            streams[name] = text.decode("utf-8", "surrogateescape")
        return streams

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what a request says."""
        if not self.ready:
            code = self._process.wait()
            end = "signal" if code < 0 else "exited"
            return {"end": end, "status": abs(code), "path": {}, **self._streams(run=False)}
        if "probes" in request:
            self._take_probes(request["probes"])
            return {}
        if "load" in request:
            self._nodes = zlib.decompress(base64.b64decode(request["load"]))
            (self._folder / "nodes").write_bytes(self._nodes)
            self._find_events()
            cut = request.get("cut")
            self._ask(f"load {0 if cut is None else self._events[cut] + 1}")
            return {}
        stdin = request["stdin"].encode("utf-8", "surrogateescape")
        (self._folder / "stdin").write_bytes(stdin)
        recording = "kept" not in request
        if not recording:
            self._write_kept(request["kept"])
        mode = "record" if recording else request["mode"]
        look = "cut" if request.get("cut") else request.get("look", "")
        told = self._ask(f"{mode} {request['seconds']} {look}")
        end, status, stop, off, line, refused = told.split(" ", 5)
        died = self._answers.readline().rstrip("\n")
        if int(stop) == FAULT:
            return {"end": "fault", "detail": f"in perl: {refused}"}
        if int(stop) == CUT:
            end = "cut"
        facts: dict[str, Any] = {"end": end, "status": int(status), **self._streams(run=True)}
        if recording:
            self._nodes = self._read("nodes")
            self._find_events()
            packed = base64.b64encode(zlib.compress(self._nodes)).decode()
            facts["path"] = {"sites": self._sites, "nodes": packed}
            facts["refused"] = "" if refused == "-" else refused
            facts["line"] = int(line)
        elif refused != "-":
            facts.update(end="diverged", detail=f"it came to what cannot be followed: {refused}")
        elif int(stop) in STOPPED:
            facts.update(end="diverged", detail=STOPPED[int(stop)])
        elif len(request["kept"]) == len(self._events) and int(off) and mode != "step":
            facts.update(end="diverged", detail="with all events kept it went another way")
        facts["exception"] = self._exception(died)
        facts["probed"] = self._probed()
        if look in ("compare", "show") and (log := self._read("looks")) != TOO_MANY:
            facts["looks"] = self._looks(log)
        return facts

    def _take_probes(self, probes: list[tuple[str, str, int]]) -> None:
        lines = []
        for name, file, line in probes:
            sites = [
                str(number)
                for number, row in enumerate(self._sites, 1)
                if int(row[LINE]) == line
                and ("/" + os.path.normpath(row[FILE])).endswith("/" + os.path.normpath(file))
            ]
            lines.append(" ".join([name, *(sites or ["0"])]) + "\n")
        (self._folder / "probes").write_text("".join(lines), "utf-8")
        self._probing = True
        self._ask("probes")

    def _probed(self) -> list[str | None]:
        """The texts of the last values of probed variables."""
        if not self._probing:
            return []
        lines = self._read("probed").decode("utf-8", "replace").split("\n")[:-1]
        return [line[2:] if line[0] == "1" else None for line in lines]

    def _looks(self, log: bytes) -> dict[int, list[list[str]]]:
        """What events saw, in order: the name, the digest and the text of each value."""
        event_of = {node: event for event, node in enumerate(self._events)}
        found: dict[int, list[list[str]]] = {}
        for line in log.decode("utf-8", "replace").split("\n")[:-1]:
            node, *look = line.split("\t")
            event = event_of.get(int(node) - 1)
            if event is not None:
                found.setdefault(event, []).append(look)
        return found

    def _exception(self, died: str) -> dict[str, Any] | None:
        """What ended the run, if it was an exception, and the event that raised it."""
        ended, node, line, begin, end, file = died.split(" ", 5)
        if not int(ended):
            return None
        said = self._read("stderr")[: int(end)]
        text = said[int(begin) :] if int(begin) >= 0 else said.rstrip(b"\n").rpartition(b"\n")[2]
        place = bisect_left(self._events, int(node) - 1)
        known = place < len(self._events) and self._events[place] == int(node) - 1
        return {
            "message": text.decode("utf-8", "surrogateescape"),
            "file": file,
            "line": int(line),
            "event": place if known else None,
        }

    def _ask(self, line: str) -> str:
        os.write(self._requests, line.encode("ascii") + b"\n")
        answer = self._answers.readline()
        if not answer:
            sys.exit("perl has ended")
        if self._warden is not None:
            self._warden.renew()
        return answer.rstrip("\n")

    def _find_events(self) -> None:
        """Events are the nodes that can be left out; calls and structure are not."""
        sites = (site for site, _, _ in NODE.iter_unpack(self._nodes))
        self._events = [
            number for number, site in enumerate(sites) if site > 0 and not self._fixed[site]
        ]

    def _write_kept(self, kept: list[int]) -> None:
        marks = bytearray(b"\1" * (len(self._nodes) // NODE.size))
        for node in self._events:
            marks[node] = 0
        for event in kept:
            marks[self._events[event]] = 1
        (self._folder / "kept").write_bytes(marks)


def told_fault(error: Exception) -> str:
    """What is told of an exception of ours: its type, its message and where it was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f", in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
    return f"{type(error).__name__}: {error}{where}"


def main() -> None:
    """Answer the requests on standard input."""
    folder, library, output, memory, include, only, exclude, *command = sys.argv[1:]
    limits, scopes = (int(output), int(memory)), (include, only, exclude)
    server = Server(Path(folder), library, limits, command, scopes)
    for line in sys.stdin:
        try:
            said = server.answer(json.loads(line))
        except (OSError, MemoryError) as error:  # of the system's
            sys.exit(f"{type(error).__name__}: {error}")
        except Exception as error:  # ours: it says nothing of the program
            said = {"end": "fault", "detail": told_fault(error)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()

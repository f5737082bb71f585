"""Tests of calls: each forked from the program itself, without walls / by the server behind walls.

The first is the least such a test can be: a fork, a pipe for the answer, no output, the end of the
child and of its process group. The program is small, or has a hundred megabytes of objects.
"""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from benchmarks.measure import Row, Sizes, interleaved, ratio, value
from stripe.inputs.calls.isolation import Server

TESTS = 20
OBJECTS = 4_000_000
LIMIT = 60.0


def run(sizes: Sizes) -> Iterator[Row]:
    for name, count in (("small", 0), ("100 MB", OBJECTS)):
        ballast = [object() for _ in range(count)]
        yield from _rows(f"program of {name}", sizes.choose(15, 3))
        del ballast
        gc.collect()


def _rows(what: str, rounds: int) -> Iterator[Row]:
    starts, ends = [], []
    for _ in range(rounds):
        began = time.perf_counter()
        server = _server(_nothing)
        starts.append((time.perf_counter() - began) * 1e3)
        began = time.perf_counter()
        server.close()
        ends.append((time.perf_counter() - began) * 1e3)
    for kind, function in (("nothing", _nothing), ("a file written", _writing)):
        server = _server(function)
        try:
            actions = partial(_plain, function), partial(_walled, server)
            plain, walled = interleaved(rounds, *actions)
        finally:
            server.close()
        tests = [TESTS / seconds for seconds in walled]
        yield value("calls", f"{what}, {kind}: tests behind walls", tests, "/s")
        yield ratio("calls", f"{what}, {kind}: plain fork / behind walls", plain, walled)
    yield value("calls", f"{what}: start of the server", starts, "ms")
    yield value("calls", f"{what}: its end", ends, "ms")


def _server(function: Callable[[bytes], bytes]) -> Server:
    return Server(function, LIMIT, unsafe=True, what="the benchmark")


def _nothing(_: bytes) -> bytes:
    return b"PASS"


def _writing(_: bytes) -> bytes:
    with open("benchmark.tmp", "wb") as file:
        file.write(b"x" * 1000)
    return b"PASS"


def _walled(server: Server, _round: int) -> None:
    for _ in range(TESTS):
        server.ask(b"")


def _plain(function: Callable[[bytes], bytes], _round: int) -> None:
    try:
        for _ in range(TESTS):
            _fork(function)
    finally:
        with suppress(FileNotFoundError):
            os.unlink("benchmark.tmp")


def _fork(function: Callable[[bytes], bytes]) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nothing, number)
            os.write(writing, function(b""))
        finally:
            os._exit(0)
    os.close(writing)
    os.read(reading, 100)
    os.close(reading)
    for process in (child, -child):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    os.waitpid(child, 0)

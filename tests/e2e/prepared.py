"""Commands that begin in a process which has imported what they need: a fifth of most of them.

It also knows already what each finds out about the machine: which interpreter runs us, and which
layer of the sandbox can be had.

This file is both sides.  As a program it serves over the socket that is its standard input: for
each command it forks, and the child goes on as one that was started does, with an environment, a
working directory, streams and a process group of its own.  It can be told from one only in
``/proc``, which does not show its environment; but that of all that it starts.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

VERBS = ("why", "trace", "input", "changes", "causes", "suspects", "show", "verify")
BACKENDS = (
    *("stripe_pytrace.backend", "stripe_pytrace.recording", "stripe_pytrace.state_runs"),
    *("stripe_pytrace.self_check", "stripe_pytrace.hangs"),
    *("stripe_gdb.backend", "stripe_gdb.preparation"),
)
MODULES = ("stripe.cli.main", *(f"stripe.cli.{verb}" for verb in VERBS), *BACKENDS)
STARTING = ("PYTHON", "LC_", "LANG")
"""How variables begin that Python looks at when it starts."""
FOLDERS = "PYTHONPATH"
"""The one of them that can take effect later."""
DECIDED = "STRIPE_SANDBOX_LAYER"
"""Says which layer it is to be, so that none is looked for."""
_ROOM = 1 << 20


# --- who asks


def fits(words: Sequence[str], more: Mapping[str, str]) -> bool:
    """Whether it is one of these commands, and started as others are."""
    return words[0] in VERBS and not any(
        name.startswith(STARTING) for name in more if name != FOLDERS
    )


@cache
def _server(owner: int) -> socket.socket:
    """Where to ask; it ends with the ``owner``."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ROOM)
        process = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=theirs.fileno(), cwd="/", start_new_session=True
        )

    def end() -> None:
        if os.getpid() == owner:
            ours.close()
            process.wait()

    atexit.register(end)
    return ours


def run(
    words: Sequence[str],
    cwd: Path,
    environment: Mapping[str, str],
    stdin: bytes | None,
    timeout: float,
) -> tuple[int, bytes, bytes]:
    """Status, standard output and standard error of a command.

    Raises:
        TimeoutError: it was ended, as it took too long.
    """
    server = _server(os.getpid())
    its, ours = zip(*(os.pipe() for _ in range(3)), strict=True)
    (its_in, out, err), (our_in, its_out, its_err) = its, ours
    socket.send_fds(
        server,
        [json.dumps([[*words], str(cwd), {**environment}]).encode()],
        [its_in, its_out, its_err],
    )
    for each in (its_in, its_out, its_err):
        os.close(each)
    with ThreadPoolExecutor(3) as pool:
        pool.submit(_write, our_in, stdin or b"")
        read = [pool.submit(_read, each) for each in (out, err)]
        process = int(server.recv(16))
        server.settimeout(timeout)
        try:
            status = int(server.recv(16))
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise
        finally:
            server.settimeout(None)
        return status, read[0].result(), read[1].result()


def _write(descriptor: int, data: bytes) -> None:
    with open(descriptor, "wb", buffering=0) as stream:
        try:
            stream.write(data)
        except BrokenPipeError:
            pass


def _read(descriptor: int) -> bytes:
    with open(descriptor, "rb") as stream:
        return stream.read()


# --- who serves


def serve() -> int:
    """Fork for each command; returns the status of a command in its child."""
    asked = socket.socket(fileno=0)
    for name in MODULES:
        importlib.import_module(name)
    os.environ.pop(DECIDED, None)
    find_layer = importlib.import_module("stripe.sandbox.layers").find_layer
    find_layer()
    importlib.import_module("stripe_pytrace.interpreter").find_interpreter()
    main = importlib.import_module("stripe.cli.main").main
    gc.collect()
    gc.freeze()  # what is never looked at again stays shared with all the children
    while True:
        message, streams, _, _ = socket.recv_fds(asked, _ROOM, 3)
        if not message:
            return 0
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            asked.detach()
            words, cwd, environment = json.loads(message)
            _become(words, cwd, environment, list(streams))
            if DECIDED in environment:
                find_layer.cache_clear()
            status: int = main()
            return status
        for each in streams:
            os.close(each)
        asked.send(b"%d" % child)
        asked.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _become(words: list[str], cwd: str, environment: dict[str, str], streams: list[int]) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # what was found out before is of another environment
    sys.path[:0] = filter(None, environment.get(FOLDERS, "").split(os.pathsep))
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    sys.argv = ["stripe", *words]
    kinds = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
    for number, (name, mode) in enumerate(kinds):
        old = getattr(sys, name)
        new = open(number, mode, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
        for known in (name, f"__{name}__"):
            setattr(sys, known, new)
    random.seed()


if __name__ == "__main__":
    sys.exit(serve())

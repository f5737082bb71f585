"""The host's side of ``bare_fork.py``, and kept events as plain straight-line code."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType

from stripe.trace import Trace
from stripe_pytrace.agent.process import wire

SCRIPT = Path(__file__).parent / "bare_fork.py"
Outcome = tuple[int, bytes, bytes]


def straight(trace: Trace, path: str) -> dict[int, ast.stmt]:
    """What an execution of each statement is without control: a header is its test.

    Only for programs of one module, made of simple statements, ``while`` and ``if``.
    """
    tree = ast.parse(trace.files[0].text)
    by_place = {
        (node.lineno, node.col_offset): node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
    }
    found: dict[int, ast.stmt] = {}
    for statement in trace.statements:
        node = by_place[statement.line, statement.column]
        if isinstance(node, (ast.While, ast.If)):
            node = ast.copy_location(ast.Expr(node.test), node.test)
        elif hasattr(node, "body"):
            raise ValueError(f"{path}:{statement.line}: {statement.kind} is not straight")
        found[statement.id] = node
    return found


def compile_straight(trace: Trace, events: Sequence[int], path: str) -> CodeType:
    """The kept events, one after the other."""
    lines = straight(trace, path)
    body = [lines[trace.statement[event]] for event in events]
    return compile(ast.Module(body, []), path, "exec", dont_inherit=True)


class BareFork:
    """A running baseline server.  ``run`` is one test; ``close`` it."""

    def __init__(self, modules: Sequence[str], folder: Path, stdin: bytes) -> None:
        self.files = [folder / name for name in ("stdin", "stdout", "stderr")]
        self.files[0].write_bytes(stdin)
        to_server, self._requests = os.pipe()
        self._answers, from_server = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(to_server), str(from_server)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(to_server, from_server),
        )
        os.close(to_server)
        os.close(from_server)
        wire.send(self._requests, list(modules))
        assert wire.receive(self._answers) == "ready"

    def run(self, code: CodeType) -> Outcome:
        """Run code compiled beforehand; its exit status and what it printed."""
        wire.send(self._requests, {"code": code, "files": [str(path) for path in self.files]})
        status = wire.receive(self._answers)
        out, err = (path.read_bytes() for path in self.files[1:])
        for path in self.files[1:]:
            path.unlink()
        return status, out, err

    def close(self) -> None:
        os.close(self._requests)
        self._process.wait()
        os.close(self._answers)

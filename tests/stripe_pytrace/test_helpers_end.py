"""A process of ours that ends is replaced, once; then it is told in plain words."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.deadline import Deadline
from stripe.errors import NotReducible
from stripe.kit.engines import Gone
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess
from tests.support.recordings import recorded


def failing(monkeypatch: pytest.MonkeyPatch, times: int) -> list[object]:
    """Let so many questions have no answer; all that are asked."""
    asked: list[object] = []
    ask = AgentProcess.ask

    def asks(self, request):
        asked.append(request)
        if len(asked) <= times:
            raise Gone("agent-failed", "It ended without a word.")
        return ask(self, request)

    monkeypatch.setattr(AgentProcess, "ask", asks)
    return asked


def test_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = failing(monkeypatch, 1)
    with recorded(tmp_path, "print(1)\n") as recording:
        assert recording.plain.stdout == b"1\n"
        assert asked[0] == asked[1]


def test_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    failing(monkeypatch, 2)
    with pytest.raises(NotReducible, match="twice") as caught:
        PythonBackend().record(Target("prog.py", directory=tmp_path))
    assert caught.value.slug == "sandbox-ended"


ENDS = """\
import sys
from stripe_pytrace.agent.process import wire
ready, requests, answers = map(int, sys.argv[1:])
wire.receive(requests)
if ready:
    wire.send(answers, {"end": "ready"})
sys.exit("why it ended")
"""


def ends(folder: Path, *, ready: bool) -> AgentProcess:
    """A helper that ends when it has its job, or is ready and then ends."""
    return AgentProcess(
        lambda arguments: [sys.executable, "-c", ENDS, str(int(ready)), *arguments[1:]],
        {},
        directory=folder,
        environment=os.environ,
        stdin=Path(os.devnull),
        out=folder / "out",
        err=folder / "err",
        deadline=Deadline(),
    )


def test_what_it_said_last_is_told_when_no_answer_comes(tmp_path: Path) -> None:
    with pytest.raises(Gone, match="ended: why it ended") as caught:
        ends(tmp_path, ready=False)
    assert caught.value.slug == "agent-failed"


def test_what_it_said_last_is_told_when_nobody_takes_a_request(tmp_path: Path) -> None:
    agent = ends(tmp_path, ready=True)
    try:
        agent.process.wait()
        with pytest.raises(Gone, match="ended: why it ended"):
            agent.ask({})
    finally:
        agent.close()

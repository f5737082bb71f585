"""A process of ours that ends is replaced, once; then it is told in plain words."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.errors import NotReducible
from stripe.kit.engines import Gone
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.host import AgentProcess


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
    (tmp_path / "prog.py").write_text("print(1)\n")
    asked = failing(monkeypatch, 1)
    recording = PythonBackend().record(Target("prog.py", directory=tmp_path))
    try:
        assert recording.plain.stdout == b"1\n"
        assert asked[0] == asked[1]
    finally:
        recording.close()


def test_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    failing(monkeypatch, 2)
    with pytest.raises(NotReducible, match="twice") as caught:
        PythonBackend().record(Target("prog.py", directory=tmp_path))
    assert caught.value.slug == "sandbox-ended"

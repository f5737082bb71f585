"""An engine that ends while it records is replaced, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.kit.engines import Gone
from stripe_gdb.backend import NativeBackend
from stripe_gdb.runner import Runner
from tests.stripe_gdb.native import build, needs_cc, needs_gdb

pytestmark = [needs_gdb, needs_cc]

PROGRAM = '#include <stdio.h>\nint main(void)\n{\n    puts("done");\n    return 0;\n}\n'


def failing(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Let so many questions to engines have no answer."""
    asked: list[str] = []
    ask = Runner.ask

    def asks(self, session, number, request):
        asked.append(request["request"])
        if len(asked) <= times:
            session.close()
            raise Gone("gdb-failed", "gdb ended.")
        return ask(self, session, number, request)

    monkeypatch.setattr(Runner, "ask", asks)


def test_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, 1)
    program = build(PROGRAM, tmp_path)
    recording = NativeBackend().record(Target(f"./{program.name}", directory=tmp_path))
    try:
        assert recording.recorded.stdout == b"done\n"
        with recording.replay(range(len(recording.trace))) as full:
            assert full.stdout == b"done\n"
    finally:
        recording.close()


def test_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, 2)
    program = build(PROGRAM, tmp_path)
    with pytest.raises(Gone):
        NativeBackend().record(Target(f"./{program.name}", directory=tmp_path))

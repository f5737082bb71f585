"""What stands around one execution of a line."""

from __future__ import annotations

import pytest

import stripe.why.execution
from stripe.backend import Target
from stripe.errors import NotReducible
from stripe.why.execution import neighbourhood


def test_of_too_many_executions_none_is_told(tmp_path, monkeypatch):
    (tmp_path / "prog.py").write_text("for n in range(9):\n    print(n)\n")
    target = Target("prog.py", directory=tmp_path)
    assert neighbourhood(target, "prog.py", 2).of == 9
    monkeypatch.setattr(stripe.why.execution, "MOST_EVENTS", 17)
    with pytest.raises(NotReducible) as caught:
        neighbourhood(target, "prog.py", 2)
    assert caught.value.slug == "too-long-to-debug"

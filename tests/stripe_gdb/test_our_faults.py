"""An exception of our own code, inside gdb or in the tracer, is never an outcome of the program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import stripe_gdb
from stripe.errors import BackendError, NotReducible
from stripe_gdb import bytecode, tracing_session
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded, reduced, sample

pytestmark = [needs_gdb, needs_cc]

PROGRAM = sample("our_faults/program.c")
HIT = "    def hit(self, stop):\n"


@pytest.fixture
def ours(tmp_path, monkeypatch):
    """Our package, a copy that tests may break."""
    copy = tmp_path / "packages" / "stripe_gdb"
    shutil.copytree(
        Path(str(stripe_gdb.__file__)).parent, copy, ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.setattr(bytecode, "INSIDE", copy / "inside")
    monkeypatch.setattr(tracing_session, "PACKAGES", copy.parent)
    bytecode.compiled.cache_clear()
    yield copy
    bytecode.compiled.cache_clear()


@pytest.mark.parametrize(
    ("engine", "module", "slug"),
    [
        ("gdb", "record", "gdb-failed"),
        ("gdb", "replay", "gdb-failed"),
        ("ptrace", "replay", "ptrace-failed"),
    ],
)
def test_an_exception_at_a_breakpoint(engine, module, slug, ours, tmp_path):
    program = build(PROGRAM, tmp_path)
    path = ours / "inside" / f"{module}.py"
    text = path.read_text()
    assert HIT in text
    path.write_text(text.replace(HIT, f"{HIT}        [][7]\n"))
    with (
        pytest.raises(BackendError, match=r"STRIPE itself failed .* IndexError") as failed,
        recorded(program, engine=engine) as recording,
    ):
        reduced(recording, "stdout")
    assert failed.value.slug == slug


def test_a_state_that_gdb_cannot_change_is_told_as_that(ours, tmp_path):
    """It stops at a breakpoint then, and so it does when the program executes another one."""
    program = build(PROGRAM, tmp_path)
    path = ours / "inside" / "record.py"
    text = path.read_text()
    broken = f"import gdb\n{text}".replace(
        HIT, f"{HIT}        raise gdb.error('No memory at 0x7')\n"
    )
    path.write_text(broken)
    with pytest.raises(NotReducible) as failed, recorded(program, engine="gdb"):
        pass
    assert failed.value.slug == "cannot-record"
    assert "gdb cannot read or change its state: No memory at 0x7" in failed.value.message
    assert "another program" not in failed.value.message


def test_a_way_past_what_is_left_out_that_leads_elsewhere(ours, tmp_path):
    """A full replay in one piece would not come by: each test of the search goes wrong."""
    program = build(PROGRAM, tmp_path)
    path = ours / "tracer" / "expected_path.py"
    text = path.read_text()
    led = "record = course.event(to, self._index(number, to), "
    assert led in text
    path.write_text(text.replace(led, "record = course.event(0, 0, "))
    with (
        recorded(program, engine="ptrace") as recording,
        pytest.raises(NotReducible, match="full replay") as failed,
    ):
        reduced(recording, "stdout")
    assert failed.value.slug == "not-reproducible"
    assert "it is STRIPE that fails here" in failed.value.hint

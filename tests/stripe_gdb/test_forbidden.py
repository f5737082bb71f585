"""Native programs where the system forbids what they are traced by, as containers do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from stripe import trace
from stripe.errors import UsageError
from stripe.sandbox import layers
from tests.stripe_gdb.native import needs_cc, needs_gdb


@needs_cc
@needs_gdb
@pytest.mark.parametrize(
    ("task", "slug", "hint"),
    [
        ("fix addresses", "no-fixed-addresses", "seccomp=unconfined"),
        ("ptrace", "no-ptrace", "seccomp=unconfined"),
        ("run a file in TMPDIR", "temporary-noexec", "TMPDIR=DIR"),
    ],
)
def test_what_is_forbidden_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str, slug: str, hint: str
) -> None:
    (tmp_path / "one.c").write_text("int main(void) { return 1; }\n")
    subprocess.run(["cc", "-O0", "-g", "-o", "one", "one.c"], cwd=tmp_path, check=True)
    found = layers.Tried("", {task: "Operation not permitted"})
    monkeypatch.setattr("stripe_gdb.preparation.try_layer", lambda layer: found)
    with pytest.raises(UsageError) as refused:
        trace("./one", directory=tmp_path, check="exit")
    assert refused.value.slug == slug
    assert hint in refused.value.hint

"""An exception of our own code, in host or runtime, is never an outcome of the program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import stripe
from stripe.errors import BackendError
from stripe_perl import runner, runtime_library
from tests.stripe_perl.perl import needs_perl

pytestmark = needs_perl

PROGRAM = """\
my $x = 1;
my $y = 2;
print "$x\\n";
"""


@pytest.mark.parametrize(
    ("where", "when"),
    [
        ('            self._nodes = self._read("nodes")\n', "recording"),
        ("        marks = bytearray(", "replaying"),
    ],
)
def test_in_the_host(
    where: str, when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = runner.HOST.read_text()
    assert text.count(where) == 1
    indent = where[: len(where) - len(where.lstrip())]
    broken = tmp_path / "host.py"
    broken.write_text(text.replace(where, f"{indent}[][7]\n{where}"))
    monkeypatch.setattr(runner, "HOST", broken)
    (tmp_path / "prog.pl").write_text(PROGRAM)
    with pytest.raises(BackendError, match=r"STRIPE itself failed .* IndexError") as failed:
        stripe.trace("prog.pl", directory=tmp_path)
    assert failed.value.slug == "engine-failed", when


def test_in_the_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that cannot begin has no status of the program's."""
    sources = tmp_path / "runtime"
    shutil.copytree(runtime_library.SOURCES, sources)
    server = sources / "server.h"
    text = server.read_text()
    kept = "static void read_kept(const char *folder) {\n"
    assert kept in text
    server.write_text(text.replace('open_in(folder, "kept", "r")', 'open_in(folder, "none", "r")'))
    monkeypatch.setattr(runtime_library, "SOURCES", sources)
    runtime_library.built_runtime.cache_clear()
    (tmp_path / "prog.pl").write_text(PROGRAM)
    try:
        with pytest.raises(BackendError, match="STRIPE itself failed") as failed:
            stripe.trace("prog.pl", directory=tmp_path)
    finally:
        runtime_library.built_runtime.cache_clear()
    assert failed.value.slug == "engine-failed"

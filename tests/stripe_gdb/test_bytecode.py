"""What runs inside gdb is compiled once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe_gdb import bytecode
from stripe_gdb.bytecode import INSIDE, KEPT, compiled, environment, loading
from tests.stripe_gdb.native import needs_gdb

pytestmark = needs_gdb

# Of a module that is compiled anew there is no bytecode where it was looked for.
TELL = """
import os
print(sorted(name for name, each in sys.modules.items()
      if getattr(each, '__cached__', None) and not os.path.exists(each.__cached__)))
print(sorted({name for name in sys.modules if name.startswith('inside.')}))
"""


def said(gdb: str, module: str, folder: Path | None, script: Path) -> tuple[str, str]:
    """Which modules had to be compiled when a module of ours was loaded, and which are ours."""
    script.write_text("\n".join((*loading(module, folder), TELL)), "utf-8")
    done = subprocess.run(
        [gdb, "--nx", "--quiet", "--batch", "-x", script],
        env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    anew, ours = done.stdout.splitlines()
    return anew, ours


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiled.cache_clear()
    yield
    compiled.cache_clear()


@pytest.mark.parametrize("module", ["engine", "states"])
def test_nothing_is_compiled_at_a_start(module: str, tmp_path: Path) -> None:
    gdb = shutil.which("gdb")
    assert gdb is not None
    folder = compiled(gdb)
    assert folder is not None
    anew, ours = said(gdb, module, folder, tmp_path / "script.py")
    assert anew == "[]"
    assert f"inside.{module}" in ours
    assert said(gdb, module, tmp_path / "none", tmp_path / "script.py") == (ours_only(ours), ours)


def ours_only(ours: str) -> str:
    return ours.replace("[", "['inside', ", 1)


def test_what_has_changed_since_is_another_and_few_are_kept(tmp_path: Path, monkeypatch) -> None:
    changed = Path(shutil.copytree(INSIDE, tmp_path / "inside"))
    monkeypatch.setattr("stripe_gdb.bytecode.INSIDE", changed)
    gdb = shutil.which("gdb")
    assert gdb is not None
    first = compiled(gdb)
    compiled.cache_clear()
    assert compiled(gdb) == first
    assert first is not None
    for number in range(KEPT):  # none of them was used since
        other = first.with_name(f"{number:020}")
        other.mkdir()
        os.utime(other, (number, number))
    (changed / "engine.py").write_text("x = 1\n")
    compiled.cache_clear()
    second = compiled(gdb)
    assert second is not None
    assert second != first
    there = {each.name for each in first.parent.iterdir()}
    assert there == {second.name, first.name, f"{KEPT - 1:020}", f"{KEPT - 2:020}"}


def test_where_nothing_can_be_kept_it_goes_without(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    gdb = shutil.which("gdb")
    assert gdb is not None
    assert compiled(gdb) is None
    _, ours = said(gdb, "engine", None, tmp_path / "script.py")
    assert "inside.engine" in ours


@pytest.mark.parametrize("size", [0, 8, 200])
def test_what_was_cut_is_made_again(size, monkeypatch, tmp_path):
    """Gdb's Python would fail at each start: what it finds there it takes for whole."""
    monkeypatch.setattr(bytecode, "caches", lambda: tmp_path)
    gdb = shutil.which("gdb")
    assert gdb is not None
    bytecode.compiled.cache_clear()
    folder = bytecode.compiled(gdb)
    assert folder is not None
    one = next(folder.rglob("*.pyc"))
    data = one.read_bytes()
    one.write_bytes(data[:size])
    bytecode.compiled.cache_clear()
    assert bytecode.compiled(gdb) == folder
    assert one.read_bytes()[16:] == data[16:]
    bytecode.compiled.cache_clear()


SLOW = """\
#!/bin/sh
touch "$OUTSIDE/started"
while [ ! -e "$OUTSIDE/go" ]; do sleep 0.01; done
gdb "$@"
touch "$OUTSIDE/ended"
"""


def test_a_gdb_that_outlives_us_makes_nothing(tmp_path: Path) -> None:
    """It made the folder again which the cleaner had removed, and that stayed in the cache."""
    slow = tmp_path / "slow"
    slow.write_text(SLOW)
    slow.chmod(0o755)
    compile_it = f"from stripe_gdb import bytecode; bytecode.compiled({str(slow)!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", compile_it],
        env=os.environ | {"OUTSIDE": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
    )
    await_path(tmp_path / "started")
    process.kill()
    process.wait()
    folder = tmp_path / "cache" / "stripe" / "gdb"
    await_path(folder, empty=True)
    (tmp_path / "go").touch()
    await_path(tmp_path / "ended")
    assert list(folder.iterdir()) == []


def await_path(path: Path, empty: bool = False) -> None:
    """Until it is there, or nothing is in it any more."""
    deadline = time.monotonic() + 100
    while any(path.iterdir()) if empty else not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)

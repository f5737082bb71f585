"""What runs behind walls finds its bytecode."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import stripe_pytrace
from stripe.backend import Target
from stripe.sandbox.bytecode import keep_bytecode
from stripe.sandbox.walls import ENTER
from stripe_pytrace.backend import PythonBackend


def compiled(folder: Path) -> set[str]:
    suffix = f".{sys.implementation.cache_tag}.pyc"
    kept = (path.name for path in (folder / "__pycache__").glob("*"))
    return {name.removesuffix(suffix) for name in kept if name.endswith(suffix)}


def values(folder: Path) -> str:
    """What a Python that writes nothing says of the modules; where it has them from, too."""
    script = "import one, two; print(one.x, two.x)"
    command = [sys.executable, "-B", "-v", "-c", script]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = sum(f"{name}.py" in line and "matches" in line
                for line in done.stderr.splitlines() for name in ("one", "two"))  # fmt: skip
    return f"{done.stdout.strip()}, {found} found"


def test_what_is_compiled_is_found_until_it_changes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    assert values(tmp_path) == "1 1, 0 found"
    keep_bytecode(tmp_path)
    assert values(tmp_path) == "1 1, 2 found"
    (tmp_path / "one.py").write_text("x = 20\n")
    later = os.stat(tmp_path / "one.py").st_mtime + 5
    os.utime(tmp_path / "one.py", (later, later))
    assert values(tmp_path) == "20 1, 1 found"
    keep_bytecode.cache_clear()  # another process
    keep_bytecode(tmp_path)
    assert values(tmp_path) == "20 1, 2 found"


def test_what_cannot_be_compiled_is_left_to_who_imports_it(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("x = \n")
    (tmp_path / "two.py").write_text("x = 1\n")
    keep_bytecode(tmp_path)
    assert compiled(tmp_path) == {"two"}


def test_a_recording_leaves_nothing_to_compile(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    PythonBackend().record(Target("prog.py", directory=tmp_path)).close()
    agent = Path(stripe_pytrace.__file__).parent / "agent"
    rooms = {path.parent for path in agent.rglob("*.py")}
    assert len(rooms) > 1
    for folder in (*rooms, ENTER.parent):
        assert {path.stem for path in folder.glob("*.py")} <= compiled(folder)

"""An exception of our own code, in the program's process, is never an outcome of the program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import stripe
from stripe.backend import Target
from stripe.cli.main import main
from stripe.errors import BackendError
from stripe_pytrace import host, runner
from stripe_pytrace.backend import PythonBackend

PROGRAM = """\
def f(n):
    yield from (n,)
total = 0
try:
    for each in f(1):
        total += each
    total += next(f(2))
except Exception:
    total = -1
print(total)
"""
BUG = "[][7]  # a bug\n"


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """The agent's folder, a copy that tests may break."""
    copy = tmp_path / "agent"
    shutil.copytree(host.BOOT.parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for module in (host, runner):
        monkeypatch.setattr(module, "BOOT", copy / "boot.py")
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "program.py").write_text(PROGRAM)
    return copy


def put_in(path: Path, behind: str) -> None:
    """Put a bug behind a line."""
    text = path.read_text()
    assert behind in text, (path, behind)
    line = next(line for line in text.splitlines() if behind in line)
    indent = " " * (len(line) - len(line.lstrip()) + 4 * line.endswith(":"))
    path.write_text(text.replace(line + "\n", f"{line}\n{indent}{BUG}", 1))


def program(folder: Path) -> Target:
    return Target("program.py", directory=folder.parent / "program")


@pytest.mark.parametrize(
    ("module", "behind"),
    [
        ("direct", "number = generators[hash(frame_of(1))] = next(numbers)"),
        ("direct", "if function.generator:"),
        ("program", "with_headroom(sys._getframe(), self.headroom)"),
    ],
)
def test_while_recording(agent, module, behind):
    put_in(next(agent.rglob(f"{module}.py")), behind)
    with pytest.raises(BackendError, match=r"STRIPE itself failed .* IndexError") as failed:
        PythonBackend().record(program(agent))
    assert failed.value.slug == "agent-failed"


@pytest.mark.parametrize(
    ("module", "behind"),
    [
        ("plan", "def path(self, activation: int) -> Path:"),
        ("recorded_paths", "def _match(self, function: Function, tables: Tables) -> int | None:"),
        ("monitor_callbacks", "def on_suspend(code: CodeType, offset: int, value: Any) -> None:"),
        ("replayed_run", 'marks = Marks(self._tables, request["marked"])'),
    ],
)
def test_while_replaying(agent, module, behind):
    """The program would catch it."""
    put_in(next(agent.rglob(f"{module}.py")), behind)
    with pytest.raises(BackendError, match=r"STRIPE itself failed .* IndexError") as failed:
        stripe.trace("program.py", check=["stdout"], directory=agent.parent / "program")
    assert failed.value.slug == "agent-failed"


@pytest.fixture
def told(agent, monkeypatch, capsys):
    """Runs a command in a folder with some files, which must not succeed; what it says."""

    def tell(files: dict[str, str], *words: str) -> str:
        folder = agent.parent / "program"
        for name, text in files.items():
            (folder / name).write_text(text)
        monkeypatch.chdir(folder)
        assert main(list(words)) != 0
        return " ".join(capsys.readouterr().err.split())

    return tell


TEST = "from order import less\n\n\ndef test_less():\n    assert not less(1, 1)\n"
SUSPECTS = ("suspects", "-q", "-m", "pytest", "test_it.py")


def test_while_trying_changes(agent, told):
    """A change that our own failure kept from being tried is none that brings nothing."""
    put_in(agent / "experiments" / "laboratory.py", 'elif task in ("try", "show"):')
    order = "def less(a, b):\n    return a <= b\n"
    said = told({"order.py": order, "test_it.py": TEST}, *SUSPECTS)
    assert "STRIPE itself failed where the program runs: IndexError" in said
    assert "[agent-failed]" in said


@pytest.mark.parametrize(
    ("module", "behind"),
    [
        ("laboratory", 'worker = "order" in request'),
        ("laboratory", 'deltas = [tuple(each) for each in request["deltas"]]'),
        ("laboratory", "path, *what = delta"),
    ],
)
def test_while_trying_many_changes_of_one_statement(agent, told, module, behind):
    """They are tried where the test has been begun already, whose runner catches exceptions."""
    put_in(next(agent.rglob(f"{module}.py")), behind)
    order = "def less(a, b):\n    return a <= b + 1 - 1 + 0\n"
    said = told({"order.py": order, "test_it.py": TEST}, *SUSPECTS)
    assert "STRIPE itself failed where the program runs: IndexError" in said


@pytest.mark.parametrize(
    ("module", "behind"),
    [
        ("state_change", "self._reach_tuples()"),
        ("states", "del moment"),
        ("states", "count = self._counts[key] = self._counts.get(key, 0) + 1"),
    ],
)
def test_while_making_states(agent, told, module, behind):
    """A state that our own failure kept from being made is none that cannot be made."""
    put_in(next(agent.rglob(f"{module}.py")), behind)
    said = told({"program.py": CAUGHT}, "causes", "-q", "program.py", "--fail", "0", "--pass", "1")
    assert "STRIPE itself failed where the program runs: IndexError" in said


CAUGHT = """\
import sys
try:
    n = int(sys.argv[1])
    rest = [n, 2]
    m = 6 // n
except (ValueError, LookupError):
    m = 0
print(m)
"""

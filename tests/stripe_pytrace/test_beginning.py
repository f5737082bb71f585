"""What the agent loads before a program begins, in each recording."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import stripe_pytrace
from stripe.backend import Target
from stripe_pytrace.backend import PythonBackend

AGENT = Path(stripe_pytrace.__file__).parent / "agent"

LOADED = """\
import os, sys
from _frozen_importlib import module_from_spec
from _frozen_importlib_external import spec_from_file_location

before = set(sys.modules)
folder, entry = sys.argv[1:]
spec = spec_from_file_location(
    "_stripe_agent", folder + "/__init__.py", submodule_search_locations=[folder]
)
sys.modules["_stripe_agent"] = module_from_spec(spec)
__import__("_stripe_agent." + entry)
print(*sorted(set(sys.modules) - before))
"""


def loaded(entry: str) -> set[str]:
    """What an agent imports as it begins, beside what each interpreter has."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADED, str(AGENT), entry],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_what_only_searches_for_suspects_need_is_not_loaded_to_record() -> None:
    ours = {name.rpartition(".")[2] for name in loaded("main") if name.startswith("_stripe")}
    assert "replay" in ours
    assert ours.isdisjoint({"attempts", "deltas", "enumeration", "laboratory"})


def test_of_the_library_little_is_loaded_but_what_is_written_in_c() -> None:
    """What is not took most of the time of a trace of one line, five times each."""
    written_in_c = {"_contextvars", "array", "atexit", "faulthandler", "fcntl", "gc", "itertools"}
    library = {name for name in loaded("main") if not name.startswith("_")} - written_in_c
    needed = {"ctypes", "ctypes._endian"}  # to put replays back (``snapshots/restore.py``)
    assert library - needed <= {
        "mmap", "opcode", "resource", "select", "struct", "types", "warnings",
    }  # fmt: skip


def test_what_only_starts_others_loads_next_to_nothing() -> None:
    names = loaded("process.launch")
    ours = {name.rpartition(".")[2] for name in names if name.startswith("_stripe_agent.")}
    assert "server" in ours
    assert ours.isdisjoint(
        {"main", "code", "instrument", "natives", "program", "trees", "versions"}
    )
    library = {name for name in names if not name.startswith("_")}
    assert library <= {"fcntl", "gc", "mmap", "resource", "select", "struct"}


def test_what_patterns_need_is_not_what_the_program_finds(tmp_path: Path) -> None:
    """Its own module of that name is found, by it and not by us, and none before it asks."""
    (tmp_path / "re.py").write_text("MINE = 1\n")
    (tmp_path / "left.py").write_text("x = 1\n")
    program = "import sys\nprint('re' in sys.modules)\nimport left, re\nprint(re.MINE)\n"
    (tmp_path / "prog.py").write_text(program)
    target = Target("prog.py", directory=tmp_path, exclude=["le*.py"])
    with closing(PythonBackend().record(target)) as recording:
        assert recording.recorded.stdout == b"False\n1\n"
        assert {file.path for file in recording.trace.files} == {"prog.py", "re.py"}


def test_modules_of_the_program_with_names_of_the_library_run_when_it_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that :mod:`collections` and :mod:`typing` import are among them: we import neither."""
    for name in ("collections", "functools", "heapq", "keyword", "operator", "reprlib", "typing"):
        (tmp_path / f"{name}.py").write_text(f"print({name!r})\n")
    (tmp_path / "prog.py").write_text("import keyword\nprint(1)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with closing(PythonBackend().record(Target("prog.py", directory=tmp_path))) as recording:
        assert recording.recorded.stdout == b"keyword\n1\n"


def test_a_program_finds_the_modules_that_it_has_without_us(tmp_path: Path) -> None:
    """In each replay as well, whatever the compiler warns of, and its ``warnings`` are its own."""
    (tmp_path / "left.py").write_text("import colorsys\nx = '\\d'\n")
    program = (
        "import sys, left, atexit\nprint(*sys.modules)\nprint(*sys.path_importer_cache)\n"
        "print(atexit._ncallbacks())\nimport warnings, json\nprint(*sys.modules)\n"
        "print(*sys.path_importer_cache)\natexit.register(print, 'last')\n1 / 0\n"
    )
    (tmp_path / "prog.py").write_text(program)
    with closing(PythonBackend().record(Target("prog.py", directory=tmp_path))) as recording:
        assert recording.recorded.stdout == recording.plain.stdout
        for fresh in (False, True, False):
            with recording.replay(range(len(recording.trace)), fresh=fresh) as full:
                assert full.stdout == recording.plain.stdout
                assert full.stderr == recording.plain.stderr

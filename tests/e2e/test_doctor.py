"""``stripe doctor``: what is there, what is not, and what to do about it."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
from pathlib import Path

import pytest

from stripe import doctor
from stripe.backend import Finding, State
from stripe.sandbox.layers import try_layer
from stripe.sandbox.walls import VARIABLE
from stripe_gdb import machine
from stripe_pytrace import backend
from tests.e2e.harness import Room
from tests.support.layers import WALLED, forced


def findings(room: Room, status: int, **environment: str) -> dict[str, Finding]:
    run = room.stripe("doctor", "--json", environment=environment)
    assert run.status == status, run
    told = json.loads(run.out)
    assert told["stripe"]
    return {
        each["about"]: Finding(each["about"], State(each["state"]), each["says"], each["advice"])
        for each in told["findings"]
    }


def test_it_names_what_a_run_would_use(room: Room) -> None:
    (room.caches / "stripe").mkdir(parents=True)
    (room.caches / "stripe" / "some").write_bytes(bytes(3 * 2**20))
    found = findings(room, 0, VIRTUAL_ENV=sys.prefix)
    assert sys.prefix in found["interpreter"].says
    assert found["interpreter"].state is State.GOOD
    # Beside this one, those of what was found out meanwhile.
    folder = re.escape(str(room.caches / "stripe"))
    assert re.fullmatch(rf"{folder}: [1-4] files, 3\.0 MiB", found["cache folder"].says)
    assert {"sandbox", "gdb", "C compiler", "C++ compiler", "Rust compiler"} <= set(found)


def test_a_row_for_each_layer_tells_what_runs_can_do_there(room: Room) -> None:
    found = findings(room, 0)
    for layer in WALLED:
        if found[f"in {layer.value}"].says.startswith("not to be had"):
            continue
        with forced(layer):
            tasks = try_layer(layer).tasks
        assert {"replace a folder outside", "fix addresses", "ptrace"} <= set(tasks)
        for task in tasks:
            assert f"{task}: " in found[f"in {layer.value}"].says


def test_nothing_on_path_is_optional(room: Room) -> None:
    found = findings(room, 0, PATH=str(room.work), CC="nowhere/cc")
    for about in ("gdb", "C compiler", "C++ compiler", "Rust compiler"):
        assert found[about].state is State.LESS
        assert "nstall" in found[about].advice
    assert "nowhere/cc" in found["C compiler"].says


def test_without_a_sandbox_it_says_no(room: Room) -> None:
    found = findings(room, 1, **{VARIABLE: "none"})
    assert found["sandbox"].state is State.BAD
    assert "unprivileged user namespaces" in found["sandbox"].advice
    run = room.stripe("doctor", environment={VARIABLE: "none"})
    assert run.status == 1
    assert "\nno  sandbox" in run.out


def test_no_usable_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("VIRTUAL_ENV", "/nowhere")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    [told] = backend.PythonBackend().examine()
    assert (told.about, told.state) == ("interpreter", State.BAD)
    assert "No usable Python" in told.says


def test_an_interpreter_newer_than_those_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    monkeypatch.setattr("stripe_pytrace.backend.VERSIONS", ())
    [told] = backend.PythonBackend().examine()
    assert told.state is State.LESS
    assert "the last one that was tested" in told.says
    assert "--python" in told.advice


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ("echo 'gdb speaks Python 99.1'", State.GOOD),
        ("echo Python scripting is not supported >&2; exit 1", State.LESS),
    ],
)
def test_a_gdb_has_to_speak_python(
    script: str, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "other-gdb"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("STRIPE_GDB", str(path))
    told = machine.gdb()
    assert told.state is state
    assert ("99.1" if state is State.GOOD else "without Python") in told.says


class Metadata:
    def __init__(self, *lines: tuple[str, str]) -> None:
        self.lines = lines

    def get_all(self, name: str) -> list[str] | None:
        return [value for key, value in self.lines if key == name] or None


def test_extras_that_lack_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [f"no-such-package-{number}>=1 ; extra == 'many'" for number in range(6)]
    metadata = Metadata(
        ("Provides-Extra", "one"),
        ("Provides-Extra", "many"),
        ("Requires-Dist", "pytest>=8; extra == 'one'"),
        *(("Requires-Dist", each) for each in wanted),
    )
    monkeypatch.setattr(importlib.metadata, "metadata", lambda name: metadata)
    many, one = doctor.extras()
    assert (one.about, one.state) == ("extra one", State.GOOD)
    assert many.state is State.LESS
    assert many.says.endswith("no-such-package-3 and 2 more")
    assert "stripe-trace[many]" in many.advice


def test_stripe_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DISTRIBUTION", "no-such-package")
    [told] = doctor.extras()
    assert told.state is State.LESS
    assert "not installed" in told.says


def test_a_cache_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    told = doctor.cache()
    assert told.state is State.LESS
    assert "XDG_CACHE_HOME" in told.advice

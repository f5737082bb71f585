"""Which interpreter runs a program whose user names none, and what is said of it."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest

from stripe.api import trace
from stripe.backend import AUTOMATIC, Target
from stripe.errors import NotReducible
from stripe_pytrace.interpreter_choice import choose_interpreter
from tests.stripe_pytrace.test_interpreter import bare_machine, pretended, real, script

__all__ = ["bare_machine"]  # a fixture


@pytest.fixture(autouse=True)
def nothing_active(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV"):
        monkeypatch.delenv(name, raising=False)


def environment(folder: Path) -> str:
    venv.create(folder, symlinks=True, with_pip=False)
    return str(folder / "bin" / "python")


def chosen(
    directory: Path, program: str = "prog.py", *, module: bool = False
) -> tuple[str, str, list[str]]:
    """Path, reason and notes."""
    target = Target(program, directory=directory, python=AUTOMATIC, module=module)
    found, notes = choose_interpreter(target)
    return found.path, found.chosen, notes


class TestChoosing:
    def test_an_active_environment_comes_first(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        active = environment(tmp_path / "active")
        environment(tmp_path / ".venv")
        monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
        assert chosen(tmp_path) == (active, "the active virtual environment", [])

    def test_then_that_of_conda_but_for_base(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        active, beside = environment(tmp_path / "active"), environment(tmp_path / ".venv")
        monkeypatch.setenv("CONDA_PREFIX", str(tmp_path / "active"))
        assert chosen(tmp_path) == (active, "the active conda environment", [])
        monkeypatch.setenv("CONDA_DEFAULT_ENV", "base")
        assert chosen(tmp_path)[0] == beside
        assert chosen(tmp_path / "active")[:2] == (active, "conda's environment base")

    @pytest.mark.parametrize("name", [".venv", "venv"])
    def test_then_one_beside_the_project(
        self, tmp_path: Path, bare_machine: Path, name: str
    ) -> None:
        real(bare_machine / "python3")
        (tmp_path / "top" / "src" / "deep").mkdir(parents=True)
        (tmp_path / "top" / "pyproject.toml").touch()
        path = environment(tmp_path / "top" / name)
        for directory, program in (("top", "src/deep/prog.py"), ("top/src/deep", "prog.py")):
            assert chosen(tmp_path / directory, program) == (path, f"{name} beside the project", [])
        assert chosen(tmp_path / "top" / "src", "package", module=True)[0] == path
        assert chosen(tmp_path, "top/src/deep/prog.py")[0] == path

    def test_what_lies_above_the_project_is_not_beside_it(
        self, tmp_path: Path, bare_machine: Path
    ) -> None:
        path = real(bare_machine / "python3")
        environment(tmp_path / ".venv")
        (tmp_path / "top").mkdir()
        assert chosen(tmp_path / "top") == (str(path), "python3 on PATH", [])
        (tmp_path / "top" / "setup.py").touch()
        assert chosen(tmp_path / "top")[0] == str(path)

    def test_a_package_called_venv_is_no_environment(self, tmp_path: Path) -> None:
        (tmp_path / "venv").mkdir()
        (tmp_path / "venv" / "__init__.py").touch()
        assert chosen(tmp_path) == (sys.executable, "STRIPE's own", [])

    def test_then_what_path_has(self, tmp_path: Path, bare_machine: Path) -> None:
        path = real(bare_machine / "python")
        assert chosen(tmp_path) == (str(path), "python on PATH", [])

    def test_a_shim_is_resolved_where_the_user_is(self, tmp_path: Path, bare_machine: Path) -> None:
        script(bare_machine / "python3", "echo 'pyenv: python3: command not found' >&2; exit 127")
        path, what, notes = chosen(tmp_path)
        assert (path, what) == (sys.executable, "STRIPE's own")
        assert "command not found" in notes[0]


class TestPassedOver:
    def test_a_broken_environment(self, tmp_path: Path) -> None:
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "bin" / "python").symlink_to("/gone/python3.11")
        path = tmp_path / ".venv" / "bin" / "python"
        note = f"{path}: it links to /gone/python3.11, which is not there."
        assert chosen(tmp_path)[2] == [f"Passed over .venv beside the project: {note}"]

    def test_an_environment_without_python(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "gone"))
        assert "active virtual environment: " in chosen(tmp_path)[2][0]

    @pytest.mark.parametrize(
        ("facts", "told"),
        [
            ({"version": [3, 11, 2]}, "is Python 3.11.2; recording needs"),
            ({"implementation": "pypy"}, "is pypy 3.13.0"),
        ],
    )
    def test_what_cannot_record(
        self, tmp_path: Path, bare_machine: Path, facts: dict[str, object], told: str
    ) -> None:
        pretended(bare_machine / "python3", **facts)
        path, _, notes = chosen(tmp_path)
        assert path == sys.executable
        assert notes[0].startswith("Passed over python3 on PATH: ")
        assert told in notes[0]


class TestMissingModules:
    def run(self, folder: Path, text: str, python: str | None = AUTOMATIC) -> list[str]:
        (folder / "prog.py").write_text(text)
        result = trace("prog.py", directory=folder, python=python)
        return [result.interpreter, *result.notes]

    def test_they_are_refused_with_the_name_of_the_interpreter(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
        with pytest.raises(NotReducible) as caught:
            self.run(tmp_path, "import no_such_library")
        assert caught.value.slug == "missing-module"
        assert "'no_such_library'" in str(caught.value)
        assert sys.executable in str(caught.value)
        assert "the active virtual environment" in str(caught.value)

    def test_not_if_the_user_named_it(self, tmp_path: Path) -> None:
        told = self.run(tmp_path, "import no_such_library", sys.executable)
        assert "'no_such_library'" in told[1]
        assert "--python" in told[1]

    @pytest.mark.parametrize(
        "text",
        [
            "raise ModuleNotFoundError('no parser for this')",
            "import json.no_such_part",
            "import sys; del sys.path[0]; import own",
        ],
    )
    def test_nor_if_it_is_no_library(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
    ) -> None:
        monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
        (tmp_path / "own.py").touch()
        told = self.run(tmp_path, text)
        assert "the active virtual environment" in told[0]

"""Finding an interpreter: what each way to name one means, and what is said when none fits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe_pytrace import interpreter as module
from stripe_pytrace.interpreter import find_interpreter

HERE = sys.version_info[:3]
PATHS: dict[str, object] = {"stdlib": [], "site": [], "environment": None, "build": "1"}


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no interpreter installed; returns the only folder on PATH."""
    commands = tmp_path / "commands"
    commands.mkdir()
    monkeypatch.setenv("PATH", f"{commands}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path / "uv"))
    monkeypatch.chdir(tmp_path)
    return commands


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def real(path: Path) -> Path:
    """The running interpreter, under another path."""
    return script(path, f'exec {sys.executable} "$@"')


def pretended(path: Path, **facts: object) -> Path:
    """An interpreter that says what ``facts`` say of itself."""
    answer = {"version": [3, 13, 0], "implementation": "cpython", "gil": True, **facts}
    return script(path, f"echo 'a site customisation'\necho '{module._MARK}{json.dumps(answer)}'")


def refusal(spec: str | None) -> UsageError:
    with pytest.raises(UsageError) as caught:
        find_interpreter(spec)
    return caught.value


class TestFinding:
    def test_the_default_is_the_one_that_runs_us(self) -> None:
        found = find_interpreter()
        assert found.path == sys.executable
        assert found.version == HERE
        assert found.implementation == "cpython"

    def test_the_one_that_runs_us_is_asked_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        found = find_interpreter()
        monkeypatch.setattr(module, "_ask", None)
        assert find_interpreter() is find_interpreter(sys.executable) is found

    def test_another_one_is_asked_again_when_it_has_changed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        venv.create(tmp_path / "env", symlinks=True, with_pip=False)
        found = find_interpreter("./env")
        asked: list[str] = []
        ask = module._ask

        def asking(path: str, timeout: float) -> dict[str, object]:
            asked.append(path)
            return ask(path, timeout)

        monkeypatch.setattr(module, "_ask", asking)
        assert find_interpreter("./env") == found
        assert not asked
        (tmp_path / "env" / "pyvenv.cfg").unlink()
        assert find_interpreter("env/bin/python").environment is None
        assert len(asked) == 1

    def test_a_script_is_always_asked(self, tmp_path: Path) -> None:
        pretended(tmp_path / "python", version=[3, 13, 0], **PATHS)
        assert find_interpreter("./python").version == (3, 13, 0)
        stamp = (tmp_path / "python").stat()
        pretended(tmp_path / "python", version=[3, 13, 1], **PATHS)
        os.utime(tmp_path / "python", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert find_interpreter("./python").version == (3, 13, 1)

    def test_it_tells_where_library_code_is(self) -> None:
        found = find_interpreter()
        assert os.path.dirname(json.__file__).startswith(found.stdlib)
        assert os.path.dirname(pytest.__file__).startswith(found.site_packages)
        assert set(found.stdlib) <= set(found.libraries)
        assert set(found.site_packages) <= set(found.libraries)
        assert "/usr" not in found.libraries

    def test_a_name_is_looked_up_on_path(self, bare_machine: Path) -> None:
        path = real(bare_machine / "my-python")
        assert find_interpreter("my-python").path == str(path)

    def test_a_version_is_a_command_on_path(self, bare_machine: Path) -> None:
        path = real(bare_machine / "python3.77")
        assert find_interpreter("3.77").path == str(path)

    @pytest.mark.parametrize("spec", ["3.77", "python3.77"])
    def test_or_one_of_pyenv_if_the_command_does_not_work(
        self, bare_machine: Path, tmp_path: Path, spec: str
    ) -> None:
        script(bare_machine / "python3.77", "echo 'pyenv: python3.77: command not found'; exit 127")
        real(tmp_path / "pyenv" / "versions" / "3.77.1" / "bin" / "python")
        newest = real(tmp_path / "pyenv" / "versions" / "3.77.10" / "bin" / "python")
        assert find_interpreter(spec).path == str(newest)

    def test_or_one_of_uv(self, tmp_path: Path) -> None:
        path = real(tmp_path / "uv" / "cpython-3.77.1-linux-x86_64-gnu" / "bin" / "python")
        assert find_interpreter("3.77.1").path == str(path)

    def test_a_relative_path_is_made_absolute(self, tmp_path: Path) -> None:
        """Programs run elsewhere, in scratch copies."""
        path = real(tmp_path / "tools" / "python")
        assert find_interpreter("tools/python").path == str(path)
        assert find_interpreter("./tools/python").path == f"{tmp_path}/./tools/python"

    @pytest.mark.parametrize("spec", ["env/bin/python", "./env", "env/"])
    def test_an_environment_stays_one(self, tmp_path: Path, spec: str) -> None:
        venv.create(tmp_path / "env", symlinks=True, with_pip=False)
        found = find_interpreter(spec)
        assert os.path.islink(found.path)
        assert found.environment == str(tmp_path / "env")
        assert any(path.startswith(str(tmp_path / "env")) for path in found.site_packages)
        assert str(tmp_path / "env") in found.libraries

    def test_a_shim_is_resolved_where_the_user_is(self, tmp_path: Path) -> None:
        """In a scratch copy it may choose another version."""
        shim = real(tmp_path / "shims" / "python")
        found = find_interpreter(str(shim))
        assert os.path.realpath(found.path) == os.path.realpath(sys.executable)

    def test_the_users_environment_does_not_disturb_the_answer(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "json.py").write_text("raise SystemExit('not the json you mean')")
        (tmp_path / "sysconfig.py").write_text("raise SystemExit('nor the sysconfig')")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setenv("PYTHONHOME", str(tmp_path))
        folder, name = os.path.split(sys.executable)
        assert find_interpreter(f"{folder}/./{name}").version == HERE  # not asked before


class TestRefusals:
    @pytest.mark.parametrize(
        ("spec", "told"),
        [
            ("nowhere/python", "No such file"),
            ("/etc/passwd", "Permission denied"),
            ("no-such-python", "no-such-python"),
            ("3.77", "3.77"),
            ("/bin/ls", "does not answer as a Python"),
            ("/bin/false", "exit status 1"),
        ],
    )
    def test_what_cannot_be_run(self, spec: str, told: str) -> None:
        error = refusal(spec)
        assert error.slug == "no-interpreter"
        assert told in error.message
        assert "uv python install" in error.hint

    def test_one_that_hangs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its children, too, are gone afterwards."""
        monkeypatch.setattr(module, "_TIMEOUT", 0.5)
        pid = tmp_path / "pid"
        path = script(tmp_path / "bin" / "slow", f"/bin/sleep 1000 & echo $! > {pid}; wait")
        while not (pid.exists() and pid.read_text()):  # it may have had no processor in its time
            error = refusal(str(path))
            assert error.slug == "no-interpreter"
            assert "no answer" in error.message
        state = subprocess.run(["/bin/ps", "-o", "stat=", "-p", pid.read_text()], stdout=-1).stdout
        assert state.strip() in (b"", b"Z")

    def test_one_that_is_too_old(self, tmp_path: Path, bare_machine: Path) -> None:
        old = pretended(tmp_path / "old" / "python", version=[3, 11, 7])
        good = real(bare_machine / "python3.13")
        pretended(bare_machine / "python3.12", version=[3, 11, 2])
        error = refusal(str(old))
        assert error.slug == "interpreter-too-old"
        assert "Python 3.11.7" in error.message
        assert f"--python {good}" in error.hint
        assert "python3.12" not in error.hint

    def test_suitable_ones_of_pyenv_are_named(self, tmp_path: Path) -> None:
        old = pretended(tmp_path / "old" / "python", version=[2, 7, 18])
        good = real(tmp_path / "pyenv" / "versions" / "3.13.0" / "bin" / "python")
        pretended(tmp_path / "pyenv" / "versions" / "3.9.1" / "bin" / "python", version=[3, 9, 1])
        assert f"--python {good}" in refusal(str(old)).hint

    def test_one_that_is_not_cpython(self, tmp_path: Path) -> None:
        path = pretended(tmp_path / "pypy", implementation="pypy", version=[3, 11, 9])
        error = refusal(str(path))
        assert error.slug == "not-cpython"
        assert "pypy 3.11.9" in error.message


def test_one_that_is_killed_is_asked_again(tmp_path):
    wrapper = tmp_path / "python"
    wrapper.write_text(
        f"#!/bin/sh\n[ -e {tmp_path}/killed ] || {{ : >{tmp_path}/killed; kill -9 $$; }}\n"
        f'exec {sys.executable} "$@"\n'
    )
    wrapper.chmod(0o755)
    assert find_interpreter(str(wrapper)).version == sys.version_info[:3]

"""The tool, the plugin and the payment library, as users install them.

The library's package has the tool's name, ``stripe``.
``tools/check-install`` goes further: every Python, sdists, uv and pipx.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.installation import OF_PAYMENT, SHARED, require_own_files

ROOT = Path(__file__).parents[2]
TOOL, PLUGIN, PAYMENT = "stripe-trace", "pytest-stripe-trace", "stripe"
CHARGE = "import stripe; stripe.Charge; print('charged')"


def run(*words: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST", "VIRTUAL_ENV", "STRIPE_COMMAND"))
    }
    settings = {"env": clean, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    return subprocess.run([*map(str, words)], **{**settings, **options})  # type: ignore[call-overload]


class Environment:
    """A virtual environment."""

    def __init__(self, folder: Path, wheels: Mapping[str, Path]) -> None:
        self.folder, self.wheels = folder, wheels
        done = run(sys.executable, "-m", "venv", "--without-pip", folder)
        if done.returncode:
            pytest.skip(f"no virtual environments here: {done.stdout.strip()}")

    def pip(self, verb: str, *words: str) -> subprocess.CompletedProcess[str]:
        """By uv where it is here, which takes a tenth of the time."""
        uv = run(ROOT / "tools" / "find-uv", "--no-fetch").stdout.strip()
        python = self.folder / "bin" / "python"
        if uv:
            command = [uv, "pip", verb, "--no-config", "--python", str(python)]
        else:
            command = [sys.executable, "-m", "pip", "--python", str(python), verb]
            words = (*words, "--yes") if verb == "uninstall" else words
        return run(*command, "--quiet", *words)

    def install(self, *names: str) -> None:
        """Ours are those that were built; the others are the registry's."""
        done = self.pip("install", *(str(self.wheels.get(name, name)) for name in names))
        assert done.returncode == 0, done.stderr

    def uninstall(self, name: str) -> None:
        done = self.pip("uninstall", name)
        assert done.returncode == 0, done.stderr

    def python(self, code: str) -> str:
        """What it prints, and what it complains of."""
        done = run(self.folder / "bin" / "python", "-P", "-c", code)
        return done.stdout + done.stderr

    def stripe(self) -> tuple[int, str]:
        done = run(self.folder / "bin" / "stripe", "--version")
        assert "Traceback" not in done.stderr
        return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Ours, by distribution, where the registry's packages can be had."""
    folder = tmp_path_factory.mktemp("wheels")
    done = Environment(folder / "env", {}).pip("install", PAYMENT, "pytest>=8")
    if done.returncode:
        pytest.skip(f"the registry cannot be reached: {done.stderr.strip()[-200:]}")
    for project in (ROOT, ROOT / "plugins"):
        build = f"import hatchling.build as b; b.build_wheel({str(folder)!r})"
        done = run(sys.executable, "-c", build, cwd=project)
        assert done.returncode == 0, done.stderr
    return {each.name.partition("-")[0].replace("_", "-"): each for each in folder.glob("*.whl")}


@pytest.mark.parametrize("order", [(TOOL, PAYMENT), (PAYMENT, TOOL)], ids="-then-".join)
def test_the_tool_does_not_start_beside_the_payment_library(
    order: tuple[str, str], wheels: Mapping[str, Path], tmp_path: Path
) -> None:
    """Whichever comes first and whichever goes; what is said is what to do."""
    environment = Environment(tmp_path / "env", wheels)
    environment.install(order[0])
    environment.install(order[1])
    status, said = environment.stripe()
    assert status == 2
    assert said.startswith("stripe: The payment library of the same name is installed in ")
    assert "[payment-library]" in said
    commands = ("pip uninstall stripe-trace", "pip install --force-reinstall stripe",
                "uv tool install stripe-trace")  # fmt: skip
    assert all(each in said for each in commands)
    told = environment.python(CHARGE)
    if order[1] == PAYMENT:
        assert told == "charged\n"
    else:
        assert "has no attribute 'Charge': this is the tracer STRIPE" in told
        assert "pip install --force-reinstall stripe" in told

    environment.uninstall(PAYMENT)
    status, said = environment.stripe()
    assert status == 2
    assert "[files-missing]" in said
    assert "uv tool install stripe-trace" in said
    environment.install("--force-reinstall", TOOL)
    status, said = environment.stripe()
    assert status == 0, said

    environment.install(PAYMENT)
    environment.uninstall(TOOL)
    environment.install("--force-reinstall", PAYMENT)
    assert environment.python(CHARGE) == "charged\n"
    assert not (environment.folder / "bin" / "stripe").exists()


TEST = """\
import stripe

def fee(amount):
    note = "not needed"
    return amount // 10

def test_charge():
    assert stripe.Charge.OBJECT_NAME == "charge"
    assert fee(50) == 4
"""


@pytest.mark.parametrize("order", [(PLUGIN, PAYMENT), (PAYMENT, PLUGIN)], ids="-then-".join)
def test_the_plugin_leaves_the_payment_library_alone(
    order: tuple[str, str], wheels: Mapping[str, Path], tmp_path: Path
) -> None:
    project = Environment(tmp_path / "env", wheels)
    project.install(order[0])
    project.install(order[1])
    assert project.python(CHARGE) == "charged\n"
    assert project.python("import stripe_pytest.plugin, stripe_magic") == ""
    project.uninstall(PLUGIN)
    assert project.python(CHARGE) == "charged\n"


def test_the_plugin_finds_the_tool_in_its_own_environment(
    wheels: Mapping[str, Path], tmp_path: Path
) -> None:
    """Where uv puts it; the tests use the payment library meanwhile."""
    project = Environment(tmp_path / "env", wheels)
    project.install(PLUGIN, PAYMENT)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "test_charge.py").write_text(TEST)
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(tmp_path / "caches"),
    }
    python = project.folder / "bin" / "python"
    options = ("-p", "no:cacheprovider", "--stripe", "--stripe-suspects=0")
    failed = run(python, "-m", "pytest", *options, cwd=tmp_path / "work", env=environment)
    assert "The command stripe of stripe-trace was not found." in failed.stdout, failed
    tools = tmp_path / "home" / ".local" / "share" / "uv" / "tools"
    Environment(tools / TOOL, wheels).install(TOOL)
    failed = run(python, "-m", "pytest", *options, cwd=tmp_path / "work", env=environment)
    found = failed.stdout.partition("- critical slice -")[2]
    assert "1-minimal      yes" in found, failed
    assert "▶" in next(line for line in found.splitlines() if "return amount // 10" in line)


@pytest.mark.parametrize("name", OF_PAYMENT)
def test_files_of_either_generation_of_the_payment_library_are_known(
    tmp_path: Path, name: str
) -> None:
    for each in SHARED:
        (tmp_path / each).touch()
    require_own_files(tmp_path)
    (tmp_path / name).touch()
    with pytest.raises(UsageError) as raised:
        require_own_files(tmp_path)
    assert raised.value.slug == "payment-library"


@pytest.mark.parametrize("name", SHARED)
def test_what_the_payment_library_took_along_is_named(tmp_path: Path, name: str) -> None:
    for each in SHARED:
        if each != name:
            (tmp_path / each).touch()
    with pytest.raises(UsageError, match=f"{name} of .* went with the payment library") as raised:
        require_own_files(tmp_path)
    assert raised.value.slug == "files-missing"

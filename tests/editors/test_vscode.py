"""The extension of Visual Studio Code: it compiles, is packaged, and says what it lacks."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from stripe.debug.launch import launch_of
from tests.editors.extension import EXTENSION, PACKAGE, built_extension
from tests.support.patience import PATIENCE

ROOT = EXTENSION.parents[1]
MANIFEST = json.loads((EXTENSION / "package.json").read_text("utf-8"))
SETTINGS = MANIFEST["contributes"]["configuration"]["properties"]


# --- what can be read --------------------------------------------------------------------------


def test_every_command_is_there_and_every_one_there_is_declared() -> None:
    declared = {each["command"] for each in MANIFEST["contributes"]["commands"]}
    source = "".join(each.read_text("utf-8") for each in (EXTENSION / "src").glob("*.ts"))
    assert set(re.findall(r'^ {2,4}"(stripe\.\w+)": ', source, re.MULTILINE)) == declared
    # The client registers what the server announces; the same name twice is an error.
    assert not declared & {
        "stripe.slice", "stripe.suspects", "stripe.criterion", "stripe.clear"
    }  # fmt: skip
    assert {each["command"] for each in MANIFEST["contributes"]["menus"]["commandPalette"]} <= (
        declared
    )


def test_settings_are_those_of_the_server() -> None:
    server = pytest.importorskip("stripe.lsp.settings", reason="there is no server yet")
    names = {name.removeprefix("stripe.") for name in SETTINGS}
    assert names - {"command"} == set(server.KEYS)
    items = SETTINGS["stripe.configurations"]["items"]
    assert set(items["properties"]) == set(server.CONFIGURATION)
    # What VS Code sends for settings that nobody has touched is all of use.
    defaults = {name.removeprefix("stripe."): each["default"] for name, each in SETTINGS.items()}
    assert server.read(defaults) == (server.EditorSettings(), [])


def test_settings_are_in_its_readme() -> None:
    text = (EXTENSION / "README.md").read_text("utf-8")
    assert [name for name in SETTINGS if f"`{name}`" not in text] == []


def test_the_lock_has_digests_and_no_addresses() -> None:
    text = (EXTENSION / "package-lock.json").read_text("utf-8")
    assert "://" not in re.sub(r'"funding": \{.*?\}', "", text, flags=re.DOTALL)
    packages = json.loads(text)["packages"]
    assert packages[""]["dependencies"] == MANIFEST["dependencies"]
    assert packages[""]["devDependencies"] == MANIFEST["devDependencies"]
    for name, package in packages.items():
        assert name == "" or package["integrity"].startswith("sha512-"), name


# --- what has to be built ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def built() -> Path:
    return built_extension()


def test_it_is_packaged(built: Path) -> None:
    with zipfile.ZipFile(built / PACKAGE) as package:
        names = set(package.namelist())
    assert {f"extension/{name}" for name in ("package.json", "readme.md", "LICENSE.txt")} <= names
    # One file, in which all is that it needs, but for what VS Code has itself.
    assert [name for name in names if name.endswith(".js")] == ["extension/out/extension.js"]
    assert not any("node_modules" in name for name in names)
    assert not any(name.endswith((".ts", ".map", ".vsix")) for name in names)


def test_launch_arguments_are_those_of_the_adapter() -> None:
    (declared,) = MANIFEST["contributes"]["debuggers"]
    properties = declared["configurationAttributes"]["launch"]["properties"]
    source = (ROOT / "stripe" / "debug" / "launch.py").read_text("utf-8")
    assert [name for name in properties if f'"{name}"' not in source] == []
    defaults = {name: each["default"] for name, each in properties.items() if "default" in each}
    program = defaults.pop("program")
    target = launch_of({**defaults, "cwd": str(EXTENSION), "program": program}).target
    assert (target.program, target.directory) == (program, EXTENSION)


def test_the_debugger_is_registered_and_started_as_the_command_says(built: Path) -> None:
    """With a module in place of VS Code's own, which keeps what it is given."""
    done = subprocess.run(
        ["node", str(Path(__file__).with_name("debugger.cjs")), str(built / "out" / "debugger.js")],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def complaint(built: Path, command: str | Path) -> str:
    """What the extension says about a command it is to start the server with."""
    program = (
        "const {complaint} = require('./out/server.js');"
        "complaint(process.argv[1], '.').then(why => console.log(why ?? 'nothing'));"
    )
    done = subprocess.run(
        ["node", "-e", program, str(command)],
        cwd=built, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def script(path: Path, body: str, mode: int = 0o755) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(mode)
    return path


def test_a_command_that_is_not_there_is_taught(built: Path) -> None:
    said = complaint(built, "no-such-stripe")
    assert "'no-such-stripe' was not found" in said
    assert "pipx install '.[lsp]'" in said
    assert "stripe.command" in said
    assert "STRIPE" in complaint(built, "")


def test_what_the_command_says_is_passed_on(built: Path, tmp_path: Path) -> None:
    old = script(
        tmp_path / "old", "echo \"stripe: 'lsp' is not a verb. [unknown-verb]\" >&2; exit 2"
    )
    assert "'lsp' is not a verb. [unknown-verb]" in complaint(built, old)
    assert "not executable" in complaint(built, script(tmp_path / "no", "true", 0o644))


def test_a_command_that_starts_is_fine(built: Path, tmp_path: Path) -> None:
    # It is asked for what the client will ask for, with nothing to read.
    good = script(tmp_path / "good", '[ "$*" = "lsp --stdio" ] && exec cat')
    assert complaint(built, good) == "nothing"

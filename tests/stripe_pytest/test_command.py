"""How the plugin and the magic find the command ``stripe``, among programs of that name."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import stripe
import stripe_pytest
from stripe_pytest.command import INSTALL, NoCommand, find_command

Machine = Callable[[str, str], Path]

OURS = f"echo stripe {stripe.__version__}"
LATER = f"echo stripe 7{stripe.__version__}"
COMPANY = "echo stripe version 1.19.4"
REFUSING = "echo 'stripe: The payment library is here. [payment-library] Remove it.' >&2; exit 2"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A home and a PATH without STRIPE; puts programs below."""
    for name in ("STRIPE_COMMAND", "XDG_BIN_HOME", "XDG_DATA_HOME", "UV_TOOL_DIR",
                 "UV_TOOL_BIN_DIR", "PIPX_BIN_DIR", "PIPX_HOME"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'first'}::relative:{tmp_path / 'second'}")

    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)

    def put(place: str, body: str) -> Path:
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    return put


def test_both_distributions_have_one_version() -> None:
    assert stripe_pytest.__version__ == stripe.__version__


def test_the_tool_in_the_same_environment_is_taken() -> None:
    assert find_command() == [sys.executable, "-P", "-m", "stripe"]


def test_programs_of_others_are_passed_by(machine: Machine) -> None:
    """The payment company's own command has the same name."""
    machine("first/stripe", COMPANY)
    ours = machine("second/stripe", OURS)
    assert find_command() == [str(ours)]


@pytest.mark.parametrize(
    "place",
    [
        "home/.local/bin/stripe",
        "home/.local/share/uv/tools/stripe-trace/bin/stripe",
        "home/.local/share/pipx/venvs/stripe-trace/bin/stripe",
        "home/.local/pipx/venvs/stripe-trace/bin/stripe",
    ],
)
def test_where_uv_and_pipx_install(machine: Machine, place: str) -> None:
    ours = machine(place, OURS)
    assert find_command() == [str(ours)]


@pytest.mark.parametrize("variable", ["UV_TOOL_BIN_DIR", "PIPX_BIN_DIR", "XDG_BIN_HOME"])
def test_where_they_are_told_to(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    ours = machine("else where/stripe", OURS)
    monkeypatch.setenv(variable, str(ours.parent))
    assert find_command() == [str(ours)]


def test_what_is_named_is_taken_or_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine("first/stripe", OURS)
    monkeypatch.setenv("STRIPE_COMMAND", str(machine("mine/stripe", OURS)))
    assert find_command()[0].endswith("/mine/stripe")
    with pytest.raises(NoCommand, match="is another program of that name"):
        find_command(str(machine("other/stripe", COMPANY)))


def test_all_that_was_tried_is_told_with_why(machine: Machine) -> None:
    first = machine("first/stripe", LATER)
    second = machine("second/stripe", REFUSING)
    third = machine("home/.local/bin/stripe", "exit 1")
    with pytest.raises(NoCommand) as raised:
        find_command()
    lines = str(raised.value).splitlines()
    assert lines[0] == f"The command stripe of stripe-trace was not found. {INSTALL}"
    assert lines[1].startswith(
        f"  {first} is stripe 7{stripe.__version__}, and pytest-stripe-trace"
    )
    assert lines[1].endswith("upgrade the older one")
    assert lines[2] == f"  {second}: The payment library is here. [payment-library] Remove it."
    assert lines[3] == f"  {third} is another program of that name"


def test_a_machine_without_any(machine: Machine) -> None:
    with pytest.raises(NoCommand, match="uv tool install stripe-trace"):
        find_command()

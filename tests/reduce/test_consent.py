"""What a file may have run, and what the user must name."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stripe.backend import Target
from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.reduce.consent import Named, commands, confine_target, quoted, require_allowed
from tests.support.patience import PATIENCE
from tests.support.results import result_of, slice_of, trace_of


def asking(directory: Path, check: str = "stdout", **facts: Any) -> Result:
    """A result about a target."""
    trace = trace_of([1], "a = 1\n")
    target = Target(**{"program": "prog.py", "directory": directory, **facts})
    result = result_of(trace, slice_of(trace, [0], check=check))
    return dataclasses.replace(result, target=target)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with something of everything; beside it is what lies outside."""
    folder = tmp_path / "project"
    (folder / "sub" / "package").mkdir(parents=True)
    for name in ("prog.py", "own.py", "timeit.py", "bin", "sub/package/__main__.py"):
        (folder / name).write_text("")
    (tmp_path / "outside").write_text("")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "up").symlink_to(tmp_path)
    environment = folder / ".venv" / "bin"
    environment.mkdir(parents=True)
    (environment / "python").symlink_to(sys.executable)
    (environment / "other").symlink_to("/bin/sh")
    monkeypatch.chdir(folder)
    return folder


FINE: list[dict[str, Any]] = [
    {},
    {"program": "./sub/../prog.py"},
    {"program": "gone.py"},
    {"program": "own", "module": True},
    {"program": "sub.package", "module": True},
    {"python": "3.13"},
    {"python": "python3.12"},
    {"python": "python"},
    {"python": sys.executable},
    {"python": "./bin"},
    {"python": "./.venv"},
    {"python": ".venv/bin/python"},
]


@pytest.mark.parametrize("facts", FINE)
def test_what_lies_in_the_project_is_fine(project: Path, facts: dict[str, Any]) -> None:
    result = asking(project, **facts)
    assert confine_target(result.target, Named()) == result.target


OUTSIDE: list[tuple[dict[str, Any], str, str]] = [
    ({"program": "../outside"}, "program", "--program ../outside"),
    ({"program": "/bin/true"}, "program", "--program /bin/true"),
    ({"program": "link"}, "program", "--program link"),
    ({"program": "up/outside"}, "program", "--program up/outside"),
    ({"program": "pip", "module": True}, "module", "--program pip"),
    ({"program": "timeit", "module": True}, "module", "--program timeit"),
    ({"program": "../outside", "module": True}, "module", "--program ../outside"),
    ({"program": "", "module": True}, "module", "--program"),
    ({"python": "/bin/sh"}, "interpreter", "--python /bin/sh"),
    ({"python": "sh"}, "interpreter", "--python sh"),
    ({"python": "../outside"}, "interpreter", "--python ../outside"),
    ({"python": ".venv"}, "interpreter", "--python .venv"),  # a name, to be looked up
    ({"python": "link"}, "interpreter", "--python link"),
    ({"python": "~/x y"}, "interpreter", "--python '~/x y'"),
    ({"python": ".venv/bin/other"}, "interpreter", "--python .venv/bin/other"),
    ({"directory": Path("/")}, "directory", "--directory /"),
    ({"directory": Path("/usr/bin")}, "directory", "--directory /usr/bin"),
]


@pytest.mark.parametrize(("facts", "what", "hint"), OUTSIDE)
def test_what_lies_outside_must_be_named(
    project: Path, facts: dict[str, Any], what: str, hint: str
) -> None:
    result = asking(**{"directory": project, **facts})
    with pytest.raises(UsageError) as caught:
        confine_target(result.target, Named())
    assert caught.value.slug == "outside-project"
    assert f"the {what} " in caught.value.message
    assert hint in caught.value.hint
    option = hint.partition(" ")[0]
    name = option.removeprefix("--")
    value: Any = str(facts[name])
    found = confine_target(result.target, replace(Named(), **{name: value}))
    assert str(getattr(found, name)) == value


def test_a_result_of_another_machine(project: Path) -> None:
    """Its directory is not here; the user says which one it is."""
    found = confine_target(asking(Path("/home/somebody/work")).target, Named(directory="."))
    assert (found.directory.samefile(project), found.program) == (True, "prog.py")


def test_what_is_named_is_meant_from_here(project: Path) -> None:
    result = asking(project / "sub")
    found = confine_target(result.target, Named(program="prog.py"))
    assert found.program == str(project / "prog.py")


def test_nothing_to_run() -> None:
    trace = trace_of([1], "a = 1\n")
    with pytest.raises(UsageError) as caught:
        confine_target(result_of(trace).target, Named())
    assert caught.value.slug == "no-target"


def test_commands_must_be_named_word_for_word() -> None:
    checks = ["c=exit+cmd:grep 'a  b' x"]
    assert commands(checks) == ["grep 'a  b' x"]
    for allowed in ([], ["grep"], ["grep 'a b' x"], ["grep 'a  b' x "]):
        with pytest.raises(UsageError) as caught:
            require_allowed(checks, allowed)
        assert caught.value.slug == "command-not-allowed"
        assert r"--allow-command 'grep '\''a  b'\'' x'" in caught.value.hint
    require_allowed(checks, ["x", "grep 'a  b' x"])
    require_allowed(["stdout:/cmd:true/"], [])


@pytest.mark.parametrize(
    "text",
    ["", "a", "a b", "it's", "a\\b", "$(x)`y`", "a\nb\tc", "\x1b[2J\x07", "\x7f", "'\\\n'", "\r"],
)
def test_quoted_texts_are_words_of_a_shell(text: str) -> None:
    word = quoted(text)
    assert word.isascii()
    assert word.isprintable()
    run = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, timeout=PATIENCE)
    assert run.stdout.decode() == text


def test_what_hides_or_pretends_is_written_out() -> None:
    assert quoted("a\u202eb") == r"$'a\u202eb'"
    assert quoted("\u3164") == r"$'\u3164'", "a letter that looks like nothing"
    assert quoted("p\u0430y") == r"$'p\u0430y'", "a letter that looks like another"
    assert quoted("\U000e0041") == r"$'\U000e0041'"
    assert quoted("\udcff") == r"$'\xff'"

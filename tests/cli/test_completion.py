"""Completion in the shells themselves: what the Tab key offers behind the words typed so far."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from stripe.cli.completion import SHELLS, WORDS, script
from stripe.cli.grammar import Parser
from stripe.cli.main import main
from stripe.cli.verbs import VERBS, verb
from tests.support.needs import LEFT_OUT
from tests.support.patience import PATIENCE

# What readline does: sets the words, calls the function, and offers files unless told not to.
BASH = r"""
. "$SCRIPT"
complete -p stripe | grep -q -- '-o default -F _stripe' || exit 1
compopt() { files=no; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_stripe stripe "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
if [ ${#COMPREPLY[@]} = 0 ] && [ -z "$files" ]; then compgen -f -- "${COMP_WORDS[COMP_CWORD]}"; fi
printf '%s\n' "${COMPREPLY[@]}"
"""

FISH = """
source $SCRIPT
complete -C (string join ' ' -- $argv) | string replace -r '\\t.*' ''
true
"""

TYPED: Sequence[tuple[str, set[str]]] = [
    ("stripe tr", {"trace"}),
    ("stripe trace --cont", {"--control"}),
    ("stripe trace --control ", {"trace", "program"}),
    ("stripe trace prog.py --algorithm spl", {"splitting"}),
    ("stripe trace --show source,ta", {"source,table"}),
    ("stripe trace --json re", {"result.json", "readings.txt"}),
    ("stripe trace pr", {"prog.py"}),
    ("stripe trace prog.py -- --cont", set()),
    ("stripe input readings.txt --mode d", {"diff"}),
    ("stripe input readings.txt --uni", {"--units"}),
    ("stripe show --sch", {"--schema"}),
    ("stripe show re", {"result.json", "readings.txt"}),
    ("stripe verify --allow-c", {"--allow-command"}),
    ("stripe lsp --st", {"--stdio"}),
    ("stripe completion ", set(SHELLS)),
    ("stripe trace --max-tests re", set()),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with files to complete."""
    made = tmp_path / "work"
    made.mkdir()
    for name in ("prog.py", "readings.txt", "result.json"):
        (made / name).touch()
    return made


def environment(shell: str, folder: Path) -> dict[str, str]:
    """A shell's: it finds the script, and has a home of its own."""
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    made = folder.parent / "script"
    made.write_text("\n".join(script(shell)) + "\n")
    return {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "SCRIPT": str(made)}


def offered_by(shell: str, source: str, typed: str, folder: Path) -> set[str]:
    done = subprocess.run(
        [shell, "-c", source, *([shell] if shell == "bash" else []), *typed.split(" ")],
        cwd=folder, env=environment(shell, folder), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return set(done.stdout.split())


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_bash(folder: Path, typed: str, offered: set[str]) -> None:
    assert offered_by("bash", BASH, typed, folder) == offered


# Its script has no lists with commas, and takes what stands behind -- for ours.
@pytest.mark.parametrize(
    ("typed", "offered"), [each for each in TYPED if "," not in each[0] and " -- " not in each[0]]
)
def test_fish(folder: Path, typed: str, offered: set[str]) -> None:
    assert offered_by("fish", FISH, typed, folder) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_tab_key(shell: str, folder: Path) -> None:
    """At a terminal, where one word is left to choose."""
    pexpect = pytest.importorskip("pexpect", reason=LEFT_OUT)
    variables = {**environment(shell, folder), "TERM": "dumb", "PS1": "", "PROMPT_EOL_MARK": ""}
    options = ["--norc", "-i"] if shell == "bash" else ["-f", "-i"]
    terminal = pexpect.spawn(
        shell,
        options,
        cwd=folder,
        env=variables,
        encoding="utf-8",
        timeout=PATIENCE,
        dimensions=(24, 200),
    )
    try:
        terminal.sendline(". $SCRIPT; PS1='ready> '")
        terminal.expect("ready> ")
        terminal.expect("ready> ")
        for typed, offered in TYPED:
            if len(offered) == 1 and "," not in typed:
                [word] = offered
                terminal.send(f"echo; {typed}\t")
                terminal.expect_exact(f"{typed[: typed.rindex(' ')]} {word}")
                terminal.sendcontrol("u")
    finally:
        terminal.close(force=True)


def test_every_option_with_names_has_them() -> None:
    parsers: list[Parser] = [verb(name).build_parser() for name in VERBS]
    assert set(WORDS) <= {name for parser in parsers for name in parser.takes_value}


def test_a_shell_that_nobody_knows(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["completion"], ["completion", "csh"], ["completion", "bash", "zsh"]):
        assert main(words) == 2
        assert "[unknown-shell]" in capsys.readouterr().err

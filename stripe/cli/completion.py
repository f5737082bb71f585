"""``stripe completion``: what shells need to complete the verbs, their options, and their values.

The scripts are made from the parsers of the verbs, and hold all they know: nothing is started while
somebody types.  zsh runs bash's script, by its own ``bashcompinit``; fish has a language for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stripe.changes.granularity import LEVELS
from stripe.checks.spec import WORDS as CHECKS
from stripe.cli.grammar import NoOptions, Parser, names_and_options
from stripe.cli.output import write_lines
from stripe.cli.verbs import SUMMARIES, VERBS, verb
from stripe.errors import ExitStatus, UsageError
from stripe.inputs.plan import MODES
from stripe.reduce import ALGORITHMS, CONTROLS
from stripe.reduce.value_check import VALUES
from stripe.report import SECTIONS
from stripe.units.kinds import AUTO, KINDS

USAGE = "stripe completion SHELL"

SHELLS = ("bash", "zsh", "fish")

DESCRIPTION = """\
Prints a script for SHELL, which is bash, zsh or fish. With it, the Tab key completes verbs,
options, and the values of options."""

EPILOG = """\
to have it in every shell from now on:
  bash   stripe completion bash > ~/.local/share/bash-completion/completions/stripe
  zsh    stripe completion zsh > ~/.stripe.zsh; echo '. ~/.stripe.zsh' >> ~/.zshrc
  fish   stripe completion fish > ~/.config/fish/completions/stripe.fish"""

OPERANDS: Mapping[str, Sequence[str]] = {"completion": SHELLS}
"""What may follow a verb that has names to choose from; other verbs take files."""

WORDS: Mapping[str, Sequence[str]] = {
    "--algorithm": ALGORITHMS,
    "--check": tuple(CHECKS),
    "--control": CONTROLS,
    "--engine": ("gdb", "ptrace"),
    "--granularity": ("auto", *LEVELS),
    "--mode": MODES,
    "--show": (*SECTIONS, "all"),
    "--units": (AUTO, *KINDS),
    "--values": VALUES,
}
"""What may follow an option that has names to choose from."""

PATHS = ("DIR", "FILE", "PATH", "PROGRAM", "PYTHON", "SCRIPT")
"""How the help calls values that are files."""


BASH = r"""
_stripe() {
    local word=$2 before=$3 words= options= list index
    COMPREPLY=()
    # --option=value is three words.
    if [ "$word" = "=" ]; then
        word=
    elif [ "$before" = "=" ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    # Behind -- nothing is ours.
    for ((index = 1; index < COMP_CWORD; index++)); do
        if [ "${COMP_WORDS[index]}" = "--" ]; then return; fi
    done
    case "${COMP_WORDS[1]}:$before" in
CASES
    esac
    if [ "$COMP_CWORD" = 1 ]; then words='VERBS'; fi
    case $word in -*) words=${words:-$options} ;; esac
    # --show source,ta
    list=${word%"${word##*,}"}
    COMPREPLY=($(compgen -P "$list" -W "$words" -- "${word##*,}"))
}
_stripe_nothing() {
    if type compopt >/dev/null 2>&1; then compopt +o default; fi
}
complete -o default -F _stripe stripe
""".lstrip()

ZSH = """\
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit"""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a verb, and what may follow it: nothing, one of ``words``, a path, or a text."""

    names: Sequence[str]
    help: str
    value: str
    """What the help calls its value; empty if it takes none."""

    @property
    def words(self) -> Sequence[str]:
        return next((WORDS[name] for name in self.names if name in WORDS), ())

    @property
    def path(self) -> bool:
        return self.value in PATHS


def run(arguments: Sequence[str]) -> int:
    """Run the verb; the exit status."""
    shells, _ = names_and_options(arguments, build_parser())
    if len(shells) != 1 or shells[0] not in SHELLS:
        raise UsageError(
            "unknown-shell",
            f"The name of one shell is needed: {', '.join(SHELLS)}.",
            "For example: stripe completion bash (see stripe completion --help).",
        )
    write_lines(script(shells[0]))
    return ExitStatus.OK


def build_parser() -> Parser[NoOptions]:
    """The parser of all options."""
    return Parser(
        NoOptions, prog="stripe completion", usage=USAGE, description=DESCRIPTION, epilog=EPILOG
    )


def script(shell: str) -> Iterator[str]:
    """The lines of the script for a shell."""
    verbs = {name: options(verb(name).build_parser()) for name in VERBS}
    if shell == "fish":
        return fish(verbs, SUMMARIES)
    return bash(verbs, shell)


def options(parser: Parser[Any]) -> list[Option]:
    """The options of a verb."""
    return [
        Option(
            action.option_strings,
            action.help or "",
            str(action.metavar) if parser.takes_value[action.option_strings[0]] else "",
        )
        for action in parser._actions
    ]


def bash(verbs: Mapping[str, Sequence[Option]], shell: str) -> Iterator[str]:
    """The script for bash, and for zsh."""
    if shell == "zsh":
        yield ZSH
    names = " ".join((*verbs, "--help", "--version"))
    first, last = BASH.replace("VERBS", names).split("CASES\n")
    yield first.rstrip()
    for name, found in verbs.items():
        # The first pattern that fits counts, so that of the verb alone comes last.
        texts = [each for each in found if each.value and not each.words and not each.path]
        paths = [each for each in found if each.path]
        for option in found:
            if option.words:
                yield f"        {after(name, option)}) words='{' '.join(option.words)}' ;;"
        if paths:
            yield f"        {after(name, *paths)}) return ;;"
        if texts:
            yield f"        {after(name, *texts)}) _stripe_nothing; return ;;"
        if name in OPERANDS:
            yield f"        {name}:{name}) words='{' '.join(OPERANDS[name])}' ;;"
        every = " ".join(each for option in found for each in option.names)
        yield f"        {name}:*) options='{every}' ;;"
    yield last.rstrip()


def after(verb: str, *options: Option) -> str:
    """How the script for bash asks whether one of a verb's options stands before the word."""
    return "|".join(f"{verb}:{name}" for option in options for name in option.names)


def fish(verbs: Mapping[str, Sequence[Option]], summaries: Mapping[str, str]) -> Iterator[str]:
    """The script for fish."""
    for name, summary in summaries.items():
        yield f"complete -c stripe -n __fish_use_subcommand -f -a {name} -d {quoted(summary)}"
    for name, found in verbs.items():
        seen = f"complete -c stripe -n '__fish_seen_subcommand_from {name}'"
        if name in OPERANDS:
            yield f"{seen} -f -a '{' '.join(OPERANDS[name])}'"
        for option in found:
            parts = [seen]
            for each in option.names:
                long = each.startswith("--")
                parts.append(f"-l {each[2:]}" if long else f"-s {each[1:]}")
            if option.words:
                parts.append(f"-x -a '{' '.join(option.words)}'")
            elif option.value:
                parts.append("-r -F" if option.path else "-x")
            parts.append(f"-d {quoted(re.split(r'[;:(]', option.help)[0].strip())}")
            yield " ".join(parts)


def quoted(text: str) -> str:
    """A text as a word of fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

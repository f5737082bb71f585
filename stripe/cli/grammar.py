"""How a command line is cut into options of ours and arguments of the program.

Options of ours are recognised before PROGRAM and directly after it, until the first argument
that is not one of them::

    stripe trace [OPTIONS] PROGRAM [OPTIONS] [--] [ARGS...]
    stripe trace [OPTIONS] -m MODULE [OPTIONS] [--] [ARGS...]

``--``, or the first argument after PROGRAM that does not start with ``-``, ends them: all the
rest belongs to the program, whatever it looks like.  An unknown option before that is an error
that says so, so that a typing mistake never becomes an argument of the program unnoticed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NoReturn

from stripe.cli.options import option_of
from stripe.errors import UsageError


class HelpWanted(Exception):
    """Raised where a command line asks for help; its text is that."""


@dataclass(slots=True)
class NoOptions:
    """What the command line of a verb asks for that has no options."""


class Parser[O](argparse.ArgumentParser):
    """The parser of a verb's options, which are the fields of a class (:mod:`.options`).

    Its errors are ours, and it knows its options by name.
    """

    def __init__(
        self,
        options: type[O],
        *,
        prog: str,
        description: str,
        usage: str | None = None,
        epilog: str = "",
    ) -> None:
        super().__init__(
            prog=prog,
            usage=usage or prog,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            add_help=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.takes_value: dict[str, bool] = {}
        self._options = options
        group: argparse._ArgumentGroup | None = None
        for declared in fields(options):  # type: ignore[arg-type]  # it is a dataclass
            option = option_of(declared)
            if group is None or option.group:
                group = self.add_argument_group(option.group or "options")
            names = option.add_to(group, declared.name, str(declared.type))
            self.takes_value.update(names)
        group = group or self.add_argument_group("options")
        group.add_argument("-h", "--help", action="store_true", help="this text")
        self.takes_value.update({"-h": False, "--help": False})

    def read(self, words: Sequence[str]) -> O:
        """The options that ``words`` give.

        Raises:
            HelpWanted: with the text.
            UsageError: ``bad-option``.
        """
        for word in words:
            if word.startswith("--") and word.endswith("=--"):  # of which argparse makes a list
                self.error(f"{word[:-3]} needs a value")
        values = vars(self.parse_args(words))
        if values.pop("help"):
            raise HelpWanted(self.format_help().rstrip())
        return self._options(**values)

    def error(self, message: str) -> NoReturn:
        raise UsageError(
            "bad-option", f"{message[:1].upper()}{message[1:]}.", f"See {self.prog} --help."
        )


@dataclass(frozen=True, slots=True)
class Split:
    """A command line cut in three: options of ours, what to run, and what that gets.

    ``marked``: ``--`` stands between them, so nobody is in doubt what belongs to whom.
    """

    options: list[str]
    program: str | None
    module: bool
    arguments: Sequence[str]
    marked: bool = False


def split(arguments: Sequence[str], parser: Parser[Any]) -> Split:
    """Cut a command line as the module's docstring says."""
    options: list[str] = []
    program: str | None = None
    module = marked = False
    index = 0
    while index < len(arguments):
        word = arguments[index]
        index += 1
        if word == "--":
            marked = True
            if program is None and index < len(arguments):
                program = arguments[index]
                index += 1
            break
        if not word.startswith("-") or word == "-":
            if program is None:
                program = word
                continue
            index -= 1
            break
        if "-m" in parser.takes_value and word.startswith("-m"):
            if program is not None:
                raise UsageError(
                    "bad-option",
                    f"What to run is given twice: {program!r} and -m.",
                    _belongs_behind(word, parser),
                )
            if word == "-m":
                if index == len(arguments) or arguments[index] == "--":
                    parser.error("-m needs the name of a module")
                program = arguments[index]
                index += 1
            else:
                program = word[2:]
            module = True
            continue
        values = _values_of(word, parser)
        if values is None:
            _unknown(word, program, module, parser)
        options.append(word)
        if values:
            if index == len(arguments) or arguments[index] == "--":
                parser.error(f"{word} needs a value")
            if word.startswith("--"):
                # With =, argparse takes any value, also one that starts with a dash.
                options[-1] = f"{word}={arguments[index]}"
            else:
                options.append(arguments[index])
            index += 1
    return Split(options, program, module, arguments[index:], marked)


def misplaced(parts: Split, parser: Parser[Any]) -> str:
    """What to say if arguments of the program look like options of ours; else nothing."""
    names = [word.partition("=")[0] for word in parts.arguments if word.startswith("--")]
    found = dict.fromkeys(name for name in names if name in parser.takes_value and name != "--help")
    if parts.marked or not found:
        return ""
    one = len(found) == 1
    return (
        f"{', '.join(found)} {'stands' if one else 'stand'} behind the program's first argument, "
        f"so {'it went' if one else 'they went'} to the program. Options of {parser.prog} stand "
        "before the program's name; -- before its arguments says that they are its own."
    )


def result_file[O](
    arguments: Sequence[str], parser: Parser[O], needs_none: Sequence[str] = ()
) -> tuple[str | None, O]:
    """Read the command line of a verb about one result: its file, and the options.

    The file may be missing only with an option of ``needs_none``.
    """
    sources, options = names_and_options(arguments, parser)
    if len(sources) > 1:
        parser.error(f"one result at a time, not both {sources[0]!r} and {sources[1]!r}")
    given = {word.partition("=")[0] for word in arguments}
    if not sources and not given & set(needs_none):
        raise UsageError(
            "no-input",
            "There is no result to read.",
            f"For example: {parser.prog} RESULT.json (stripe trace PROGRAM --json RESULT.json "
            "writes one).",
        )
    return sources[0] if sources else None, options


def names_and_options[O](arguments: Sequence[str], parser: Parser[O]) -> tuple[list[str], O]:
    """Read a command line on which options of ours stand anywhere: the other words, and these."""
    words: list[str] = []
    names: list[str] = []
    index = 0
    while index < len(arguments):
        word = arguments[index]
        index += 1
        if word.startswith("-") and word != "-":
            values = _values_of(word, parser)
            if values is None:
                _unknown(word, None, False, parser)
            words.append(word)
            if values:
                if index == len(arguments):
                    parser.error(f"{word} needs a value")
                words[-1] = f"{word}={arguments[index]}"
                index += 1
        else:
            names.append(word)
    return names, parser.read(words)


def _values_of(word: str, parser: Parser[Any]) -> bool | None:
    """Whether the next word is this option's value; ``None`` if it is no option of ours."""
    if word.startswith("--"):
        name, equals, _ = word.partition("=")
        takes = parser.takes_value.get(name)
        return takes and not equals if takes is not None else None
    takes = parser.takes_value.get(word)
    if takes is not None:
        return takes
    # Several one-letter options in one word, none of which takes a value: -qv.
    if all(parser.takes_value.get(f"-{letter}") is False for letter in word[1:]):
        return False
    return None


def _unknown(word: str, program: str | None, module: bool, parser: Parser[Any]) -> NoReturn:
    name = word.partition("=")[0]
    import difflib

    close = difflib.get_close_matches(name, parser.takes_value, n=1, cutoff=0.75)
    hints = []
    if close:
        hints.append(f"Did you mean {close[0]}?")
    if program is not None:
        hints.append(_belongs_behind(word, parser, program if module else ""))
    hints.append(f"See {parser.prog} --help.")
    raise UsageError("unknown-option", f"There is no option {name}.", " ".join(hints))


def _belongs_behind(word: str, parser: Parser[Any], module: str = "") -> str:
    program = f"-m {module}" if module else "PROGRAM"
    return f"What is meant for the program goes behind -- ({parser.prog} {program} -- {word})."

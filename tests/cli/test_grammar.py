"""Which words of a command line are options of ours, and which belong to the program."""

from __future__ import annotations

import importlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.cli.grammar import Split, misplaced, split
from stripe.cli.trace import build_parser
from stripe.cli.verbs import VERBS
from stripe.errors import UsageError


def cut(*words: str) -> Split:
    return split(words, build_parser())


@pytest.mark.parametrize(
    ("words", "options", "program", "arguments"),
    [
        ("p.py", [], "p.py", []),
        ("p.py a b", [], "p.py", ["a", "b"]),
        ("--check stdout p.py a", ["--check=stdout"], "p.py", ["a"]),
        ("p.py --check stdout", ["--check=stdout"], "p.py", []),
        ("p.py --check stdout a --check x", ["--check=stdout"], "p.py", ["a", "--check", "x"]),
        ("--check=a p.py -q --json - b", ["--check=a", "-q", "--json=-"], "p.py", ["b"]),
        ("p.py -- --check stdout", [], "p.py", ["--check", "stdout"]),
        ("p.py -q -- a -- b", ["-q"], "p.py", ["a", "--", "b"]),
        ("-q -- p.py --check stdout", ["-q"], "p.py", ["--check", "stdout"]),
        ("-- -odd.py -q", [], "-odd.py", ["-q"]),
        ("p.py -qv a", ["-qv"], "p.py", ["a"]),
        ("p.py -", [], "p.py", ["-"]),
        ("--input -5 p.py", ["--input=-5"], "p.py", []),
        ("", [], None, []),
        ("--", [], None, []),
    ],
)
def test_options_may_stand_before_and_directly_after_the_program(
    words: str, options: list[str], program: str | None, arguments: list[str]
) -> None:
    parts = cut(*words.split())
    assert list(parts.options) == options
    assert (parts.program, parts.module) == (program, False)
    assert list(parts.arguments) == arguments


@pytest.mark.parametrize("words", ["-m json.tool -q a -m", "-q -mjson.tool a -m"])
def test_a_module_takes_the_place_of_the_program(words: str) -> None:
    parts = cut(*words.split())
    assert (parts.program, parts.module) == ("json.tool", True)
    assert list(parts.options) == ["-q"]
    assert list(parts.arguments) == ["a", "-m"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--chek stdout p.py", "Did you mean --check?"),
        ("p.py --depth 3", "goes behind -- (stripe trace PROGRAM -- --depth)"),
        ("p.py -5", "(stripe trace PROGRAM -- -5)"),
        ("-m pytest -o addopts= x", "goes behind -- (stripe trace -m pytest -- -o)"),
        ("p.py -m x", "What to run is given twice"),
        ("p.py --check", "--check needs a value"),
        ("--check -- p.py", "--check needs a value"),
        ("p.py --check -- one", "--check needs a value"),
        ("-m", "-m needs the name of a module"),
        ("-x p.py", "There is no option -x"),
        ("-qx p.py", "There is no option -qx"),
    ],
)
def test_mistakes_are_explained(words: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        cut(*words.split())
    assert says in str(caught.value)


@given(st.lists(st.text(max_size=5)))
def test_whatever_stands_behind_two_dashes_reaches_the_program_unchanged(words: list[str]) -> None:
    assert list(cut("p.py", "-q", "--", *words).arguments) == words


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("p.py a --check stdout --control=program", "--check, --control stand behind"),
        ("-m p a --max-time 3", "--max-time stands behind"),
        ("p.py -- a --check stdout", ""),
        ("p.py a --other -v --help", ""),
        ("p.py --check stdout", ""),
    ],
)
def test_options_behind_the_first_argument_are_not_lost_in_silence(words: str, named: str) -> None:
    said = misplaced(cut(*words.split()), build_parser())
    assert bool(said) == bool(named)
    assert said.startswith(named)


@pytest.mark.parametrize("verb", VERBS)
def test_the_default_that_the_help_tells_is_the_one_there_is(verb: str) -> None:
    """None is decided later, by what else is asked for."""
    for each in importlib.import_module(f"stripe.cli.{verb}").build_parser()._actions:
        told = re.search(r"\(default: (\d+)\b", each.help or "")
        if told and each.default is not None:
            assert each.default == float(told[1]), each.option_strings

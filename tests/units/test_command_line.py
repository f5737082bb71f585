"""Command lines: an option can go alone, or with words after it; each word can go, and no more.

The programs here are stand-ins: they read their words as getopt and argparse do.
"""

from __future__ import annotations

import argparse
import contextlib
import getopt
import io
import shlex
from collections.abc import Callable

import pytest

from stripe.dd import Outcome, hdd, splitting_strategy
from stripe.units.kinds import cut


def reduced(line: str, fails: Callable[[list[str]], bool]) -> tuple[str, int]:
    """What is left of a command line, and how many were tried."""
    units = cut(line.encode(), "options")
    tried: dict[bytes, Outcome] = {}

    def test(configuration: tuple[int, ...]) -> Outcome:
        content = units.render(configuration)
        if content not in tried:
            tried[content] = Outcome.FAIL if fails(shlex.split(content.decode())) else Outcome.PASS
        return tried[content]

    result = hdd(range(len(units)), test, units.parent, level=splitting_strategy, check=True)
    return units.render(result.configuration).decode(), len(tried)


def without(line: str) -> set[str]:
    """The line without each single unit."""
    units = cut(line.encode(), "options")
    every = range(len(units))

    def within(unit: int | None, gone: int) -> bool:
        return unit is not None and (unit == gone or within(units.parent(unit), gone))

    return {
        " ".join(units.render(tuple(u for u in every if not within(u, gone))).decode().split())
        for gone in every
    }


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-o out", {"", "-o", "out"}),
        ("--flag b.c", {"", "--flag", "b.c"}),
        ("-o out b.c", {"", "b.c", "out b.c", "-o b.c", "-o out"}),
        (
            "--size 3 4 5 6",
            {"", "6", "5 6", "4 5 6", "3 4 5 6"}
            - {"6"}  # three values go with all the others, or one by one
            | {f"--size {rest}" for rest in ("4 5 6", "3 5 6", "3 4 6", "3 4 5")},
        ),
        ("--opt=value x", {"", "x", "--opt x", "value x", "--opt=value"}),
        ("--opt='a b'", {"", "--opt", "'a b'"}),
        ("-abc", {"", "-bc", "-ac", "-ab"}),
        ("-Wall --verbose", {"-Wall", "--verbose"}),
        ("-v -v x", {"-v x", "-v", "-v -v"}),
        ("-n -5 -x", {"-x", "-n -x", "-5 -x", "-n -5"}),
        ("-o - -x", {"-x", "-o -x", "- -x", "-o -"}),
        ("-x -- -abc y", {"-- -abc y", "-x -abc y", "-x -- y", "-x -- -abc"}),
        ("a b -x", {"b -x", "a -x", "a b"}),
        ("-e '-x' -y", {"-y", "-e -y", "'-x' -y", "-e '-x'"}),
    ],
)
def test_what_can_go(line: str, expected: set[str]) -> None:
    assert without(line) == expected


def by_argparse(words: list[str]) -> argparse.Namespace | None:
    parser = argparse.ArgumentParser()
    for number in (7, 13, 59):
        parser.add_argument(f"--opt{number}")
        parser.add_argument(f"--flag{number}", action="store_true")
    parser.add_argument("--size", nargs=2)
    parser.add_argument("-v", action="count")
    parser.add_argument("files", nargs="*")
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            return parser.parse_intermixed_args(words)
        except SystemExit:
            return None


def has(**needed: object) -> Callable[[list[str]], bool]:
    def fails(words: list[str]) -> bool:
        found = by_argparse(words)
        return found is not None and all(getattr(found, k) == v for k, v in needed.items())

    return fails


def verbose(words: list[str]) -> bool:
    found = by_argparse(words)
    return found is not None and found.files == ["b.c"] and bool(found.v)


@pytest.mark.parametrize(
    ("line", "fails", "left"),
    [
        (
            "-v --opt7 fast --flag13 --opt13 x --flag59 b.c",
            has(opt7="fast", flag13=True, files=["b.c"]),
            "--opt7 fast --flag13 b.c",
        ),
        ("--size 3 4 b.c -v", has(files=["b.c"]), "b.c "),
        ("--opt7=3 -vv --flag7 b.c", verbose, "-v b.c"),
        ("--opt7 -5 -v -v", has(opt7="-5"), "--opt7 -5 "),
        ("--flag7 -v -- a b.c", has(files=["a", "b.c"]), "a b.c"),
    ],
)
def test_what_is_left(line: str, fails: Callable[[list[str]], bool], left: str) -> None:
    assert reduced(line, fails)[0] == left


def test_letters_go_one_by_one() -> None:
    def fails(words: list[str]) -> bool:
        with contextlib.suppress(getopt.GetoptError):
            given, files = getopt.getopt(words, "abcdo:")
            return ("-c", "") in given and ("-o", "out") in given and files == ["f"]
        return False

    assert reduced("-abc -d -oout f", fails)[0] == "-c -oout f"


def test_few_more_tests_than_options_there_are() -> None:
    """Of long lines of which little is needed, most goes in groups."""
    line = " ".join(f"--flag{number} --opt{number} v{number}" for number in range(60))
    left, tests = reduced(line, lambda words: {"--opt13", "v13", "--flag50"} <= set(words))
    assert left == "--opt13 v13 --flag50 "
    assert tests <= 40

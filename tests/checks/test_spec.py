"""The text form of checks."""

from __future__ import annotations

import pytest

from stripe.backend import Probe
from stripe.checks import parse_check, parse_checks
from stripe.checks.command import CommandPart
from stripe.checks.kinds import FilePart, StreamPart
from stripe.errors import UsageError


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("stdout", ["stdout"]),
        ("stderr", ["stderr"]),
        ("exit", ["exit"]),
        ("exception", ["exception"]),
        ("stdout:/^sum/", ["stdout:/^sum/"]),
        ("stdout+exit", ["stdout", "exit"]),
        ("stdout:/a+b/+exit", ["stdout:/a+b/", "exit"]),
        (r"stdout:/a\/b+/+stderr:/x=1/", [r"stdout:/a\/b+/", "stderr:/x=1/"]),
        ("file:out.txt", ["file:out.txt"]),
        ("file:c++.txt", ["file:c++.txt"]),
        ("file:out.txt+exit", ["file:out.txt", "exit"]),
        (r"file:a\+exit", [r"file:a\+exit"]),
        ("file:a+exits", ["file:a+exits"]),
        ("var:x@prog.py:3", ["var:x@prog.py:3"]),
        ("var:x@a+b.py:3+stdout", ["var:x@a+b.py:3", "stdout"]),
        ("cmd:grep a+b $STRIPE_STDOUT+exit", ["cmd:grep a+b $STRIPE_STDOUT+exit"]),
        ("exit+cmd:A=1 test x = y", ["exit", "cmd:A=1 test x = y"]),
    ],
)
def test_a_plus_joins_parts_but_not_inside_an_argument(spec: str, parts: list[str]) -> None:
    check = parse_check(spec)
    assert [part.spec for part in check.parts] == parts
    assert check.name == check.spec == spec


def test_a_check_may_carry_a_name() -> None:
    check = parse_check("sum=stdout:/^sum = 15/")
    assert (check.name, check.spec) == ("sum", "stdout:/^sum = 15/")


def test_an_equals_sign_inside_a_command_is_no_name() -> None:
    assert parse_check("cmd:X=1 ./judge").name == "cmd:X=1 ./judge"


def test_escaped_slashes_and_pluses_are_plain_inside() -> None:
    (stream,) = parse_check(r"stdout:/a\/b\d/").parts
    assert isinstance(stream, StreamPart)
    assert stream.pattern is not None
    assert stream.pattern.pattern == r"a/b\d"
    (file,) = parse_check(r"file:a\+exit").parts
    assert isinstance(file, FilePart)
    assert file.path == "a+exit"


def test_a_command_takes_all_the_rest() -> None:
    (part,) = parse_check("cmd:a | b").parts
    assert isinstance(part, CommandPart)
    assert part.command == "a | b"


def test_probes_are_collected_without_duplicates() -> None:
    check = parse_check("var:x@a/b.py:3+var:y@b.py:4+var:x@a/b.py:3")
    assert check.probes == (Probe("x", "a/b.py", 3), Probe("y", "b.py", 4))


@pytest.mark.parametrize(
    ("spec", "slug", "says"),
    [
        ("stdot", "unknown-check", "Did you mean 'stdout'?"),
        ("", "unknown-check", "A check is empty"),
        ("sum=", "unknown-check", "A check is empty"),
        ("stdout+", "unknown-check", "A check is empty"),
        ("stdout+frob", "unknown-check", "'frob'"),
        ("stdout:/a(/", "bad-regex", "at position 1"),
        ("stdout:/[/", "bad-regex", "^"),
        ("stdout:/a", "bad-check", "closing slash"),
        ("stdout:/a\\/", "bad-check", "closing slash"),
        ("stdout:a", "bad-check", "stdout:/a/"),
        ("stdout:/a/i", "bad-check", "'i'"),
        ("exit:3", "bad-check", "':3'"),
        ("stdout exit", "bad-check", "' exit'"),
        ("var", "bad-check", "needs more"),
        ("var:", "bad-check", "needs more"),
        ("var:x", "bad-check", "var:NAME@FILE:LINE"),
        ("var:x@f.py", "bad-check", "var:NAME@FILE:LINE"),
        ("var:x@f.py:0", "bad-check", "from 1"),
        ("var:x.y@f.py:1", "bad-check", "'x.y'"),
        ("file:", "bad-check", "needs more"),
        ("file:/etc/passwd", "bad-check", "relative"),
        ("file:../x", "bad-check", "relative"),
        ("cmd:", "bad-check", "needs more"),
    ],
)
def test_mistakes_are_explained(spec: str, slug: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_check(spec)
    assert caught.value.slug == slug
    assert says in str(caught.value)
    assert caught.value.hint


def test_two_checks_may_not_share_a_name() -> None:
    with pytest.raises(UsageError, match="called 'stdout'"):
        parse_checks(["stdout", "stdout"])
    assert len(parse_checks(["stdout", "again=stdout"])) == 2

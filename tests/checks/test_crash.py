"""The signature of a failure: what tells it from another, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.backend import End, Observation
from stripe.checks import parse_check
from stripe.checks.crash import signature, uncaught
from stripe.dd import Outcome
from stripe.errors import NotReducible

HERE = Path("/scratch/1")

ASAN = """==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200 at pc 0x4f
READ of size 1 at 0x602000000011 thread T0
    #0 0x4f2 in __asan_memcpy (/bin/x+0x4f2)
    #1 0x51a in parse_item /src/parse.c:33:9
"""
TRACEBACK = """Traceback (most recent call last):
  File "/src/main.py", line 9, in <module>
    main()
  File "{file}", line {line}, in convert
    return int(word)
           ^^^^^^^^^
ValueError: invalid literal for int() with base 10: '{word}'
"""


def ran(err: str = "", status: int = 1, end: End = End.EXITED, out: str = "") -> Observation:
    return Observation(end, status, out.encode(), err.encode(), HERE)


def traceback(file: str = "/src/conv.py", line: int = 3, word: str = "x") -> Observation:
    return ran(TRACEBACK.format(file=file, line=line, word=word))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (ran(ASAN), ran(ASAN.replace("602000000011", "7fff").replace("==12==", "==99==")), True),
        (ran(ASAN), ran(ASAN.replace("parse_item", "parse_list")), False),
        (ran(ASAN), ran(ASAN.replace("heap-buffer-overflow", "heap-use-after-free")), False),
        (ran(ASAN), ran(ASAN, status=2), False),
        (ran("a.c:3:4: runtime error: index 7 out of bounds"),
         ran("a.c:3:4: runtime error: index 12 out of bounds"), True),
        (traceback(), traceback(word="other"), True),
        (traceback(), traceback(line=4), False),
        (traceback(), traceback(file="/src/other.py"), False),
        # Lines of the input itself move while it is reduced.
        (traceback(file=f"{HERE}/in.py"), traceback(file=f"{HERE}/in.py", line=9), True),
        (ran("hello\nx.c:10:3: fatal error: cannot open 'a'\n"),
         ran("hi\nx.c:7:1: fatal error: cannot open 'b'\n"), True),
        (ran("error: no memory"), ran("error: no space"), False),
        (ran(status=11, end=End.SIGNAL), ran(status=6, end=End.SIGNAL), False),
        (ran(status=11, end=End.SIGNAL), ran(status=11, end=End.SIGNAL), True),
        (ran(status=11, end=End.SIGNAL), ran(status=11), False),
    ],
)  # fmt: skip
def test_signatures(one: Observation, other: Observation, same: bool) -> None:
    assert (signature(one) == signature(other)) is same
    outcome = parse_check("crash").reference(one).judge(other)
    assert outcome is (Outcome.FAIL if same else Outcome.UNRESOLVED)


def test_what_ends_well_passes() -> None:
    criterion = parse_check("crash").reference(ran("error: no memory"))
    assert criterion.judge(ran(status=0, out="done")) is Outcome.PASS


def test_there_must_be_a_failure() -> None:
    with pytest.raises(NotReducible) as raised:
        parse_check("crash").reference(ran(status=0, out="an error is not spoken of here"))
    assert raised.value.slug == "no-crash"


def test_crash_stands_beside_other_checks() -> None:
    assert [part.spec for part in parse_check("file:a.txt+crash+exit").parts] == [
        "file:a.txt", "crash", "exit",
    ]  # fmt: skip


def test_the_exception_is_read_from_the_traceback() -> None:
    found = uncaught(traceback(word="seven"))
    assert found is not None
    assert (found.type, found.file, found.line) == ("ValueError", "/src/conv.py", 3)
    assert found.message.endswith("'seven'")
    assert uncaught(ran(TRACEBACK.format(file="f", line=1, word="w"), status=0)) is None


def test_the_last_traceback_of_a_chain_counts() -> None:
    chain = (
        TRACEBACK.format(file="/src/a.py", line=1, word="x")
        + "\nDuring handling of the above exception, another exception occurred:\n\n"
        + 'Traceback (most recent call last):\n  File "/src/b.py", line 2, in g\n    h()\n'
        + "KeyError: 1\n"
    )
    assert signature(ran(chain)).complaint == "KeyError in g at b.py:2"


def test_what_is_said_after_megabytes_counts() -> None:
    """And so does what was said before them."""
    much = "y\n" * (1 << 21)
    one, other = (traceback().stderr.decode(), traceback().stderr.decode().replace("Value", "Key"))
    for first, second in ((much + one, much + other), (ASAN + much, much)):
        assert signature(ran(first)) != signature(ran(second))


COLOURED = """\
Traceback (most recent call last):
  File \x1b[35m"/home/me/a.py"\x1b[0m, line \x1b[35m2\x1b[0m, in \x1b[35mfirst\x1b[0m
    return \x1b[31mitems\x1b[0m\x1b[1;31m[0]\x1b[0m
           \x1b[31m~~~~~\x1b[0m\x1b[1;31m^^^\x1b[0m
\x1b[1;35mIndexError\x1b[0m: \x1b[35mlist index out of range\x1b[0m
"""


def test_colours_are_no_part_of_a_traceback() -> None:
    """With FORCE_COLOR, as notebooks set it, Python colours what it says of an exception."""
    found = uncaught(ran(COLOURED))
    assert found is not None
    assert (found.type, found.message) == ("IndexError", "list index out of range")
    assert (found.file, found.line) == ("/home/me/a.py", 2)
    assert signature(ran(COLOURED)).complaint == "IndexError in first at a.py:2"

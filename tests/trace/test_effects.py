"""What statements read and write, in traces made by hand."""

from __future__ import annotations

import dataclasses
from array import array

import pytest

from stripe.trace import NONE, Activation, Dependences, SourceFile, Statement, Trace
from stripe.trace.effects import Facts, ended, owners

Row = tuple[str, int, int]
"""What an event executes (a key of the statements), its caller, and its scope."""


def made(
    statements: dict[str, tuple[str, str, str]], *rows: Row, files: tuple[str, ...] = ("p.py",)
) -> Trace:
    """A trace of statements (file, reads, writes; ``f:`` in front of a name: of function f)."""
    names = list(statements)
    return Trace(
        [SourceFile(file, "") for file in files],
        [
            Statement(
                n,
                files.index(file),
                "S",
                n + 1,
                n + 1,
                n + 1,
                0,
                name.partition(":")[0] if ":" in name else "<module>",
                NONE,
                tuple(reads.split()),
                tuple(writes.split()),
            )
            for n, (name, (file, reads, writes)) in enumerate(statements.items())
        ],
        [Activation(0, "<module>", 0, NONE)],
        array("i", [names.index(name) for name, _, _ in rows]),
        # One activation for each caller.
        array("i", [caller + 1 for _, caller, _ in rows]),
        array("i", [caller for _, caller, _ in rows]),
        array("i", [scope for _, _, scope in rows]),
        lambda: array("i", [NONE] * len(rows)),
    )


def test_locations_are_of_the_activation_or_of_a_file() -> None:
    trace = made(
        {
            "a": ("p.py", "x ::x m::x other::x package::x f:x .x <stdin>", ""),
            "b": ("p.py", "", "*y ?z *<argument> <stdout>"),
            "c": ("p.py", "<next>", "?<argument> <return> <next> *.y"),
        },
        files=("p.py", "lib/m.py", "package/__init__.py", "odd/name"),
    )
    facts = Facts(trace)
    a, b, c = (facts.resolve(number) for number in range(3))
    shared = ["0::x", "1::x", ".x", "2::x", "0:f:x", ".x", "<stdin>"]
    assert a.reads == [(True, "x"), *((False, name) for name in shared)]
    assert (b.changes, b.hands, b.writes) == ([(True, "y")], [(True, "z")], [])
    assert b.changes_argument
    assert [b.hands_argument, b.returns, b.fetches] == [False] * 3
    assert c.changes == [(False, ".y")]
    assert c.hands_argument
    assert c.returns
    assert c.fetches
    assert not c.changes_argument


def test_a_function_is_owned_by_what_defines_it() -> None:
    trace = made(dict.fromkeys(("def", "f:if", "f:body", "last"), ("p.py", "", "")))
    parents = [NONE, 0, 1, NONE]
    trace.statements = [
        dataclasses.replace(each, parent=parent)
        for each, parent in zip(trace.statements, parents, strict=True)
    ]
    assert owners(trace) == [None, 0, 0, None]


def test_a_call_depends_on_the_definition_of_what_it_calls() -> None:
    trace = made(
        {"def": ("p.py", "", "g"), "f:body": ("p.py", "", ""), "call": ("p.py", "h", "")},
        ("def", NONE, NONE),
        ("call", NONE, NONE),
        ("f:body", 1, NONE),
    )
    trace.statements = [
        dataclasses.replace(each, parent=0) if each.id == 1 else each for each in trace.statements
    ]
    assert Dependences(trace).sources(1) == [0]
    assert Dependences(trace).slice([1]) == (0, 1)


def test_a_call_depends_on_what_gave_its_result() -> None:
    trace = made(
        {"a": ("p.py", "", "x"), "call": ("p.py", "", ""), "f:b": ("p.py", "", "<return>")},
        ("a", NONE, NONE),
        ("call", NONE, NONE),
        ("f:b", 1, NONE),
    )
    assert Dependences(trace).sources(1) == [2]
    assert Dependences(trace).slice([1]) == (1, 2)


@pytest.mark.parametrize(
    ("scopes", "found"),
    [
        ((NONE, 0, 0), {2}),  # the maker of the iterator, its body, and a fetch at the end
        ((NONE, 0, NONE), {1, 2}),  # what follows the fetch is no longer in the loop
        ((NONE, NONE, NONE), {0, 1, 2}),
    ],
)
def test_headers_that_end_their_loop(scopes: tuple[int, ...], found: set[int]) -> None:
    trace = made({"for": ("p.py", "<next>", "<next>")}, *[("for", NONE, scope) for scope in scopes])
    assert {event for event, flag in enumerate(ended(trace)) if flag} == found


def test_a_fetch_after_another_statement_is_its_own_maker() -> None:
    trace = made(
        {"with": ("p.py", "", ""), "for": ("p.py", "<next>", "<next>"), "in": ("p.py", "", "")},
        ("with", NONE, NONE),
        ("for", NONE, 0),  # its scope is another statement
        ("in", NONE, 1),
        ("in", NONE, 0),
    )
    assert not any(ended(trace))

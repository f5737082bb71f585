"""Which file a module is, and by which way a name comes that was imported with all others."""

from __future__ import annotations

import dataclasses
from array import array

import pytest

from stripe.trace import NONE, Activation, Dependences, SourceFile, Trace
from stripe.trace.effects import Facts
from stripe.trace.modules import Modules
from tests.trace.test_effects import made

FILES = (
    "/home/use.py",
    "/lib/net/__init__.py",
    "/lib/net/graph.py",
    "/lib/net/algorithms/__init__.py",
    "/lib/net/algorithms/misc.py",
    "/lib/net/utils/__init__.py",
    "/lib/net/utils/misc.py",
    "src/dotted.name.c",
)


@pytest.mark.parametrize(
    ("module", "importer", "file"),
    [
        ("net", 0, 1),
        ("net.graph", 0, 2),
        ("graph", 1, 2),  # `from .graph`
        ("net.utils", 0, 5),
        ("net.utils.misc", 3, 6),
        ("net.algorithms.misc", 5, 4),
        ("misc", 5, 6),  # the nearest one
        ("misc", 3, 4),
        ("", 4, 3),  # `from . import *`
        ("other.graph", 0, None),
        ("os.path", 0, None),
        ("dotted.name", 0, 7),
    ],
)
def test_a_module_is_the_nearest_file_of_its_name(
    module: str, importer: int, file: int | None
) -> None:
    trace = Trace([SourceFile(path, "") for path in FILES], [], [Activation(0, "", 0, NONE)])
    assert Modules(trace).file(module, importer) == file


def test_names_that_are_imported_with_all_others() -> None:
    """They are what made them and each import that they came by; not what else came so."""
    trace = made(
        {
            "all": ("net/__init__.py", "", "graph::*"),
            "again": ("net/graph.py", "", "misc::*"),
            "one": ("net/misc.py", "", "::one"),
            "two": ("net/misc.py", "", "::two"),
            "_own": ("net/misc.py", "", "::_own"),
            "use": ("use.py", "net::two net::_own", ""),
        },
        ("all", NONE, NONE),
        ("again", 0, NONE),
        ("one", 1, NONE),
        ("two", 1, NONE),
        ("_own", 1, NONE),
        ("use", NONE, NONE),
        files=("use.py", "net/__init__.py", "net/graph.py", "net/misc.py"),
    )
    assert Dependences(trace).sources(5) == [0, 1, 3]


def test_imports_in_a_circle_come_to_an_end() -> None:
    trace = made(
        {
            "a": ("a.py", "", "b::*"),
            "b": ("b.py", "", "a::*"),
            "use": ("use.py", "a::x", ""),
        },
        ("a", NONE, NONE),
        ("b", 0, NONE),
        ("use", NONE, NONE),
        files=("use.py", "a.py", "b.py"),
    )
    assert Dependences(trace).sources(2) == []


def test_what_an_import_reads_may_be_there_only_when_it_has_run_the_module() -> None:
    trace = made(
        {
            "import": ("use.py", "config::", "::LIMIT"),
            "other": ("config.py", "", "::OTHER"),
            "limit": ("config.py", "", "::LIMIT"),
            "last": ("config.py", "", "::LAST"),
            "use": ("use.py", "::LIMIT", ""),
        },
        ("import", NONE, NONE),
        ("other", 0, NONE),
        ("limit", 0, NONE),
        ("last", 0, NONE),
        ("use", NONE, NONE),
        files=("use.py", "config.py"),
    )
    reads = ("config::", "config::LIMIT")
    first = dataclasses.replace(trace.statements[0], kind="ImportFrom", reads=reads)
    trace.statements = [first, *trace.statements[1:]]
    assert Dependences(trace).sources(4) == [0]
    assert Dependences(trace).slice([4]) == (0, 2, 4)


def test_who_imports_a_module_again_needs_who_ran_it() -> None:
    trace = made(
        {
            "first": ("use.py", "net::", "::net"),
            "body": ("net.py", "", "::x"),
            "again": ("use.py", "net::", "::net"),
        },
        ("first", NONE, NONE),
        ("body", 0, NONE),
        ("again", NONE, NONE),
        files=("use.py", "net.py"),
    )
    assert Dependences(trace).sources(2) == [0]


def test_what_nobody_calls_needs_its_definition() -> None:
    """As ``__str__`` of an exception that is printed at the end."""
    trace = made(
        {"def": ("p.py", "", ".told"), "told:return": ("p.py", "", "<return>")},
        ("def", NONE, NONE),
        ("told:return", NONE, NONE),
    )
    trace = dataclasses.replace(trace, activation=array("i", [0, 1]))
    trace.statements = [
        trace.statements[0],
        dataclasses.replace(trace.statements[1], parent=0, function="told"),
    ]
    assert Facts(trace).owners == [None, 0]
    assert Dependences(trace).sources(1) == [0]

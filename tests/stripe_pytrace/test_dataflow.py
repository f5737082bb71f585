"""What single statements of Python read and write, as it is guessed from the source."""

from __future__ import annotations

import ast

import pytest

from stripe_pytrace.agent.compiling.dataflow import flows
from stripe_pytrace.agent.compiling.effects import Flow

METHOD = "class C(B):\n    def f(self, given):\n        {}\n"

WRITES = {
    METHOD.format("self += given"): "*self *<argument>",
    METHOD.format("given += 1"): "given",  # a number, perhaps
    METHOD.format("super().__init__(given)"): "?self ?<argument>",
    METHOD.format("B.__init__(self, given)"): "?self ?<argument>",
    METHOD.format("super().add(given)"): "?self ?<argument>",
    METHOD.format("given.__dict__.update(x=1)"): "?given ?<argument>",
    "from m.n import *": "m.n::*",
    "from . import *": "::*",
    "@d\nclass C:\n    x: int": "<return>",
    "class C(B):\n    x: int = 1": "<return>",
}

READS = {
    "import m.n": "m:: m.n::",
    "from m.n import x": "m:: m.n:: m.n::x m.n.x::",
    "from . import x": "x::",
    "import m.n as k\nk.x": "m.n::x",
    "def f(a):\n    b = a\n    return locals()": "a b",
}


def own(source: str) -> list[Flow]:
    """Of the statements, without annotations that are evaluated afterwards."""
    return flows(source)[: sum(isinstance(each, ast.stmt) for each in ast.walk(ast.parse(source)))]


@pytest.mark.parametrize("source", WRITES)
def test_writes(source: str) -> None:
    *_, (_, writes) = own(source)
    assert set(WRITES[source].split()) <= set(writes)
    if "given += 1" in source:
        assert not [each for each in writes if "<argument>" in each]


@pytest.mark.parametrize("source", READS)
def test_reads(source: str) -> None:
    *_, (reads, _) = own(source)
    assert set(READS[source].split()) <= set(reads)


def test_a_class_that_nobody_looks_at_declares_for_itself() -> None:
    *_, (_, writes) = own("class C:\n    x: int = 1")
    assert "<return>" not in writes

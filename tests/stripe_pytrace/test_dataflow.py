"""What single statements of Python read and write, as it is guessed from the source."""

from __future__ import annotations

import pytest

from stripe_pytrace.agent.dataflow import flows

METHOD = "class C(B):\n    def f(self, given):\n        {}\n"

WRITES = {
    METHOD.format("self += given"): "*self *<argument>",
    METHOD.format("given += 1"): "given",  # a number, perhaps
    METHOD.format("super().__init__(given)"): "?self ?<argument>",
    METHOD.format("B.__init__(self, given)"): "?self ?<argument>",
    METHOD.format("super().add(given)"): "?self ?<argument>",
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
}


@pytest.mark.parametrize("source", WRITES)
def test_writes(source: str) -> None:
    *_, (_, writes) = flows(source)
    assert set(WRITES[source].split()) <= set(writes)
    if "given += 1" in source:
        assert not [each for each in writes if "<argument>" in each]


@pytest.mark.parametrize("source", READS)
def test_reads(source: str) -> None:
    *_, (reads, _) = flows(source)
    assert set(READS[source].split()) <= set(reads)


def test_a_class_that_nobody_looks_at_declares_for_itself() -> None:
    *_, (_, writes) = flows("class C:\n    x: int = 1")
    assert "<return>" not in writes

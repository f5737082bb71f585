"""What the ptrace engine knows of machine code and of names without asking a gdb.

That it is what a gdb says is tested with the corpus (``differential.py``).
"""

from __future__ import annotations

import re
import shutil

import pytest

from stripe_gdb.inside.demangler import short
from stripe_gdb.tracer.names import names
from stripe_gdb.tracer.successors import edges, instruction
from tests.stripe_gdb.native import (
    EXAMPLES,
    build,
    disassembled,
    needs_cc,
    needs_cxx,
    needs_gdb,
    recorded,
    sample,
)

ENDING = re.compile(r"(notrack )?jmp|ret|hlt|ud2")
GOES = re.compile(r"(j\w+) +([0-9a-f]+)")


@pytest.mark.skipif(shutil.which("objdump") is None, reason="needs objdump")
def test_instructions_go_where_the_disassembler_says():
    known = jumps = 0
    for address, code, said in disassembled():
        made = instruction(code + bytes(16))
        if made is None or "(bad)" in said:
            continue
        known += 1
        assert made.size == len(code), said
        assert made.falls == (not ENDING.match(said)), said
        goes = GOES.match(said)
        assert (made.jump is None) == (goes is None), said
        if goes and made.jump is not None:
            assert address + made.size + made.jump == int(goes[2], 16), said
            jumps += 1
    assert known > 100_000
    assert jumps > 10_000


def test_code_with_anything_else_is_not_read():
    for code in ("f3c3", "f2ffe0", "e2fe", "f0480fb1", "62f17c48", "3effd0", "e800"):
        assert instruction(bytes.fromhex(code)) is None, code
    blocks = [(0x10, 0, True, False), (0x12, 0, False, True)]

    def read(code: str) -> list[tuple[int, int]] | None:
        text = bytes.fromhex(code)
        return edges(lambda low, high: text[low - 0x10 : high - 0x10], blocks, [(0, 4)])

    assert read("909090c3") == [(0, 1)]
    assert read("90eb00c3") == [(0, 1)]
    assert read("9075fec3") == [(0, 1)]
    assert read("9075fdc3") == [(0, 0), (0, 1)]
    assert read("90e2fec3") is None
    assert read("9090") is None  # not all of it is there


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("main", "main"),
        ("int twice<int>(int)", "twice<int>"),
        ("(anonymous namespace)::A::add(int (*)(char)) const &", "(anonymous namespace)::A::add"),
        ("a::Counter::operator()(int)", "a::Counter::operator()"),
        ("a::Counter::operator unsigned long() const", "a::Counter::operator unsigned long"),
        ("bool operator< <int>(a::List<int, 2> const&, int)", "operator< <int>"),
        ("decltype ({parm#1}+{parm#1}) thrice<int, (1>0)>(int)", "thrice<int, (1>0)>"),
        ("std::map<int, char> made<char>()", "made<char>"),
        ("core::fmt::h0123456789abcdef", "core::fmt"),
        ("<(u8, i8) as mine::Trait>::call", "<(u8, i8) as mine::Trait>::call"),
    ],
)  # fmt: skip
def test_names_for_people(said, name):
    assert short(said) == name


def test_names_of_rust_are_left_to_gdb():
    assert names({"a": "main", "b": "_ZN4ladaC1Ev", "c": "_Z3addii", "d": "_Zwrong"}) == {
        "a": "main", "b": "lada::lada", "c": "add", "d": "_Zwrong",
    }  # fmt: skip
    assert names({"a": "main", "b": "_ZN4core3fmt17h0123456789abcdefE"}) is None
    assert names({"b": "_RNvCs1234_7mycrate4main"}) is None


COUNTED = sample("branches/counted.cpp")


@needs_gdb
@needs_cc
@needs_cxx
def test_no_gdb_is_asked_about_usual_programs(tmp_path, monkeypatch):
    (tmp_path / "prog.cpp").write_text(COUNTED)
    named = build(tmp_path / "prog.cpp", tmp_path, name="counted")
    plain = build(EXAMPLES / "sample.c", tmp_path)
    for program, stdin, called in (
        (named, b"", ["main", "(anonymous namespace)::Counter::add", "twice<int>"]),
        (plain, b"0\n5\n", ["main"]),
    ):
        with recorded(program, engine="gdb", stdin=stdin) as recording:
            trace = recording.trace
            told = trace.activations, trace.control
            assert [each.function for each in trace.activations] == called
        with monkeypatch.context() as without:
            without.setattr("stripe_gdb.runner.Session", None)
            with recorded(program, engine="ptrace", stdin=stdin) as recording:
                trace = recording.trace
                assert (trace.activations, trace.control) == told

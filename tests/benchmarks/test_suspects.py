"""Seeded faults are well-formed, their halves stay as they are, and tests notice them."""

from __future__ import annotations

import hashlib
import json
import signal
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from benchmarks.suspects.__main__ import Row, kept, main, table, worst
from benchmarks.suspects.faults import (
    COLLECTIONS,
    Fault,
    aside,
    before,
    body_lines,
    collection,
    faulty_lines,
    normal,
)
from benchmarks.suspects.making import DRAWINGS
from benchmarks.suspects.processor import Meter, spent
from benchmarks.suspects.ranks import by_score, dstar, ochiai, spectrum, worst_rank
from benchmarks.suspects.subjects import packages, programs, subject
from benchmarks.suspects.trying import Observed, complaints
from tests.harm import jail

LATER = [*COLLECTIONS][1:]
ALL = [fault for name in COLLECTIONS for fault in collection(name)]
OF_PROGRAMS = [fault for fault in ALL if not fault.of.package]


def test_there_are_enough() -> None:
    made = [fault.made for fault in collection()]
    packages = [fault.subject for fault in collection() if fault.of.package]
    assert made.count("hand") >= 100
    assert made.count("mutation") >= 150
    assert len(packages) >= 60
    assert len(set(packages)) >= 6
    assert len({fault.name for fault in ALL}) == len(ALL)


@pytest.mark.parametrize(("name", "least"), [("later", 60), ("third", 60), ("fourth", 45)])
def test_there_are_enough_that_nobody_has_looked_at(name: str, least: int) -> None:
    by_hand = [fault for fault in collection(name) if fault.made == "hand"]
    assert len(by_hand) >= least
    assert len({fault.subject for fault in by_hand if not fault.of.package}) >= 12
    assert len({fault.subject for fault in by_hand if fault.of.package}) >= 6
    assert sum(fault.made == "mutation" for fault in collection(name)) >= 50


def added_for(name: str) -> set[str]:
    """The subjects that came with a collection."""
    return {each.name for each in (programs() | packages()).values() if each.added_for == name}


@pytest.mark.parametrize(("name", "least"), [("third", 170), ("fourth", 105)])
def test_a_collection_is_of_much_that_the_others_are_not_of(name: str, least: int) -> None:
    own, earlier = (
        {fault.subject for fault in faults} for faults in (collection(name), before(name))
    )
    new = [subject(each) for each in own - earlier]
    assert {each.name for each in new} == added_for(name)
    assert sum(each.package for each in new) >= 6
    assert sum(not each.package for each in new) >= 6
    sources = [fault.of.package for fault in collection(name)]
    assert len(sources) >= least
    assert 0.4 <= sum(sources) / len(sources) <= 0.6


@pytest.mark.parametrize("name", COLLECTIONS)
def test_what_came_later_is_not_drawn_for_a_collection(name: str) -> None:
    counts = {each: DRAWINGS[name].count(subject(each), name) for each in added_for("fourth")}
    assert all(counts.values()) if name == "fourth" else not any(counts.values())


@pytest.mark.parametrize("subject", sorted({fault.subject for fault in OF_PROGRAMS}))
def test_each_fault_of_a_program_changes_one_place(subject: str) -> None:
    for fault in OF_PROGRAMS:
        if fault.subject == subject:
            right = fault.of.text(fault.file)
            wrong = fault.seeded(right)
            compile(wrong, fault.file, "exec")
            assert body_lines(wrong, faulty_lines(right, wrong)) > 0


@pytest.mark.parametrize("subject", sorted({fault.subject for fault in OF_PROGRAMS}))
def test_a_later_fault_of_a_program_is_new(subject: str) -> None:
    known: set[str] = set()
    for name in COLLECTIONS:
        texts = [
            normal(fault.seeded(fault.of.text(fault.file)))
            for fault in collection(name)
            if fault.subject == subject
        ]
        assert name not in LATER or len({*texts} - known) == len(texts)
        known |= {*texts}


def test_the_half_set_aside_is_the_same_as_ever() -> None:
    names = aside(collection())
    assert abs(len(collection()) - 2 * len(names)) <= 4
    digest = hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:16]
    assert digest == "90160b188c03d750"


@pytest.mark.skipif(bool(jail.unavailable()), reason="no jail here")
def test_a_fault_makes_tests_fail_that_pass_without_it() -> None:
    chosen = [fault for fault in OF_PROGRAMS if fault.subject == "intervals"][:3]
    assert list(complaints(chosen)) == []
    noticed_by_none = Fault("intervals", "intervals.py", "hand", "", "", "in merged", "in  merged")
    noticed_by_all = replace(noticed_by_none, before="def merged", after="def joined")
    assert list(complaints([noticed_by_none, noticed_by_all])) == [
        f"{noticed_by_none.name}: no test fails",
        f"{noticed_by_all.name}: no test passes",
    ]


def test_of_what_is_missing_the_statements_around_it_are_faulty() -> None:
    right = "def f(x):\n    a = 1\n\n    b = 2\n    return (a +\n        x)\n"
    assert faulty_lines(right, right.replace("    b = 2\n", "")) == {2, 4, 5}
    assert faulty_lines(right, right.replace("        x)", "        2)")) == {5, 6}


def test_ties_count_as_they_are_worst() -> None:
    places = [("a", line) for line in range(5)]
    groups = by_score({places[0]: 0.5, places[1]: 0.9, places[2]: 0.5, places[3]: 0.5})
    assert worst_rank(groups, {places[1]}) == 1
    assert worst_rank(groups, {places[2]}) == 4
    assert worst_rank(groups, {places[2], places[3]}) == 3
    assert worst_rank(groups, {places[4]}) is None


def test_spectrum_formulas() -> None:
    one, two, three = ("f", 1), ("f", 2), ("f", 3)
    lines = {"good": {one, three}, "bad": {one, two}, "worse": {one}}
    seen = Observed(
        {"good": False, "bad": True, "worse": True},
        {test: frozenset(own) for test, own in lines.items()},
    )
    assert spectrum(seen, ochiai) == [[one], [two]]
    assert spectrum(seen, dstar) == [[one], [two]]
    assert (ochiai(2, 2, 4), dstar(2, 1, 2), dstar(2, 0, 2)) == (0.5, 4, float("inf"))


def row(name: str, lines: int, stripe: int | None, ochiai: int | None) -> Row:
    where = ("programs", "hand", "wrong order", "sorted too late")
    return Row(name, *where, lines, stripe, ochiai, 9, 20, 1.5, 1.0, 700, "")


def test_what_was_measured_is_kept(tmp_path: Path) -> None:
    first, *others = collection()[:3]
    file = tmp_path / "kept"
    assert kept(file, others) == []
    rows = [replace(row("a", 9, 1, 4), name=each.name) for each in (first, *others)]
    file.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in rows), "utf-8")
    assert kept(file, others) == rows[1:]


def test_it_is_interrupted_when_it_took_its_share_of_a_processor(interruptible: None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background
    meter = Meter(0.3)
    meter.ready.set()
    before = spent()
    with pytest.raises(KeyboardInterrupt), meter.running():
        consume(before + 20.0)
    assert spent() >= before + 0.3


@pytest.fixture
def interruptible() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def consume(until: float) -> None:
    while spent() < until:
        pass


def test_small_functions_are_counted_apart_and_what_is_worse_is_told() -> None:
    rows = [row("a", 9, 1, 4), row("b", 9, 5, 2), row("c", 2, None, 9), row("d", 4, 3, None)]
    lines = {line.split("|")[1].strip(): line for line in table(rows)}
    assert "| 3 | 1 (33 %) | 2 (67 %) | 1 (33 %) | 0 (0 %) |" in lines["of 4 lines or more"]
    assert "| 1 | 0 (0 %) | 0 (0 %) | 1 (100 %) |" in lines["of fewer lines"]
    assert [line.split()[0] for line in worst(rows, 9)] == ["c", "b"]


def test_the_half_set_aside_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    apart = min(aside(collection()))
    monkeypatch.setattr("sys.argv", ["suspects", apart, "--packages", "--spectrum"])
    with pytest.raises(SystemExit):
        main()
    assert "--aside" in capsys.readouterr().err


@pytest.mark.parametrize("name", LATER)
def test_a_later_collection_is_left_alone(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = min(fault.name for fault in collection(name) if not fault.of.package)
    for words in ([own], [f"--{name}", collection()[0].name]):
        monkeypatch.setattr("sys.argv", ["suspects", *words, "--packages", "--spectrum"])
        with pytest.raises(SystemExit):
            main()
        assert "no such fault" in capsys.readouterr().err

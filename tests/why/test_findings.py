"""What is said of an experiment as a whole is what it came to."""

from __future__ import annotations

import subprocess
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

import stripe
import stripe.changes
import stripe.inputs.reduction
import stripe.states.causes
from stripe.backend import Target
from stripe.dd import Reason
from stripe.results.changes import Lines
from stripe.results.model import changed as with_facts
from stripe.results.why import Happened
from stripe.states.causes import Input
from stripe.why import experiments
from stripe.why.evidence import Kind
from stripe.why.experiments import (
    Case,
    find_blamed,
    find_input,
    find_repairs,
    find_slice,
    find_transitions,
    slice_evidence,
)
from stripe.why.question import Question, question_of

CRASH = """\
def last(items):
    n = len(items)
    unused = 0
    return items[n]

print(last([1, 2]))
"""
DECIDED = """\
total = 1
for each in (5, 7):
    if each > 6:
        total = 0
print(3 / total)
"""


def answered(make: Any, question: Any, **facts: Any) -> tuple[Any, Any]:
    """What an experiment comes to."""
    with closing(question):
        case = Case(question, **facts)
        return make(case, 60.0), case


def program(folder: Any, text: str, **words: Any) -> Target:
    (folder / "prog.py").write_text(text)
    return Target("prog.py", directory=folder, **words)


# --- leaving out


def test_a_slice_is_told_by_what_it_kept(tmp_path, monkeypatch):
    finding, case = answered(find_slice, question_of(program(tmp_path, CRASH)))
    found = case.result.slices[0]
    assert found.certified
    kept = f"{len(found.events)} of {found.of} executed statements are enough"
    assert (finding.standing, finding.says, finding.tests) == (
        "found", f"{kept}, and without any one it no longer shows", found.tests,
    )  # fmt: skip
    for changed, standing, says in (
        (
            replace(found, certified=False, stopped=Reason.MAX_TIME),
            "found",
            f"{kept}; whether fewer would do was not tried to the end",
        ),
        (
            replace(found, certified=False, events=tuple(range(found.of))),
            "limit",
            "in its time nothing could be left out",
        ),
    ):
        result = replace(case.result, slices=(changed,))
        monkeypatch.setattr(experiments, "_traced", lambda question, options, it=result: it)
        finding = find_slice(Case(case.question), 60.0)
        assert (finding.standing, finding.says) == (standing, says)


def test_a_condition_that_decided_is_told_as_that_and_what_was_left_out_alone_as_needed(tmp_path):
    program(tmp_path, DECIDED)
    traced = stripe.trace("prog.py", directory=tmp_path, values="same", control="trace")
    found, trace = traced.slices[0], traced.trace
    told = {each.line: (each.kind, each.says) for each in slice_evidence(traced, found)}
    kept = {line for _, line in found.lines(trace)}
    assert 3 not in kept
    assert told[3] == (Kind.DECIDES, "its condition decided that what is needed ran")
    assert told[4] == (Kind.KEPT, "left out alone, the run no longer shows it")
    assert found.certified


def test_of_a_crash_that_nothing_was_left_out_of_the_way_back_begins_at_the_last_statement(
    tmp_path,
):
    program(tmp_path, DECIDED)
    traced = stripe.trace("prog.py", directory=tmp_path)
    whole = replace(
        traced.slices[0], events=tuple(range(len(traced.trace))), certified=False, governing=()
    )
    found = [each for each in slice_evidence(traced, whole) if each.kind is Kind.DEPENDS]
    assert min(each.strength for each in found) > 0.9, "how near it is counts little"
    told = [each.says for each in found]
    assert "the last statement that was executed" in told
    assert "what was executed last depends on it, 1 step back" in told


# --- small changes


@pytest.mark.parametrize(
    ("expect", "standing", "says"),
    [
        (b"4", "found", "it prints what is expected with changes at 1 place"),
        (b"no", "nothing", "it prints what is expected with none of them"),
    ],
)
def test_changes_that_were_tried_are_counted(tmp_path, expect, standing, says):
    target = program(tmp_path, "n = 2\nprint(n + 3)\n")
    finding, case = answered(find_repairs, question_of(target, expect=expect))
    found = case.suspects
    assert finding.standing == standing
    count = f"{len(found.places)} places" if len(found.places) > 1 else "1 place"
    tried = f"{found.tried:,} of {found.offered:,} small changes were tried"
    assert finding.says == f"{tried}: {says.replace('1 place', count)}"
    assert len(case.evidence) == len(found.places)


@pytest.mark.parametrize(
    ("right", "says"),
    [("3", "the test passes with changes at "), ("'no'", "the test passes with none of them")],
)
def test_changes_are_told_of_a_test_as_that(tmp_path, right, says):
    (tmp_path / "shop.py").write_text("def total():\n    return 1 + 1\n")
    (tmp_path / "test_shop.py").write_text(
        f"from shop import total\n\ndef test_total(): assert total() == {right}\n"
    )
    target = Target("pytest", ("test_shop.py",), module=True, directory=tmp_path)
    finding, case = answered(find_repairs, question_of(target))
    found = case.suspects
    begin = f"{found.tried:,} of {found.offered:,} small changes were tried: "
    assert finding.says.startswith(begin + says)


# --- changes between versions


def commit(folder: Any, *words: str) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
    subprocess.run(git, cwd=folder, check=True)


RIGHT = CRASH.replace("len(items)", "len(items) - 1")


@pytest.fixture
def changed(tmp_path):
    """A program in a repository, the last change of which is not committed."""
    program(tmp_path, RIGHT)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        commit(tmp_path, *words)
    return program(tmp_path, CRASH)


def test_a_change_is_told_by_what_passes_without_it(changed, monkeypatch):
    finding, case = answered(find_blamed, question_of(changed))
    result = case.changes
    assert result.certified
    assert (finding.standing, finding.says) == (
        "found",
        "it passes at HEAD; of 1 changed line not committed, 1 makes it fail",
    )
    uncommitted = "came with a change that is not committed"
    assert {each.says for each in case.evidence} == {
        f"here a line was taken out: 'n = len(items) - 1'; {uncommitted}",
        f"{uncommitted}; without it the failure is gone",
    }
    for facts, standing, says in (
        (
            {"verified": False},
            "refused",
            "the changes that were found did not fail when tried again",
        ),
        (
            {"certified": False, "lines": Lines(9, 7)},
            "found",
            "it passes at HEAD; of 9 changed lines not committed, 7 make it fail; whether fewer do "
            "was not tried to the end",
        ),
    ):
        other = with_facts(result, **facts)
        monkeypatch.setattr(stripe.changes, "find_changes", lambda *a, it=other, **k: it)
        again = Case(case.question)
        finding = find_blamed(again, 60.0)
        assert (finding.standing, finding.says) == (standing, says)
    unsure = f"{uncommitted}; whether just this makes it fail was not tried to the end"
    assert unsure in {each.says for each in again.evidence}


def test_what_was_committed_is_told_since_when(changed):
    commit(changed.directory, "commit", "-qam", "two")
    finding, case = answered(find_blamed, question_of(changed))
    assert finding.says == (
        "it passes at HEAD~1; of 1 changed line made since HEAD~1, 1 makes it fail"
    )
    assert "came with a change since HEAD~1; without it the failure is gone" in {
        each.says for each in case.evidence
    }


def test_commits_that_fail_as_well_are_named(tmp_path):
    target = program(tmp_path, CRASH)
    for words in (["init", "-q"], ["add", "."], *[["commit", "-qm", "x", "--allow-empty"]] * 2):
        commit(tmp_path, *words)
    question = question_of(target)
    finding, _ = answered(find_blamed, question)
    assert (finding.standing, finding.says) == (
        "nothing",
        "at HEAD~1 it fails, or is not there, too",
    )
    late = find_blamed(Case(question), 0.5)
    assert (late.standing, late.says) == ("limit", "there was no time to test another commit")


# --- states of a passing run, a smaller input


def test_variables_that_make_the_difference_are_told_with_what_passes(tmp_path):
    target = program(
        tmp_path, "import sys\nn = int(sys.argv[1])\nm = n - 3\nprint(12 // m)\n", arguments=("3",)
    )
    passing = Input(("4",), b"", "4")
    finding, case = answered(find_transitions, question_of(target), neighbour=passing)
    assert {each.kind for each in case.evidence} == {Kind.TRANSITION}
    assert finding.says == "'4' passes; values that make it fail come about here"


def test_that_no_variable_makes_the_difference_is_told(tmp_path, monkeypatch):
    question = Question(program(tmp_path, CRASH), Happened("exit", "It exits"), "exit")
    found = type("Result", (), {"stopped": Reason.FINISHED, "transitions": (), "tests": 4})()
    monkeypatch.setattr(stripe.states.causes, "find_causes", lambda *words, **options: found)
    finding = find_transitions(Case(question, Input(("4",), b"", "4")), 60.0)
    assert (finding.standing, finding.says) == ("nothing", "no variable makes the difference")


def test_an_input_of_which_all_is_needed_and_one_not_tried_to_the_end(tmp_path, monkeypatch):
    text = "import sys\nif sys.stdin.read() == 'q': raise ValueError\n"
    finding, case = answered(find_input, question_of(program(tmp_path, text, stdin=b"q")))
    assert (finding.standing, finding.says) == (
        "nothing", "nothing of standard input can be left out",
    )  # fmt: skip
    longer = replace(case.question.target, stdin=b"q" * 100)
    result = replace(case.input, failing=b"q" * 70, certified=False)
    monkeypatch.setattr(stripe.inputs.reduction, "reduce_input", lambda *a, **k: result)
    finding = find_input(Case(replace(case.question, target=longer)), 60.0)
    assert finding.says == (
        "with 70 of the 100 bytes of standard input it does the same; whether fewer would do was "
        "not tried to the end"
    )

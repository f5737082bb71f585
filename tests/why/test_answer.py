"""What an answer says of all experiments together, and what to type next."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import stripe
from stripe.backend import Target
from stripe.cli.grammar import split
from stripe.cli.trace import build_parser
from stripe.dd import Outcome
from stripe.interventions import Test, Verdict
from stripe.results.why import Happened, Place, Reason
from stripe.why.answer import aside, certainty, following
from stripe.why.experiments import Case
from stripe.why.question import Question
from tests.support.programs import LAST

EXITS = Happened("exit", "It exits")


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traced")
    (folder / "prog.py").write_text(LAST)
    return stripe.trace("prog.py", directory=folder, values="same")


def told(*kinds: Any) -> Place:
    return Place("m.py", 1, "", "", tuple(Reason(kind, "slice", "said") for kind in kinds))


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        (
            ("repaired", "kept"),
            "Repaired by a change: that shows where to look, and not that it is the right change.",
        ),
        (("changed",), "Shown by leaving the change out: without it, it passes."),
        (
            ("partly", "covered"),
            "Repaired by a change that breaks something else: look near it.",
        ),
        (
            ("kept", "raised"),
            "Shown by leaving out: what is named is needed for the failure. Which of it is wrong, "
            "nothing has told.",
        ),
        (("raised", "covered"), "Only nearby: it is where the failure showed."),
        (
            ("depends", "covered"),
            "Only nearby: an analysis of dependences leads there; nothing was tried that shows it.",
        ),
        (("covered",), "Only nearby: which tests execute it is all that is known."),
    ],
)
def test_how_sure_it_is_follows_from_the_evidence(traced, kinds, says):
    case = Case(Question(Target("prog.py"), EXITS), result=traced)
    assert certainty(case, [told(*kinds)]) == says
    assert certainty(case, []) == "Nothing that was tried shows where to look."


def test_of_a_slice_that_was_not_tried_to_the_end_nothing_is_said_to_be_needed(traced):
    unsure = replace(traced, slices=(replace(traced.slices[0], certified=False),))
    case = Case(Question(Target("prog.py"), EXITS), result=unsure)
    says = "Only nearby: what is named is enough for the failure, with others."
    assert certainty(case, [told("kept")]) == certainty(case, [told("decides")]) == says


@pytest.mark.parametrize(
    ("certified", "without", "says"),
    [
        (True, Outcome.PASS, "Shown by leaving the change out: without it, it passes."),
        (
            True,
            Outcome.UNRESOLVED,
            "Shown by leaving the change out: without it, it does not fail like that.",
        ),
        (
            False,
            Outcome.PASS,
            "Among the changes without which it passes: which of them makes it fail was not tried "
            "to the end.",
        ),
    ],
)
def test_what_is_known_of_the_version_without_a_change_is_told(certified, without, says):
    case = Case(Question(Target("prog.py"), EXITS))
    blamed = [SimpleNamespace(without=SimpleNamespace(outcome=without))]
    case.changes = cast("Any", SimpleNamespace(certified=certified, blamed=blamed))
    assert certainty(case, [told("changed")]) == says


def test_what_does_not_matter_is_counted_in_the_slice(traced):
    """Of seven executions those of the two prints' line and of `unused` are left out."""
    found, trace = traced.slices[0], traced.trace
    case = Case(Question(Target("prog.py"), EXITS), result=traced)
    out = found.of - len(found.events)
    executed = {trace.statements[number].line for number in trace.statement}
    kept = {line for _, line in found.lines(trace)}
    assert out > 0
    assert executed - kept == {3, 6}
    assert aside(case) == (
        f"{out} of {found.of} executed statements can be left out, and it stays; 2 of "
        f"{len(executed)} lines need not run at all"
    )
    whole = replace(traced, slices=(replace(found, events=tuple(range(found.of))),))
    assert aside(replace(case, result=whole)) == ""


def asked(happened: Happened, **facts: Any) -> Question:
    target = Target("prog.py", ("a b",), **facts.pop("target", {}))
    return Question(target, happened, given=target, **facts)


def test_what_to_type_next_asks_about_the_output_if_nothing_failed():
    happened = Happened("nothing", "It ended.", output=("1", "2"), first=9)
    assert following(asked(happened), []) == (
        ("stripe why --line 10 prog.py 'a b'", "why it prints that line"),
        ("stripe why --expect FILE prog.py 'a b'", "why it does not print what it should"),
    )


@pytest.mark.parametrize(
    ("stdin", "given"),
    [
        (b"x y", "--input 'x y' "),
        (b"x\ny\n", "--input $'x\\ny\\n' "),
        (b"\x00\x01", "--stdin FILE "),
        (b"x" * 40, "--stdin FILE "),
    ],
)
def test_what_to_type_next_has_what_the_program_was_given(stdin, given):
    target = {"stdin": stdin, "python": "py", "only": ("shop.py",), "exclude": ("t.py",)}
    question = asked(Happened("exception", "E"), check="exception", target=target)
    options = f"--python py --only shop.py --exclude t.py {given}"
    assert following(question, []) == (
        (
            f"stripe trace {options}--show back prog.py 'a b'",
            "all that it needs, from the symptom back",
        ),
        (f"stripe why {options}--html why.html prog.py 'a b'", "the same as a page"),
    )


def test_what_to_type_next_of_an_output_names_the_check_and_how_repairs_are_tried():
    question = asked(Happened("output", "It printed"), check="stdout:/^a b$/")
    assert following(question, []) == (
        (
            "stripe trace --check 'stdout:/^a b$/' --show back prog.py 'a b'",
            "all that it needs, from the symptom back",
        ),
        ("stripe why --expect FILE prog.py 'a b'", "have repairs tried"),
    )


@pytest.mark.parametrize("symptom", ["nothing", "output"])
def test_what_to_type_next_offers_no_repairs_where_none_are_tried(tmp_path, symptom):
    """Of a native program it said that --expect would have them tried."""
    (tmp_path / "prog").write_bytes(b"\x7fELF")
    (tmp_path / "prog").chmod(0o755)
    target = Target("./prog", directory=tmp_path)
    question = Question(target, Happened(symptom, "It printed"), "stdout", given=target)
    commands = [command for command, _ in following(question, [])]
    assert commands
    assert not any("--expect" in each for each in commands)


def test_what_to_type_next_has_options_of_the_program_where_they_are_not_taken_for_ours(tmp_path):
    target = Target("pytest", ("-k", "a b", "t.py"), module=True, directory=tmp_path)
    question = Question(target, Happened("test", "E"), "exception", given=target)
    (command, _), *_ = following(question, [])
    assert command == "stripe trace --show back -m pytest -- -k 'a b' t.py"
    run = parts_of(split(shlex.split(command)[2:], build_parser()))
    assert run == ("pytest", ["-k", "a b", "t.py"])


def parts_of(parts: Any) -> tuple[str, list[str]]:
    return parts.program, list(parts.arguments)


def test_what_to_type_next_of_a_test_is_the_debugger(tmp_path: Path):
    target = Target("pytest", ("test_m.py",), module=True, directory=tmp_path)
    test = Test(0, "test_m.py::test_a[x y]", Verdict.FAILED, 0.1, frozenset(), own="test_m.py")
    question = Question(target, Happened("test", "E"), "exception", test, given=target)
    assert following(question, [told("covered")]) == (
        (
            "stripe trace --show back -m pytest test_m.py",
            "all that it needs, from the symptom back",
        ),
        ("python -m pytest --pdb 'test_m.py::test_a[x y]'", "debugger"),
    )

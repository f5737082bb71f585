"""Which experiments are made, and what is said of those that are not."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace
from typing import Any, cast

import pytest

from stripe.backend import Target
from stripe.deadline import Deadline
from stripe.interventions import Test, Verdict
from stripe.results.why import Happened
from stripe.states.causes import Input
from stripe.why import inquiry
from stripe.why.experiments import Case, Finding
from stripe.why.policy import TABLE, Row
from stripe.why.question import Question

ROWS = {each.name: each for each in TABLE}


def case_of(folder, program="prog.py", happened=None, neighbour=None, **facts: Any) -> Case:
    words = facts.pop("target", {})
    target = Target(program, directory=folder, **words)
    return Case(
        Question(target, happened or Happened("exit", "It exits"), given=target, **facts), neighbour
    )


def a_test(name: str, verdict: Verdict = Verdict.FAILED, number: int = 0) -> Test:
    return Test(number, name, verdict, 0.1, frozenset(), own="test_m.py")


@pytest.mark.parametrize(
    ("commands", "says"),
    [
        ([], "it is in no git repository"),
        ([["init", "-q"]], "git knows none of its files"),
        (
            [["init", "-q"], ["add", "."], ["commit", "-qm", "one"]],
            "there is one commit, and nothing has changed since",
        ),
        (
            [["init", "-q"], ["add", "."], *[["commit", "-qm", "one", "--allow-empty"]] * 2],
            "",
        ),
    ],
)
def test_versions_are_those_of_git(tmp_path, commands, says):
    (tmp_path / "prog.py").write_text("print(1)\n")
    for words in commands:
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
        subprocess.run(git, cwd=tmp_path, check=True)
    assert ROWS["changes"].obstacle(case_of(tmp_path)) == says


NATIVE = {
    "changes": "its versions have to be built: stripe changes --build",
    "suspects": "they are tried in Python programs only",
    "input": "stripe input cuts down what a native program reads",
    "causes": "no input is known with which it passes: --pass INPUT",
}


@pytest.mark.parametrize("name", NATIVE)
def test_of_a_native_program_it_is_said_what_is_for_others(tmp_path, name):
    (tmp_path / "prog").write_bytes(b"\x7fELF")
    (tmp_path / "prog").chmod(0o755)
    assert ROWS[name].obstacle(case_of(tmp_path, "./prog")) == NATIVE[name]


def test_of_a_perl_program_states_are_not_compared(tmp_path):
    (tmp_path / "prog.pl").write_text("print 1;\n")
    says = "they are compared in Python and native programs only"
    assert ROWS["causes"].obstacle(case_of(tmp_path, "prog.pl")) == says


def test_what_needs_to_know_what_is_right_or_an_input_says_so(tmp_path):
    (tmp_path / "prog.py").write_text("print(1)\n")
    (tmp_path / "data.txt").write_text("x")
    case = case_of(tmp_path)
    right = "nothing says what would be right: --expect TEXT, or a test, does"
    assert ROWS["suspects"].obstacle(case) == right
    assert ROWS["causes"].obstacle(case) == NATIVE["causes"]
    assert ROWS["input"].obstacle(case) == "it is given no input, and not just one file"
    given = case_of(tmp_path, target={"stdin": b"x"})
    assert not ROWS["input"].obstacle(given)
    assert not ROWS["input"].obstacle(case_of(tmp_path, target={"arguments": ("data.txt",)}))
    two = case_of(tmp_path, target={"arguments": ("data.txt", "data.txt")})
    assert ROWS["input"].obstacle(two) == "it is given no input, and not just one file"
    expected = case_of(tmp_path, expect=b"2", target={"stdin": b"x"})
    assert not ROWS["suspects"].obstacle(expected)
    assert ROWS["input"].obstacle(expected) == "what is right depends on the input"
    assert not ROWS["causes"].obstacle(case_of(tmp_path, neighbour=Input((), b"", "x")))


@pytest.mark.parametrize(
    ("passing", "says"),
    [("test_m.py::test_a[2]", ""), ("test_m.py::test_b", "no other parameters of the test pass")],
)
def test_of_a_test_other_parameters_are_what_passes(tmp_path, passing, says):
    failing = a_test("test_m.py::test_a[1]")
    trials = SimpleNamespace(tests=[failing, a_test(passing, Verdict.PASSED, 1)])
    case = case_of(
        tmp_path, "pytest", Happened("test", "It fails"), test=failing, trials=trials,
        target={"module": True},
    )  # fmt: skip
    assert ROWS["causes"].obstacle(case) == says
    assert ROWS["input"].obstacle(case) == "what is right depends on the input"
    assert not ROWS["suspects"].obstacle(case)


def test_leaving_out_has_the_time_that_nothing_else_will_use(tmp_path):
    """Half of it was left, of a program that has no input and passes with nothing."""
    (tmp_path / "prog.py").write_text("print(1)\n")
    share = ROWS["slice"].share
    assert share(case_of(tmp_path)) == 0.9
    assert share(case_of(tmp_path, target={"stdin": b"x"})) == 0.5
    assert share(case_of(tmp_path, neighbour=Input((), b"", "x"))) == 0.5


def inquired(monkeypatch, tmp_path, seconds, *experiments):
    """What experiments come to that find something, within so many seconds."""
    names: tuple[Any, ...] = ("changes", "suspects", "slice")
    rows = [
        Row(name, make, lambda case: "", lambda case: 0.5)
        for name, make in zip(names, experiments, strict=False)
    ]
    monkeypatch.setattr(inquiry, "TABLE", rows)
    case = case_of(tmp_path)
    told: list[Any] = []
    made = inquiry._Inquiry(case, [], Deadline(seconds), told.append)
    return made.run()


def test_ctrl_c_ends_it_with_what_is_known(monkeypatch, tmp_path):
    def interrupted(case, seconds):
        raise KeyboardInterrupt

    def found(case, seconds):
        return Finding("found", "so it is")

    document = inquired(monkeypatch, tmp_path, 60.0, found, interrupted, found)
    assert [(each.standing, each.says) for each in document.experiments] == [
        ("found", "so it is"),
        ("limit", "it was interrupted"),
        ("skipped", "it was ended before"),
    ]
    assert document.interrupted


def test_what_there_is_no_time_for_is_told_as_that(monkeypatch, tmp_path):
    def found(case, seconds):
        return cast("Any", None)

    document = inquired(monkeypatch, tmp_path, 2.0, found)
    assert [(each.standing, each.says) for each in document.experiments] == [
        ("limit", "no time was left for it: --max-time")
    ]

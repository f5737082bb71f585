"""Each kind of sentence says what was tried, and no more than its evidence."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest

import stripe
from stripe.backend import Target
from stripe.dd import Reason as Stopped
from stripe.deadline import OutOfTime
from stripe.errors import BackendError, NotReducible
from stripe.interventions import Failure, Frame, Line, Test, Verdict
from stripe.reduce.slice_dependences import dependences
from stripe.results.suspects import Place, Values
from stripe.results.why import Happened
from stripe.states.causes import Input, find_causes
from stripe.why import experiments
from stripe.why.answer import input_told
from stripe.why.evidence import Kind
from stripe.why.experiments import (
    Case,
    attempt,
    coverage_evidence,
    covered_told,
    find_input,
    raised_evidence,
    raised_told,
    repair_told,
    slice_evidence,
    transition_evidence,
)
from stripe.why.question import Question, failure_of, in_test, question_of, whole_files
from tests.support.programs import LAST

PRINTS = """\
one = 1
two = 2
total = one + two
print("total", total)
print("text", two)
"""


def repair(**facts):
    known = {
        "file": "m.py", "line": 3, "end": 3, "function": "f", "kind": "constant",
        "words": "`2` instead of `1`", "diff": None, "size": 1, "repaired": 1, "failing": 1,
        "kept": 14, "broken": 0, "passing": 14, "others": 0, "values": Values((), ()),
        "source": "", "righted": (), "spoiled": (),
    }  # fmt: skip
    return Place(**{**known, **facts})


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({}, "with `2` instead of `1` the failing test passes and the other 14 still do"),
        (
            {"kept": 1, "passing": 1},
            "with `2` instead of `1` the failing test passes and the other one still does",
        ),
        (
            {"kept": 0, "passing": 0},
            "with `2` instead of `1` the failing test passes; there is no passing test that could "
            "break",
        ),
        (
            {"kept": 12, "broken": 2},
            "with `2` instead of `1` the failing test passes, and 2 of 14 others break",
        ),
        (
            {"words": "leave out `n += 1`"},
            "after leaving out `n += 1` the failing test passes and the other 14 still do",
        ),
        (
            {"failing": 3, "repaired": 2},
            "with `2` instead of `1` 2 of 3 failing tests pass and the other 14 still do",
        ),
    ],
)
def test_a_repair_is_told_with_what_every_test_did(facts, says):
    assert repair_told(repair(**facts)) == says


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ("`2` instead of `1`", "with `2` instead of `1` it prints what is expected"),
        ("leave out `n += 1`", "after leaving out `n += 1` it prints what is expected"),
    ],
)
def test_a_repair_of_an_expected_output_speaks_of_no_test(words, begins):
    says = repair_told(repair(words=words, kept=0, passing=0), expected=True)
    assert says == f"{begins}; whether it is right for other inputs, nothing tells"


def test_coverage_is_told_in_numbers():
    assert covered_told(0, 5) == "the failing test executes it, and of the 5 that pass none"
    assert covered_told(2, 5) == "the failing test executes it, and of the 5 that pass 2"


def test_what_the_tests_execute_is_known_before_any_change_is_tried():
    """So there are places also where the time is over before one could be."""

    def ended(number, verdict, *lines):
        executed = frozenset(Line(file, line) for file, line in lines)
        return Test(number, f"test_m.py::t{number}", verdict, 0.1, executed, own="test_m.py")

    bad = ended(0, Verdict.FAILED, ("m.py", 1), ("m.py", 2), ("m.py", 3), ("test_m.py", 9))
    tests = [
        bad,
        ended(1, Verdict.PASSED, ("m.py", 1), ("m.py", 2)),
        ended(2, Verdict.PASSED, ("m.py", 1)),
        ended(3, Verdict.FAILED, ("m.py", 3)),
    ]
    trials = SimpleNamespace(tests=tests, imported=frozenset())
    question = Question(Target("pytest"), Happened("test", "It fails"), test=bad, trials=trials)
    told = {(each.file, each.line): each.says for each in coverage_evidence(question)}
    assert told == {("m.py", 2): covered_told(1, 2), ("m.py", 3): covered_told(0, 2)}


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traced")
    (folder / "prog.py").write_text(LAST)
    return stripe.trace("prog.py", directory=folder, values="same")


def test_a_slice_that_could_not_be_tried_is_told_as_that(traced, monkeypatch):
    """It is no matter of time."""
    (found,) = traced.slices
    everything = range(len(traced.trace))
    untried = replace(found, events=everything, certified=False, untried="it left the path")
    result = replace(traced, slices=(untried,))
    monkeypatch.setattr(experiments, "_traced", lambda question, options: result)
    case = Case(Question(Target("prog.py"), Happened("exit", "It exits")))
    finding = experiments.find_slice(case, 1.0)
    assert finding.standing == "limit"
    assert finding.says == "leaving out could not be tried: it left the path"


def test_who_asks_to_stop_does_not_wait_for_dependences_of_a_large_slice(traced, monkeypatch):
    (found,) = traced.slices
    stopped = replace(found, stopped=Stopped.STOPPED, certified=False)
    result = replace(traced, slices=(stopped,))
    monkeypatch.setattr(experiments, "_traced", lambda question, options: result)
    monkeypatch.setattr(experiments, "MOST_AT_ONCE", len(found.events) - 1)
    case = Case(Question(Target("prog.py"), Happened("exit", "It exits")))
    assert experiments.find_slice(case, 1.0).says == "it was interrupted"
    assert case.stopped
    assert case.slice is None, "so no story is looked for"


def test_where_it_was_raised_is_where_the_run_raised_it(traced):
    told = list(slice_evidence(traced, traced.slices[0]))
    (raised,) = [each for each in told if each.kind is Kind.RAISED]
    assert (raised.file, raised.line, raised.function) == ("prog.py", 4, "last")
    assert raised.says == "IndexError was raised here, where n was 2"


@pytest.mark.parametrize(
    ("kind", "values", "says"),
    [
        ("Return", {"a": "[]", "len(a)": "0"}, "KeyError was raised here, where len(a) was 0"),
        ("Return", {}, "KeyError was raised here"),
        ("Return", {"a": "[" + "1, " * 30 + "1]"}, "KeyError was raised here"),
        ("Raise", {"a": "1"}, "KeyError was raised here"),
        ("Assert", {"a": "1"}, "KeyError was raised here"),
    ],
)
def test_the_last_value_before_an_exception_is_told_if_it_is_short(kind, values, says):
    assert raised_told("KeyError", kind, values) == says


def test_a_slice_that_saw_other_values_tells_none_where_it_failed(traced):
    found = traced.slices[0]
    raised = traced.recorded.exception.event
    other = replace(found, others={raised: {"x": ("1", "2")}})
    told = [each.says for each in slice_evidence(traced, other) if each.kind is Kind.RAISED]
    assert told == ["IndexError was raised here"]


def test_that_it_is_lost_without_a_line_is_said_of_certified_slices_only(traced):
    found = traced.slices[0]
    assert found.certified
    kept = {each.line for each in slice_evidence(traced, found) if each.kind is Kind.KEPT}
    assert kept == {line for _, line in found.lines(traced.trace)}
    assert 3 not in kept, "what was left out is never told"
    from dataclasses import replace

    unsure = replace(found, certified=False)
    says = {each.says for each in slice_evidence(traced, unsure) if each.kind is Kind.KEPT}
    assert says == {f"among {len(found.events)} of {found.of} executions that are enough for it"}


def test_where_nothing_could_be_left_out_nothing_is_said_to_be_needed(traced):
    from dataclasses import replace

    whole = replace(
        traced.slices[0], events=tuple(range(len(traced.trace))), certified=False, dependences=()
    )
    assert {each.kind for each in slice_evidence(traced, whole)} <= {Kind.RAISED, Kind.DEPENDS}


def test_of_an_output_the_way_back_begins_at_the_line_that_is_asked_about(tmp_path):
    from dataclasses import replace

    (tmp_path / "prog.py").write_text(PRINTS)
    traced = stripe.trace("prog.py", directory=tmp_path, check="stdout:/total/")
    number = {"total": 3, "print(total)": 4, "print(size)": 5}
    found = traced.slices[0]
    assert [traced.trace.statements[traced.trace.statement[e]].line for e in found.symptom] == [4]
    # As if its time had been over before anything was left out.
    needs = [
        each for each in dependences(traced.trace, range(len(traced.trace)))
        if each.kind == "data"
    ]  # fmt: skip
    whole = replace(
        found, events=tuple(range(len(traced.trace))), certified=False, dependences=needs
    )
    told = {each.line: each.says for each in slice_evidence(traced, whole)}
    assert told[number["print(total)"]] == "by the source, what is asked about was printed here"
    assert told[number["total"]] == "what is printed depends on it, 1 step back"
    assert number["print(size)"] not in told, "it was executed last, and has no part in it"


def test_a_transition_is_told_with_the_values_that_were_tried(tmp_path):
    (tmp_path / "prog.py").write_text(
        "import sys\nnumber = int(sys.argv[1])\ntwice = number * 2\nrest = twice - 4\n"
        "print(10 / rest)\n"
    )
    failing, passing = (Input((each,), b"", each) for each in "23")
    result = find_causes(
        "prog.py", failing=failing, passing=passing, check="exception", directory=tmp_path
    )
    told = list(transition_evidence(result))
    assert [(each.kind, each.line, each.says) for each in told] == [
        (Kind.TRANSITION, line, f"before it `{name}` was {cause} instead of {passes}; set so, the "
         "run that passes fails as well")
        for line, name, cause, passes in ((4, "twice", 4, 6), (5, "rest", 0, 2))
    ]  # fmt: skip
    assert told[0].strength > told[1].strength, "the earlier, the nearer to where it goes wrong"


def test_a_smaller_input_is_told_by_what_was_run_with_it(tmp_path):
    """The paths of the command are meant from the target's directory, wherever we are."""
    (tmp_path / "prog.py").write_text(
        "import sys\nif 'q' in sys.stdin.read(): raise ValueError('q')\n"
    )
    target = Target("prog.py", directory=tmp_path, stdin=b"abcdefqhijk")
    with closing(question_of(target)) as question:
        case = Case(question)
        finding = find_input(case, 60.0)
    assert case.input is not None
    assert case.input.certified
    says = "with 1 of the 11 bytes of standard input it does the same: 'q'"
    assert (finding.standing, finding.says) == ("found", says)
    assert input_told(case) == "1 of 11 bytes of the input ('q') do the same"


def test_a_smaller_file_is_that_of_the_targets_directory(tmp_path):
    (tmp_path / "prog.py").write_text(
        "import sys\nif 'q' in open(sys.argv[1]).read(): raise ValueError('q')\n"
    )
    (tmp_path / "data.txt").write_text("abcdefqhijk")
    target = Target("prog.py", ("data.txt",), directory=tmp_path)
    with closing(question_of(target)) as question:
        finding = find_input(Case(question), 60.0)
    assert finding.says == "with 1 of the 11 bytes of data.txt it does the same: 'q'"


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("stdout:/total/", "The program printed 'total 3'"),
        ("stdout:/t/", "The program printed 'total 3' (1 more such)"),
        ("stdout", "The program printed 'text 2' at the end"),
    ],
)
def test_the_first_line_tells_the_output_that_is_asked_about(tmp_path, check, says):
    (tmp_path / "prog.py").write_text(PRINTS)
    with closing(question_of(Target("prog.py", directory=tmp_path), check=check)) as question:
        assert question.happened.says == says


@pytest.mark.parametrize(
    ("error", "standing"),
    [
        (OutOfTime("out-of-time", "It was over."), "limit"),
        (NotReducible("nondeterministic", "It does not repeat."), "refused"),
        (BackendError("gdb-failed", "It failed."), "failed"),
    ],
)
def test_what_stops_an_experiment_is_told_as_that(error, standing):
    def experiment(case, seconds):
        raise error

    case = Case(Question(Target("prog.py"), Happened("exit", "It exits")))
    finding = attempt(experiment, case, 1.0)
    assert finding.standing == standing
    assert finding.says == (
        f"its time was over before it had an answer ({error.slug})"
        if standing == "limit"
        else f"{error.message} [{error.slug}]"
    )
    assert not case.evidence, "it is no fact of the program"


@pytest.mark.parametrize(
    ("last", "says"),
    [
        (Frame("shop.py", 9, "price"), "KeyError was raised here"),
        (Frame("/usr/lib/python3.13/json/decoder.py", 3, "decode"), "what is called here raised"),
    ],
)
def test_a_traceback_is_told_from_where_it_leaves_the_project(tmp_path, last, says):
    """Not to say of a call into a library that it raises."""
    frames = (Frame("test_shop.py", 2, "test_it"), Frame("shop.py", 5, "total"), last)
    question = Question(
        Target("pytest", module=True, directory=tmp_path), Happened("test", "It fails"),
        raised="KeyError", frames=frames,
    )  # fmt: skip
    first, *others = raised_evidence(question)
    assert first.says.startswith(says)
    assert first.file == "shop.py"
    assert {each.says for each in others} == {"KeyError came through here"}
    assert all(each.strength < first.strength for each in others)


def test_the_exception_comes_before_the_name_of_the_test(tmp_path):
    """A long name left no room for it."""
    failure = Failure("ValueError", "bad", (Frame("shop.py", 9, "price"),))
    test = Test(
        0, f"test_shop.py::test_{'x' * 90}", Verdict.FAILED, 0.1, frozenset(), failure=failure
    )  # fmt: skip
    happened = failure_of(test, Target("pytest", module=True, directory=tmp_path))
    assert happened.says.startswith("ValueError: bad, in test_xxx")
    assert (happened.file, happened.line) == ("shop.py", 9)
    test = replace(test, name="test_shop.py::test_address[::1-::ffff]")
    assert in_test("bad", test) == "bad, in test_address[::1-::ffff]"


def test_the_files_of_named_tests_are_run_and_options_stay_as_they_are() -> None:
    """An option given twice lost its second name: pytest took its value for a file."""
    words = (
        "-p",
        "no:cacheprovider",
        "-p",
        "other",
        "t.py::a",
        "--deselect=t.py::c",
        "t.py::b[x::y]",
    )
    assert whole_files(words) == (
        "-p", "no:cacheprovider", "-p", "other", "t.py", "--deselect=t.py::c"
    )  # fmt: skip


@pytest.mark.parametrize("raised", ["NameError", "UnboundLocalError"])
def test_of_a_variable_that_holds_nothing_no_other_value_is_told(raised):
    """The value before it was told, as if it had failed on that."""
    assert raised_told(raised, "Assign", {"other": "None"}) == f"{raised} was raised here"

"""What is asked about a plain run, and in which words."""

from __future__ import annotations

import re
from contextlib import closing

import pytest

import stripe.why.question
from stripe.backend import End, Target
from stripe.checks import parse_check
from stripe.errors import UsageError
from stripe.why.question import happened_of, question_of
from tests.support.fake import FakeBackend, observation

ENDS = {
    "exception": ("raise ValueError('bad')\n", "exception", "ValueError: bad"),
    "exit": ("import sys\nprint(1)\nsys.exit(3)\n", "crash", "The program exited with status 3"),
}
ODD = b"one\x0cstill one\r\nt\xffwo [a/b] c\\d\nthree\n"


def asked(folder, program, **words):
    (folder / "prog.py").write_text(program)
    return closing(question_of(Target("prog.py", directory=folder), **words))


@pytest.mark.parametrize("expect", [None, b"2"])
@pytest.mark.parametrize("symptom", ENDS)
def test_what_ends_a_program_is_asked_about_by_its_own_check(tmp_path, symptom, expect):
    """With --expect, all of these were asked about as exceptions, and refused."""
    program, check, says = ENDS[symptom]
    with asked(tmp_path, program, expect=expect) as question:
        assert (question.happened.symptom, question.check) == (symptom, check)
        assert question.happened.says.startswith(says)
        assert question.expect == expect


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (6, "The program was killed by signal 6 SIGABRT"),
        (250, "The program was killed by signal 250"),
    ],
)
def test_a_signal_is_told_by_its_name(tmp_path, number, says):
    plain = observation(end=End.SIGNAL, status=number)
    happened = happened_of(plain, Target("prog", directory=tmp_path), [])
    assert (happened.symptom, happened.says) == ("signal", says)


def test_a_check_that_is_named_is_asked_about_also_of_what_crashes(tmp_path):
    with asked(tmp_path, "print(1)\nraise ValueError('bad')\n", check="stdout") as question:
        assert question.check == "stdout"
        assert question.happened.says == "ValueError: bad; asked about is stdout"
        assert question.happened.symptom == "output"


@pytest.mark.parametrize(("more", "says"), [(1, "1 other test fails"), (2, "2 other tests fail")])
def test_of_several_failing_tests_the_first_is_asked_about(tmp_path, more, says):
    tests = "".join(f"def test_{n}(): assert {n} == 9\n" for n in range(more + 1))
    (tmp_path / "test_m.py").write_text(tests)
    target = Target("pytest", ("test_m.py",), module=True, directory=tmp_path)
    with closing(question_of(target)) as question:
        assert question.test is not None
        assert question.test.name == "test_m.py::test_0"
        told = f"{says}, too: this is about the first. Name one to ask about it."
        assert told in question.notes


def test_what_it_said_at_last_is_told_of_an_exit_status(tmp_path):
    program = "import sys\nprint('first', file=sys.stderr)\nsys.exit('no such shop')\n"
    with asked(tmp_path, program) as question:
        says = "The program exited with status 1; it said: no such shop"
        assert question.happened.says == says


@pytest.mark.parametrize(
    ("expect", "says", "check"),
    [
        (b"1\n3\n", "Line 2 of the output is '2'; expected was '3'", "stdout:/^2$/"),
        (b"1", "The output has 2 lines; expected were 1", "stdout"),
        (b"1\r\n2", "Line 1 of the output is '1'; expected was '1\\r'", "stdout:/^1$/"),
    ],
)
def test_what_is_expected_is_told_with_what_is_printed(tmp_path, expect, says, check):
    with asked(tmp_path, "print(1)\nprint(2)\n", expect=expect) as question:
        assert (question.happened.says, question.check) == (says, check)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_line_is_one_that_checks_know_by_the_number_that_is_shown(tmp_path, number):
    """A form feed ended a line where numbers are shown, and none where one is asked about."""
    program = f"import sys\nsys.stdout.buffer.write({ODD!r})\n"
    with asked(tmp_path, program) as question:
        shown = question.happened.output
    assert (len(shown), question.happened.first) == (3, 1)
    assert question.happened.says == "The program ended with exit status 0, and raised nothing."
    with asked(tmp_path, program, line=number) as question:
        assert question.happened.says == f"Line {number} of the output is {shown[number - 1]!r}"
        (place,) = parse_check(question.check).places
    assert place.lines is not None
    found = [
        index
        for index, line in enumerate(ODD.decode("utf-8", "surrogateescape").split("\n"), 1)
        if place.lines.search(line.removesuffix("\r"))
    ]
    assert found == [number]


def test_the_check_of_a_line_can_be_read(tmp_path):
    with asked(tmp_path, "print('total: 3 pieces - #1 (a/b)')\n", line=1) as question:
        assert question.check == r"stdout:/^total: 3 pieces - #1 \(a\/b\)$/"
        (place,) = parse_check(question.check).places
        assert place.lines is not None
        assert place.lines.search("total: 3 pieces - #1 (a/b)")


def test_an_exception_is_told_where_it_was_raised_also_in_a_package_that_is_looked_into(tmp_path):
    """As long as there was no slice, the program's own line was told, which only called."""
    site = tmp_path / "installed" / "lib" / "python3.12" / "site-packages"
    (site / "other").mkdir(parents=True)
    (site / "other" / "__init__.py").write_text("def first(x):\n    return x[0]\n")
    own = tmp_path / "own"
    own.mkdir()
    (own / "prog.py").write_text("import other\nother.first([])\n")
    target = Target("prog.py", directory=own, environment={"PYTHONPATH": str(site)})
    with closing(question_of(target)) as question:
        happened = question.happened
    assert re.search(r"other/__init__\.py$", happened.file)
    assert happened.line == 2


def test_a_backend_that_cannot_run_tests_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(stripe.why.question, "choose_backend", lambda target: FakeBackend())
    with pytest.raises(UsageError) as caught:
        question_of(Target("pytest", ("test_m.py",), module=True, directory=tmp_path))
    assert caught.value.slug == "no-experiments"

"""What each check looks at, in evidence and reports, and what it says where there is nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from stripe.backend import End, Observation, Probe, UncaughtException
from stripe.checks import parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible
from tests.support.fake import observation

ERROR = UncaughtException("ValueError", "too big", "prog.py", 7, 3)
COMPARED = UncaughtException("AssertionError", "", "prog.py", 7, 3, operands=("1 == 2",))
PROBE = Probe("x", "prog.py", 3)
QUIET = observation()
CUT = observation(end=End.CUT)
ABORTED = observation(end=End.SIGNAL, status=6)


@dataclass(frozen=True)
class Case:
    """A check, a run, what the check sees in it, and how it calls that in reports."""

    spec: str
    run: Observation
    seen: object
    label: str = ""


SEEN = [
    Case("stdout", observation(b"a\n"), b"a\n", "stdout"),
    Case("stderr", observation(b"a\n", stderr=b"b"), b"b", "stderr"),
    Case("stdout:/a/", observation(b"a\nb\na!\n"), ["a", "a!"], "stdout"),
    Case("stdout:/a/", observation(b"a\nb\na"), ["a", "a"], "stdout"),
    Case("stdout:/^$/", observation(b"a\n\nb\n"), [""], "stdout"),
    Case("stdout:/^$/", observation(b"a\n"), [], "stdout"),
    Case("exit", observation(status=3), ("EXITED", 3)),
    Case("signal", ABORTED, 6),
    Case("signal", observation(status=6), None),
    Case("hang", CUT, True),
    Case("hang", QUIET, None),
    Case("exception", replace(QUIET, exception=ERROR), ("ValueError", "too big")),
    Case("exception", replace(QUIET, exception=COMPARED), ("AssertionError", "", "1 == 2")),
    Case("exception", QUIET, None),
    Case("crash", QUIET, None),
    Case("crash", ABORTED, "signal 6"),
    Case("var:x@prog.py:3", replace(QUIET, values={PROBE: "7"}), "7", "x@prog.py:3"),
    Case("var:x@prog.py:3", QUIET, None, "x@prog.py:3"),
    Case("cmd:true", QUIET, None),
]


@pytest.mark.parametrize("case", SEEN, ids=lambda case: case.spec)
def test_seen(case: Case) -> None:
    [part] = parse_check(case.spec).parts
    assert (part.compared(case.run), part.label) == (case.seen, case.label)


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("text")
    (tmp_path / "folder").mkdir()
    run = replace(QUIET, directory=tmp_path)
    for name, seen in (("out.txt", b"text"), ("folder", None), ("none", None)):
        [part] = parse_check(f"file:{name}").parts
        assert (part.compared(run), part.label) == (seen, name)


# What there is nothing of in a run, the error, and what it says.
NOTHING = [
    ("stdout", QUIET, "no-output", "printed nothing on standard output", "Try another check"),
    ("stdout", observation(stderr=b"x"), "no-output",
     "nothing on standard output; it printed on standard error only:\n    x",
     "To find out why it prints that: --check stderr."),
    ("stdout:/b/", observation(status=2, stderr=b"usage: prog.py n\nprog.py: error"), "no-output",
     "on standard error only:\n    usage: prog.py n\n    prog.py: error",
     "Was it given the arguments that it needs? They stand behind its name"),
    ("stderr", observation(b"x"), "no-output",
     "nothing on standard error; it printed on standard output only:\n    x",
     "To find out why it prints that: --check stdout."),
    ("exit+stdout", QUIET, "no-output", "printed nothing on standard output", "Try another check"),
    ("stdout:/b/", QUIET, "no-output", "printed nothing on standard output", "Try another check"),
    ("stdout:/b/", observation(b"a\n"), "never-matches", "no line of standard output fits",
     "The first line is 'a'."),
    ("signal", observation(status=6), "no-signal", "exited with status 6", "--check exit"),
    ("hang", QUIET, "no-hang", "came to its end", "--check stdout"),
    ("exception", QUIET, "no-exception", "exited with status 0 without", "--check stdout"),
    ("exception", ABORTED, "no-exception", "died of signal 6 without", "--check stdout"),
    ("crash", QUIET, "no-crash", "exit status 0 and complained of nothing", "--check stdout"),
    ("var:x@prog.py:3", QUIET, "never-reached", "line 3 of prog.py was not executed",
     "Name a line that runs"),
    ("file:none", QUIET, "no-file", "no readable file 'none'", "PATH is relative"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "run", "slug", "message", "hint"), NOTHING)
def test_nothing_to_compare(
    spec: str, run: Observation, slug: str, message: str, hint: str
) -> None:
    with pytest.raises(NotReducible) as refused:
        parse_check(spec).reference(run)
    assert refused.value.slug == slug
    assert message in refused.value.message
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    ("spec", "recorded", "run", "outcome"),
    [
        ("hang", CUT, CUT, Outcome.FAIL),
        ("hang", CUT, QUIET, Outcome.PASS),
        ("signal", ABORTED, ABORTED, Outcome.FAIL),
        ("signal", ABORTED, observation(status=6), Outcome.PASS),
        ("signal", ABORTED, QUIET, Outcome.PASS),
    ],
)
def test_how_a_run_ends(
    spec: str, recorded: Observation, run: Observation, outcome: Outcome
) -> None:
    assert parse_check(spec).reference(recorded).judge(run) is outcome


def test_hanging_may_be_one_part_of_what_is_looked_at() -> None:
    specs = {"hang": True, "hang+stdout": True, "stdout+exit": False}
    assert {spec: parse_check(spec).hang for spec in specs} == specs


def test_files_of_a_command_that_only_a_shell_can_read() -> None:
    assert set(parse_check("cmd:sh -c \"test 'a b'\"").files) >= {"sh", "-c", "test 'a b'"}
    assert set(parse_check("cmd:grep it's words.txt").files) >= {"grep", "it's", "words.txt"}

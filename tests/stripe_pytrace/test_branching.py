"""Replays that begin alike are forked from one; what comes of each is what comes of it alone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.backend import End, Observation, Target
from stripe.checks import parse_checks
from stripe.dd import Outcome
from stripe.dd import branches as dd_branches
from stripe.reduce import Settings, reduce
from stripe.reduce.passes import BRANCHES
from stripe.trace.decremental_slice import missing
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording
from tests.support import corpus

PROGRAMS = {program.name: program for program in corpus.programs()}
NAMES = (
    "except_star_nested", "async_manual", "stdin_filter", "app_stack_vm", "assert_uncaught",
    "exit_zero", "pkg_own_stripe", "long_function",
)  # fmt: skip
ADDRESS = re.compile(rb"0x[0-9a-f]+")

EVERYTHING = """
    import sys

    class Wrong(Exception):
        pass

    def items(count):
        for number in range(count):
            got = yield number
            if number == 2:
                raise Wrong(got)

    def total(numbers):
        found = 0
        for number in numbers:
            with open(__file__) as file:
                found += number * len(file.readline())
        return found

    first = sys.stdin.readline()
    print(first.strip())
    try:
        for item in items(5):
            print(item, [each for each in range(item)])
    except Wrong as error:
        print("wrong", error)
    finally:
        print(total(int(each) for each in "123"))
    rest = sys.stdin.read().split()
    while rest:
        print(rest.pop(), file=sys.stderr)
    sys.exit(len(first))
"""

LINES = """
    state = 1
    for number in range({rounds}):
        state = (state * 31 + number) % 1009
        print(state)
"""


@contextmanager
def recorded(directory: Path, source: str, **more: object) -> Iterator[PythonRecording]:
    (directory / "prog.py").write_text(dedent(source))
    recording = PythonBackend().record(Target("prog.py", directory=directory, **more))  # type: ignore[arg-type]
    try:
        yield recording  # type: ignore[misc]
    finally:
        recording.close()


def removals(recording: PythonRecording) -> list[tuple[int, ...]]:
    """The whole run without one event, and without what happened in it."""
    everything = range(len(recording.trace))
    close = recording.trace.close
    found = (close(each for each in everything if each != event) for event in everything)
    return list(dict.fromkeys(found))


def seen(run: Observation | None) -> tuple[object, ...]:
    """What there is to compare; what a run printed that left its path may be flushed or not."""
    assert run is not None
    stdout = b"" if run.end is End.DIVERGED else run.stdout
    return (
        *(run.end, run.status, ADDRESS.sub(b"0x", stdout), ADDRESS.sub(b"0x", run.stderr)),
        *(run.exception, run.detail, dict(run.values)),
    )


def alone(recording: PythonRecording, events: Sequence[int]) -> tuple[object, ...]:
    with recording.replay(events) as run:
        return seen(run)


def answered(recording: PythonRecording, candidates: Sequence[Sequence[int]]) -> int:
    """How many were replayed; each of these as it is replayed alone."""
    expected = recording.plain.stdout
    together = recording.branches(candidates)
    early = recording.branches(candidates, stdout=expected)
    assert together[0] is not None
    for events, run, ended in zip(candidates, together, early, strict=True):
        assert (run is None) is (ended is None)
        if run is not None and ended is not None:
            one = alone(recording, events)
            assert seen(run) == one
            if ended.end is End.WRONG_OUTPUT:
                assert one[:1] != (End.EXITED,) or one[2] != expected
            else:
                assert seen(ended) == one
    return sum(run is not None for run in together)


@pytest.mark.parametrize("name", NAMES)
def test_a_branch_is_what_its_replay_is(name, tmp_path):
    recording = PythonBackend().record(PROGRAMS[name].place(tmp_path))
    assert isinstance(recording, PythonRecording)
    try:
        candidates = removals(recording)
        chosen = random.Random(name).sample(candidates, min(12, len(candidates)))
        assert answered(recording, chosen) >= 1
    finally:
        recording.close()


def test_exceptions_generators_files_read_and_input(tmp_path):
    with recorded(tmp_path, EVERYTHING, stdin=b"one\ntwo three\n") as recording:
        candidates = removals(recording)
        # Within the with statement a file is open, so nothing is forked there.
        inside = sum("found +=" in line for line in lines_of(recording))
        assert answered(recording, candidates) == len(candidates) - inside


def lines_of(recording: PythonRecording) -> list[str]:
    trace = recording.trace
    return [trace.files[0].lines[trace.statements[each].line - 1] for each in trace.statement]


def test_one_that_leaves_out_nothing_is_none_to_be_forked(tmp_path):
    with recorded(tmp_path, LINES.format(rounds=5)) as recording:
        everything = tuple(range(len(recording.trace)))
        *_, last = removals(recording)
        assert answered(recording, [everything, last]) == 2
        assert answered(recording, [last, everything]) == 1


REFUSED = {
    "a thread": """
        import threading
        waiting = threading.Event()
        thread = threading.Thread(target=waiting.wait, daemon=True)
        thread.start()
        print("running")
    """,
    "a file that was written": """
        with open("file", "w") as file:
            file.write("text")
        print(open("file").read())
    """,
    "a process that was started": """
        import subprocess
        print(subprocess.run(["true"]).returncode)
        print("done")
    """,
    "a pipe": """
        import os
        read, write = os.pipe()
        os.write(write, b"x")
        print(os.read(read, 1))
        print("done")
    """,
    "an alarm": """
        import signal
        signal.alarm(1000)
        print("done")
    """,
    "somebody who looks on": """
        import sys
        sys.setprofile(lambda *event: None)
        print("done")
    """,
}


@pytest.mark.parametrize("what", REFUSED)
def test_no_fork_where_it_would_not_be_like_a_run_from_the_beginning(what, tmp_path):
    with recorded(tmp_path, REFUSED[what]) as recording:
        *_, last = removals(recording)
        size = len(recording.trace)
        # The first is replayed alone if need be; the others would be forked at the last event.
        first = recording.trace.close(range(size - 1))
        assert first == last
        together = recording.branches([recording.trace.close(range(1, size)), first])
        assert together[1] is None
        assert alone(recording, first) == seen(recording.branches([first])[0])


def test_what_a_branch_leaves_behind_is_not_there_for_the_next_one(tmp_path):
    source = """
        import os
        keep = True
        if keep:
            path = "other"
        print(sorted(os.listdir()))
        open("file", "w").close()
        print(sorted(os.listdir()))
    """
    with recorded(tmp_path, source) as recording:
        candidates = removals(recording)
        assert answered(recording, candidates) < len(candidates)
        assert alone(recording, range(len(recording.trace))) == seen(recording.plain)


MEDDLING = {
    "its output is made shorter": """
        import os, sys
        less = True
        print("first", flush=True)
        keep = False
        if less:
            keep = True
        if not keep:
            sys.stdout.buffer.raw.truncate(2)
        print("second", flush=True)
        print(os.lseek(1, 0, os.SEEK_CUR), flush=True)
        print("last")
    """,
    "its output is no longer added to": """
        import fcntl, os, sys
        print("first", flush=True)
        keep = False
        keep = True
        if not keep:
            fcntl.fcntl(1, fcntl.F_SETFL, 0)
            os.lseek(1, 0, os.SEEK_SET)
        print("second", flush=True)
        print(os.lseek(1, 0, os.SEEK_CUR), flush=True)
        print("last")
    """,
    "the trunk makes its output shorter": """
        import sys
        print("first", flush=True)
        one = 1
        sys.stdout.buffer.raw.truncate(0)
        two = 2
        print("first", flush=True)
        three = 3
        print("last")
    """,
    "it goes elsewhere in its output": """
        import os
        print("first", flush=True)
        there = 0
        there = os.SEEK_END
        os.lseek(1, 0, there)
        print(os.lseek(1, 0, os.SEEK_CUR), flush=True)
        print("last")
    """,
    "its input is read": """
        import sys
        print(sys.stdin.buffer.raw.read(2))
        more = 0
        more = 2
        print(sys.stdin.buffer.raw.read(6 - more))
        print(sys.stdin.buffer.raw.read(2))
        print("last")
    """,
    "it takes its time": """
        import time
        print("first")
        short = 0
        short = 1
        if not short:
            time.sleep(0.1)
        print("second")
        print("last")
    """,
}


@pytest.mark.parametrize("what", MEDDLING)
def test_what_a_branch_does_with_its_files_is_not_there_for_others(what, tmp_path):
    with recorded(tmp_path, MEDDLING[what], stdin=b"0123456789") as recording:
        candidates = removals(recording)
        answered(recording, candidates)
        everything = range(len(recording.trace))
        last = [recording.trace.close(each for each in everything if each != everything[-1])]
        assert answered(recording, [candidates[0], *last]) == 2
        assert alone(recording, everything) == seen(recording.plain)


SILENTLY_OPEN = """
    import os, readline
    nothing = open(os.devnull, "w")
    again = os.dup(2)
    total = 0
    for each in range(6):
        total += each
        print(each, file=nothing)
    os.write(again, b"end")
    print(total)
"""


def test_what_pytest_has_open_keeps_nothing_from_being_forked(tmp_path):
    """A device without memory, one more descriptor of an output, a module for terminals."""
    with recorded(tmp_path, SILENTLY_OPEN) as recording:
        candidates = removals(recording)
        assert answered(recording, candidates) == len(candidates)


def test_a_branch_that_does_not_end_is_ended(tmp_path):
    source = """
        print("first")
        count = 10**12
        count = 10
        print(sum(range(count)))
    """
    with recorded(tmp_path, source, timeout=1.0) as recording:
        candidates = removals(recording)
        ends = [run.end for run in recording.branches(candidates) if run is not None]
        assert End.TIMEOUT in ends
        assert alone(recording, range(len(recording.trace))) == seen(recording.plain)


def test_a_branch_that_prints_something_else_is_ended(tmp_path):
    with recorded(tmp_path, "    more = 1\n" + LINES[1:].format(rounds=30)) as recording:
        expected = recording.plain.stdout
        candidates = removals(recording)
        plain = [alone(recording, events) for events in candidates]
        early = recording.branches(candidates, stdout=expected)
        ends = [run.end for run in early if run is not None]
        assert len(ends) == len(candidates)
        assert ends.count(End.WRONG_OUTPUT) > len(candidates) / 2
        assert End.EXITED in ends, "nothing that is printed depends on the first line"
        for run, before in zip(early, plain, strict=True):
            assert run is not None
            if run.end is End.WRONG_OUTPUT:
                assert before[2] != expected
            else:
                assert seen(run) == before


@pytest.mark.parametrize(
    "line",
    [
        "import os; os.write(1, b'')",
        "import sys; sys.stdout.buffer",
        "import os; print(os.getcwd())",
        "print('1 passed in 0.01s')",
    ],
)
def test_no_run_is_ended_whose_output_may_become_what_it_has_to_be(line, tmp_path):
    with recorded(tmp_path, LINES.format(rounds=12) + f"    {line}\n") as recording:
        expected = recording.plain.stdout
        early = recording.branches(removals(recording), stdout=expected)
        assert End.WRONG_OUTPUT not in [run.end for run in early if run is not None]


@pytest.fixture(scope="module")
def searches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, PythonRecording]]:
    """One program, to be replayed by so many processes."""
    source = LINES.format(rounds=12) + "    more = 1\n    raise SystemExit(state)\n"
    with ExitStack() as stack:
        yield {
            jobs: stack.enter_context(recorded(tmp_path_factory.mktemp("jobs"), source, jobs=jobs))
            for jobs in (1, 2)
        }


@pytest.mark.parametrize(
    ("check", "algorithm"), [("stdout", "ddmin"), ("stdout:/1/", "auto"), ("exit", "auto")]
)
def test_a_search_finds_the_same_by_the_same_tests(check, algorithm, searches, monkeypatch):
    monkeypatch.setattr(dd_branches, "FEWEST", 4)

    def searched(jobs: int = 1, *without: str) -> tuple[object, ...]:
        settings = Settings(algorithm=algorithm, jobs=jobs, without=frozenset(without))
        result = reduce(searches[jobs], parse_checks([check]), settings)
        (found,) = result.slices
        tests = [(each.outcome, each.size) for each in found.log]
        assert found.certified
        assert found.verified
        return found.events, found.outcomes, found.undecided, tests

    together = searched()
    assert searched(jobs=2) == together
    one_by_one = searched(1, BRANCHES)
    assert together[0] == one_by_one[0]
    assert together[1][Outcome.FAIL] == one_by_one[1][Outcome.FAIL]  # type: ignore[index]
    assert len(together[3]) == len(one_by_one[3])  # type: ignore[arg-type]


@given(st.sets(st.integers(0, 40)), st.sets(st.integers(0, 40), max_size=6))
def test_what_is_missing_is_found(part, more):
    whole = tuple(sorted(part | more))
    assert missing(whole, tuple(sorted(part))) == sorted(set(whole) - part)
    if more - part:
        assert missing(tuple(sorted(part)), whole) is None
        other = tuple(sorted({*part, 50}))
        assert missing(whole, other) is None


@pytest.mark.parametrize(
    ("names", "forked"),
    [
        ("wait, profile = 1, 2", True),
        ("import os; os.wait", False),
        ("from os import fork, wait", False),
        ("import profile", False),
    ],
)
def test_words_that_are_names_of_something_else_keep_nothing_from_being_forked(
    names, forked, tmp_path
):
    with recorded(tmp_path, f"{names}\nprint(1)\nprint(2)\n") as recording:
        candidates = removals(recording)
        assert (answered(recording, candidates) == len(candidates)) is forked

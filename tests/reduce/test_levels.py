"""Levels: which calls, which rounds, which statements, and that none of them can go."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from textwrap import dedent
from typing import Any

import pytest

import stripe
from stripe.backend import Recording, Target
from stripe.checks import parse_checks
from stripe.dd import Outcome, Reason
from stripe.errors import UsageError
from stripe.reduce import LevelAnswer, Result, Settings, reduce
from stripe.report.style import Style
from stripe.report.verification import verification
from stripe.trace import Trace
from stripe.trace.levels import LEVELS
from stripe_pytrace.backend import PythonBackend
from tests.support.fake import SAMPLE, SAMPLE_INPUT, record

COARSE = LEVELS[:3]


# -- an account of units that has nothing to do with that of the search


def beneath(trace: Trace, events: set[int], tops: set[int]) -> set[int]:
    """All that was called by ``tops``, and by what they called."""
    found = set(tops)
    for event in sorted(events):
        if trace.caller[event] in found:
            found.add(event)
    return found


def rounds(trace: Trace, events: set[int]) -> Iterator[set[int]]:
    """What happened between a header of a loop and its next execution, in the loop."""
    kinds = [each.kind for each in trace.statements]
    for header in range(len(trace)):
        loop = trace.statement[header]
        if kinds[loop] not in ("For", "While"):
            continue
        found = set()
        for event in range(header + 1, len(trace)):
            if trace.activation[event] != trace.activation[header]:
                continue
            if trace.statement[event] == loop:
                break
            above = trace.statements[trace.statement[event]].parent
            while above not in (-1, loop):
                above = trace.statements[above].parent
            if above == loop:
                found.add(event)
        yield beneath(trace, events, found & events) & events


def units(trace: Trace, level: str, kept: Sequence[int]) -> list[set[int]]:
    events = set(kept)
    if level == "calls":
        calling = {trace.caller[event] for event in events} - {-1}
        found = [beneath(trace, events, {event}) for event in calling]
    elif level == "rounds":
        found = list(rounds(trace, events))
    else:
        found = [
            {event for event in events if trace.statement[event] == number}
            for number in set(trace.statement)
        ]
    return [each for each in found if each]


class Searched:
    """What a search of a recording found, and whether it left more than it must."""

    def __init__(self, recording: Recording, check: str, **settings: Any) -> None:
        self.recording = recording
        self.settings = Settings(**settings)
        parsed = parse_checks([check])
        self.criterion = parsed[0].reference(recording.recorded)
        self.result = reduce(recording, parsed, self.settings)

    def needless(self) -> list[str]:
        """Single units of its levels that could have been left out, and levels that do not fail."""
        trace, found = self.recording.trace, []
        for answer in self.result.slices[0].levels:
            kept = set(answer.configuration())
            if not self.fails(kept):
                found.append(f"{answer.name}: does not fail")
            found += [
                f"{answer.name}: {sorted(map(trace.name, unit))}"
                for unit in units(trace, answer.name, sorted(kept))
                if self.fails(kept - unit)
            ]
        return found

    def fails(self, events: set[int]) -> bool:
        """Whether a run of these alone does what is searched for."""
        strict = self.settings.strict
        closed = self.recording.trace.close(events, control=strict)
        with self.recording.replay(closed, strict=strict) as seen:
            return self.criterion.judge(seen) is Outcome.FAIL


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Searched]]:
    """Searches a program, which is recorded once for all tests that search it."""
    recordings: dict[tuple[str, int], Recording] = {}

    def search(source: str, check: str, **settings: Any) -> Searched:
        key = source, settings.get("jobs", 1)
        if key not in recordings:
            folder = tmp_path_factory.mktemp("searched")
            (folder / "prog.py").write_text(dedent(source).strip() + "\n", "utf-8")
            target = Target("prog.py", directory=folder, jobs=key[1])
            recordings[key] = PythonBackend().record(target)
        return Searched(recordings[key], check, **settings)

    yield search
    for recording in recordings.values():
        recording.close()


def lines(result: Result, answer: LevelAnswer) -> set[int]:
    statements = {result.trace.statement[event] for event in answer.configuration()}
    return {result.trace.statements[number].line for number in statements}


BEST = """
def noise(n):
    total = 0
    for i in range(n):
        total += i
    return total

def best(items):
    found = 0
    for item in items:
        noise(3)
        if item > found:
            found = item
    return found

noise(5)
items = []
items.append(3)
for n in range(4):
    items.append(n)
print(best(items))
print(noise(9))
"""


def test_each_level_is_inside_the_one_before(searched):
    search = searched(BEST, "stdout:/^3/", level="events")
    result = search.result
    (found,) = result.slices
    assert search.needless() == []
    assert [each.name for each in found.levels] == list(COARSE)
    assert all(each.certified for each in found.levels)
    sizes = [set(range(found.of)), *(set(each.configuration()) for each in found.levels)]
    sizes.append(set(found.events))
    assert all(inner <= outer for outer, inner in pairwise(sizes))
    assert (found.certified, found.certified_at, found.level) == (True, "events", "events")


@pytest.mark.parametrize("level", COARSE)
def test_a_search_stops_at_its_level(level, searched):
    search = searched(BEST, "stdout:/^3/", level=level)
    result = search.result
    (found,) = result.slices
    assert search.needless() == []
    assert [each.name for each in found.levels] == list(COARSE[: COARSE.index(level) + 1])
    assert found.events == found.levels[-1].configuration()
    assert (found.certified, found.certified_at) == (False, level)
    assert (found.stopped, found.verified) == (Reason.FINISHED, True)


CALLS = """
def lead(n):
    return follow(n) + 1

def follow(n):
    m = n * 2
    return m

def idle():
    lead(1)

x = lead(4)
idle()
print("x", x)
print("other", lead(7))
"""


def test_which_calls(searched):
    result = searched(CALLS, "stdout:/^x/", level="calls").result
    (answer,) = result.slices[0].levels
    assert (answer.units, answer.kept) == (7, 2)  # lead(4), and the follow(4) in it
    assert lines(result, answer) == {1, 2, 4, 5, 6, 11, 13}


HIDDEN = """
def put(name):
    first = len(name)
    globals()[name] = first
    second = first + 1
    return second

for name in ["a", "bb", "ccc"]:
    put(name)
print(globals()["bb"])
"""


def test_where_the_slice_misses_something_whole_calls_are_left_out(searched):
    search = searched(HIDDEN, "stdout", level="calls")
    result = search.result
    (found,) = result.slices
    assert [(each.units, each.kept) for each in found.levels] == [(3, 1)]
    assert search.needless() == []
    bodies = [beneath(result.trace, set(range(found.of)), {e}) for e in range(found.of)]
    tested = [{event for part in each.kept() for event in part} for each in found.log]
    torn = [kept for kept in tested if any(kept & body not in (set(), body) for body in bodies)]
    assert torn == []


def test_where_nothing_is_called_that_level_is_passed_at_once(searched):
    result = searched("a = 1\nb = 2\nprint(a)", "stdout", level="rounds").result
    assert [(each.units, each.kept, each.certified) for each in result.slices[0].levels] == [
        (0, 0, True),
        (0, 0, True),
    ]


ROUNDS = """
seen = {}
n = 0
while n < 6:
    n += 1
    k = 0
    while k < 2:
        k += 1
    for word in "ab":
        seen[word, n] = 1
print(seen["a", 3])
"""


@pytest.mark.parametrize("algorithm", ["auto", "splitting"])
def test_which_rounds_of_loops_in_loops(algorithm, searched):
    search = searched(ROUNDS, "stdout", level="rounds", algorithm=algorithm)
    result = search.result
    answer = result.slices[0].levels[-1]
    assert search.needless() == []
    assert answer.kept < answer.units
    headers = {
        event
        for event in answer.configuration()
        if result.trace.statements[result.trace.statement[event]].line == 9
    }
    assert len(headers) == 1  # of the body seen[word, n] = 1 one round is left


@pytest.mark.parametrize("control", ["trace", "program"])
@pytest.mark.parametrize("seed", range(3))
def test_no_single_unit_can_be_left_out_of_a_random_program(seed, control, searched):
    source = random_program(random.Random(seed))
    algorithm = ["auto", "splitting", "dd+"][seed % 3]
    search = searched(source, "stdout", level="statements", algorithm=algorithm, control=control)
    result = search.result
    assert search.needless() == []
    assert [each.certified for each in result.slices[0].levels] == [True] * 3


def random_program(chance: random.Random) -> str:
    """Functions that call earlier ones, loops and conditions, over three numbers."""

    def expression(functions: int) -> str:
        name = chance.choice("xyz")
        if functions and chance.random() < 0.4:
            return f"f{chance.randrange(functions)}({name})"
        return f"{name} {chance.choice('+-*')} {chance.randint(1, 3)}"

    def block(indent: str, functions: int, depth: int) -> list[str]:
        made = []
        for _ in range(chance.randint(1, 3)):
            kind = chance.random()
            if depth and kind < 0.25:
                made.append(f"{indent}for i{depth} in range({chance.randint(1, 3)}):")
                made += block(indent + "    ", functions, depth - 1)
            elif depth and kind < 0.4:
                made.append(f"{indent}if x % 2:")
                made += block(indent + "    ", functions, depth - 1)
            else:
                made.append(f"{indent}{chance.choice('xyz')} = {expression(functions)}")
        return made

    text = []
    for number in range(3):
        text += [f"def f{number}(x):", "    y, z = 1, 2", *block("    ", number, 2)]
        text.append("    return x % 50 + y")
    text += ["x, y, z = 1, 2, 3", *block("", 3, 2), *block("", 3, 2), "print(x)"]
    return "\n".join(text)


def test_what_reads_and_writes_need_not_be_known():
    recording = record(SAMPLE, SAMPLE_INPUT)
    heard: list[tuple[str, LevelAnswer]] = []
    result = reduce(
        recording,
        parse_checks(["stdout"]),
        Settings(level="events"),
        passed=lambda name, answer: heard.append((name, answer)),
    )
    (found,) = result.slices
    assert [(name, each.name) for name, each in heard] == [("stdout", each) for each in COARSE]
    assert tuple(each for _, each in heard) == found.levels
    assert (len(found.events), found.certified) == (16, True)


@pytest.mark.parametrize("algorithm", ["auto", "ddmin"])
def test_jobs_change_no_answer(algorithm, searched):
    options = {"level": "statements", "algorithm": algorithm}
    one = searched(BEST, "stdout:/^3/", **options).result
    two = searched(BEST, "stdout:/^3/", **options, jobs=2).result
    for found in (one.slices[0], two.slices[0]):
        assert found.certified_at == "statements"
    assert one.slices[0].events == two.slices[0].events
    tests = [[each.tests for each in result.slices[0].levels] for result in (one, two)]
    assert tests[0] == tests[1]


@pytest.mark.parametrize("most", [0, 4, 9])
def test_a_budget_leaves_the_levels_that_were_passed(most, searched):
    search = searched(BEST, "stdout:/^3/", level="events", algorithm="splitting", max_tests=most)
    result = search.result
    (found,) = result.slices
    assert search.needless() == []
    assert (found.stopped, found.tests, found.certified) == (Reason.MAX_TESTS, most, False)
    assert found.certified_at is None
    assert found.level == LEVELS[len(found.levels)]
    if found.levels:
        assert set(found.events) <= set(found.levels[-1].configuration())
    assert found.verified


def test_without_levels_nothing_is_said_of_them(searched):
    result = searched(BEST, "stdout:/^3/").result
    assert (result.slices[0].levels, result.slices[0].level) == ((), "events")


def test_a_level_that_is_none_is_refused():
    with pytest.raises(UsageError) as refused:
        Settings(level="loops")
    assert refused.value.slug == "unknown-level"


def test_a_slice_of_calls_is_verified_call_by_call(tmp_path):
    (tmp_path / "prog.py").write_text(dedent(CALLS).strip() + "\n", "utf-8")
    result = stripe.trace("prog.py", directory=tmp_path, check="stdout:/^x/", level="calls")
    verified = stripe.verify(result)
    assert verified.holds
    (verdict,) = verified.verdicts
    assert (verdict.needless, verdict.level) == ((), "calls")
    told = list(verification(verified, Style()))
    assert any(line.split() == ["1-minimal", "in", "calls", "only"] for line in told)

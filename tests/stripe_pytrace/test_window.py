"""A part of a run is recorded: it is that part of the whole trace, and all else takes effect."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from stripe.backend import End, Recording, Target
from stripe.errors import NotReducible, UsageError
from stripe.trace import NONE
from stripe_pytrace import window_reader
from stripe_pytrace.backend import PythonBackend
from tests.support import corpus

PROGRAMS = {
    program.name: program
    for program in corpus.programs()
    if program.name
    in (
        "algo_state_machine", "assert_uncaught", "async_generators", "break_continue_with",
        "except_in_loop_reuse", "generators_throw_close", "match_in_function_flow",
        "recursion_error_caught",
    )
}  # fmt: skip

CALLS = """\
class Room:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        seen.append(0)
def numbers(n):
    for i in range(n):
        double = i * 2
        yield double
def parse(number):
    if number % 3 == 0:
        raise ValueError(number)
    return number + 1
def main():
    for number in numbers(12):
        with Room():
            try:
                last = parse(number)
            except ValueError:
                last = -1
            finally:
                seen.append(number)
        rounds = 0
        while rounds < 3:
            rounds += 1
            if rounds == 2:
                continue
            seen.append(last)
    return sum(parse(number) for number in range(1, 9) if number % 3)
seen = []
print(main())
for number in seen:
    print(number)
"""


@contextmanager
def recorded(target: Target, window: str = "", whole: Sequence[str] = ()) -> Iterator[Recording]:
    recording = PythonBackend().record(replace(target, window=window, whole=whole))
    try:
        yield recording
    finally:
        recording.close()


def program(folder, source: str = CALLS) -> Target:
    (folder / "program.py").write_text(source)
    return Target("program.py", directory=folder)


def of_the_window(parents: Sequence[int], start: int, stop: int) -> list[int]:
    return [max(parent - start, NONE) for parent in parents[start:stop]]


def check(target: Target, windows: int, seed: int) -> None:
    """Random windows are what they should be; those to the end of the run are replayed as it is."""
    choose = random.Random(seed)
    with recorded(target) as whole:
        trace = whole.trace
        for number in range(windows):
            start = choose.randrange(len(trace))
            stop = len(trace) if number % 2 else choose.randrange(start + 1, len(trace) + 1)
            with recorded(target, f"{start + 1}..{stop}") as part:
                found = part.trace
                assert found.extent is not None
                assert found.extent.first == start
                assert found.extent.total == len(trace)
                assert found.statement == trace.statement[start:stop]
                assert list(found.caller) == of_the_window(trace.caller, start, stop)
                assert list(found.scope) == of_the_window(trace.scope, start, stop)
                assert found.name(0) == trace.name(start)
                everything = range(len(found))
                with part.replay(everything, strict=True, fresh=True) as run:
                    assert run.stdout == whole.plain.stdout
                for _ in range(4 if stop == len(trace) else 0):
                    share = choose.random()
                    kept = found.close(each for each in everything if choose.random() < share)
                    with (
                        part.replay(kept) as one,
                        whole.replay([*range(start), *(start + each for each in kept)]) as other,
                    ):
                        assert (one.end, one.status) == (other.end, other.status)
                        assert one.stdout == other.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_window_is_a_slice_of_the_whole_trace(name, tmp_path):
    check(PROGRAMS[name].place(tmp_path), 2, 7)


def test_windows_of_a_program_with_a_bit_of_everything(tmp_path, monkeypatch):
    monkeypatch.setattr(window_reader, "MOST", 20)  # so that much is forgotten on the way
    check(program(tmp_path), 8, 3)


def test_what_comes_after_a_window_takes_effect_as_it_comes(tmp_path):
    source = "x = 1\ny = 2\nif y == 2:\n    print('two')\nelse:\n    print('other', y)\n"
    with recorded(program(tmp_path, source), "1..1") as recording:
        assert len(recording.trace) == 1
        with recording.replay([]) as run:
            assert run.stdout == b"two\n"
    with (
        recorded(program(tmp_path, "y = 1\ny += 1\n" + source[12:]), "2..2") as recording,
        recording.replay([]) as run,
    ):
        assert run.stdout == b"other 1\n"  # though the recorded run came to the other branch


def test_a_loop_goes_on_when_the_window_is_over(tmp_path):
    source = "found = []\nfor i in range(6):\n    found.append(i)\nprint(found)\n"
    with recorded(program(tmp_path, source), "3..5") as recording:
        names = [recording.trace.name(each) for each in range(3)]
        assert names == ["3_3", "2_4", "3_5"]
        with recording.replay([0, 1]) as run:
            assert run.stdout == b"[0, 2, 3, 4, 5]\n"
        with recording.replay([]) as run:
            assert run.stdout == b"[1, 2, 3, 4, 5]\n"


def test_an_async_loop_goes_on_when_the_window_is_over(tmp_path):
    source = (
        "import asyncio\n"
        "async def count():\n"
        "    for i in range(4):\n"
        "        yield i\n"
        "async def main():\n"
        "    async for i in count():\n"
        "        print(i)\n"
        "asyncio.run(main())\n"
    )
    target = program(tmp_path, source)
    with recorded(target) as recording:
        trace = recording.trace
        first = next(each for each in range(len(trace)) if trace.name(each).startswith("7_"))
    with recorded(target, f"{first + 1}..{first + 1}") as recording, recording.replay([]) as run:
        assert run.stdout == b"1\n2\n3\n"


@pytest.mark.parametrize(
    ("window", "first", "last"),
    [
        ("parse", "11_", "13_"),
        ("program.py:25..program.py:25", "25_", "25_"),
        ("main..", "15_", "32_"),
        ("-7..", "32_", "32_"),
        ("Room.__exit__..parse", "5_", "13_"),
    ],
)
def test_a_window_from_place_to_place(window, first, last, tmp_path):
    target = program(tmp_path)
    with recorded(target) as whole, recorded(target, window) as part:
        extent, size = part.trace.extent, len(part.trace)
        assert extent is not None
        start = extent.first
        assert part.trace.statement == whole.trace.statement[start : start + size]
        assert part.trace.name(0).startswith(first)
        assert part.trace.name(size - 1).startswith(last)
        assert part.notes[-1] == extent.description(size)


@pytest.mark.parametrize(
    ("window", "slug", "words"),
    [
        ("pars..", "window-not-found", "There are: parse,"),
        ("program.py:17..", "window-not-found", "program.py:16"),
        ("100000..", "empty-window", "the run has only"),
        ("main..program.py:1", "empty-window", "would start at event"),
    ],
)
def test_a_window_that_is_not_there(window, slug, words, tmp_path):
    with pytest.raises(NotReducible) as refused, recorded(program(tmp_path), window):
        pass
    assert refused.value.slug == slug
    assert words in refused.value.message


def test_there_is_no_window_of_what_does_not_end(tmp_path):
    target = Target("program.py", directory=program(tmp_path).directory, cut=True, window="1..5")
    with pytest.raises(UsageError, match="--check hang"):
        PythonBackend().record(target)


def test_what_is_called_beyond_the_last_event_takes_effect(tmp_path):
    source = "def f(x):\n    print(x)\nprint(sum(f(i) or i for i in range(4)))\n"
    target = program(tmp_path, source)
    with recorded(target, "3..3") as recording:
        assert recording.trace.name(0) == "2_3"
        with recording.replay([]) as run:
            assert (run.end, run.stdout) == (End.EXITED, b"1\n2\n3\n6\n")


WHOLE = """\
class Reader:
    def read(self, text):
        words = text.split()
        return [self.one(word) for word in words]
    def one(self, word):
        return word.upper()
def show(words):
    for word in words:
        print(word)
r = Reader()
show(r.read("a b"))
"""


def test_functions_run_whole_have_no_events(tmp_path):
    with recorded(program(tmp_path, WHOLE), whole=["Reader.read", "show"]) as recording:
        trace = recording.trace
        functions = {each.function for each in trace.activations}
        assert functions == {"<module>", "Reader", "Reader.one"}
        names = [trace.name(event).partition("_")[0] for event in range(len(trace))]
        assert names == ["1", "2", "5", "7", "10", "11", "6", "6"]
        assert "Functions run whole, as part of what calls them: Reader.read, show." in (
            recording.notes
        )
        with recording.replay([event for event in range(len(trace)) if event != 6]) as run:
            assert run.stdout == b"None\nB\n"
        with recording.replay(range(len(trace)), strict=True, fresh=True) as run:
            assert run.stdout == b"A\nB\n"


def test_a_function_to_run_whole_must_be_there(tmp_path):
    with (
        pytest.raises(UsageError, match=r"Did you mean Reader\.read") as refused,
        recorded(program(tmp_path, WHOLE), whole=["Reader.red"]),
    ):
        pass
    assert refused.value.slug == "no-such-function"

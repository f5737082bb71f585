"""Changes that harm the run they are in: each costs itself only, whatever it does there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from stripe.backend import Target, choose_backend
from stripe.interventions import Attempt, Case, Ended, Intervening, Intervention, Trials, Verdict

TEXT = "import sys\n\ndef half(n):\n    return n / 2\n\nprint(half(int(sys.argv[1])))\n"
ENDLESS = "sum(__import__('itertools').count())"
SIGNAL = "__import__('signal')"

TRAPS = {
    "a loop in C": (ENDLESS, Ended.FUEL),
    "a huge power": ("len(str(7 ** 10 ** 9))", Ended.FUEL),
    "a regular expression": ("__import__('re').match('(a+)+$', 'a' * 60 + 'b')", Ended.FUEL),
    "no timer": (f"({SIGNAL}.setitimer({SIGNAL}.ITIMER_PROF, 0), {ENDLESS})", Ended.FUEL),
    "no signal": (
        f"({SIGNAL}.signal({SIGNAL}.SIGPROF, {SIGNAL}.SIG_IGN), {ENDLESS})",
        Ended.FUEL,
    ),
    "memory at once": ("bytearray(1 << 40)", Ended.WHOLE),
    "memory by and by": ("[bytes(1 << 27) for _ in iter(int, 1)]", Ended.WHOLE),
    "no memory there": ("__import__('ctypes').string_at(0)", Ended.CRASHED),
    "its own end": ("__import__('os').kill(__import__('os').getpid(), 9)", Ended.CRASHED),
}


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trials]:
    folder = tmp_path_factory.mktemp("traps")
    (folder / "prog.py").write_text(TEXT)
    target = Target(program="prog.py", directory=folder)
    backend = choose_backend(target)
    assert isinstance(backend, Intervening)
    with closing(backend.trials(target, [Case("3", ("3",), b"", b"1")], seconds=10)) as found:
        yield found


@pytest.fixture(scope="module")
def right(trials: Trials) -> Intervention:
    """What repairs the program."""
    offered = trials.offers(
        [each for each in trials.tests[0].lines if each.line == 4], trials.tests
    )
    return next(each for each in offered if each.words == "`n // 2` instead of `n / 2`")


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_costs_itself_only(trials: Trials, right: Intervention, name: str) -> None:
    text, ended = TRAPS[name]
    number, how, _ = right.private
    trap = replace(right, private=(number, how, text))
    attempt = trials.attempt(trap, trials.tests, fuel=0.3)
    assert attempt.ended is ended
    assert Verdict.PASSED not in attempt.verdicts.values()
    again = trials.attempt(right, trials.tests, fuel=2.0)
    assert again.verdicts == {0: Verdict.PASSED}


def test_among_many_a_trap_costs_itself_only(trials: Trials, right: Intervention) -> None:
    """They are forked by one process, one after the other."""
    number, how, _ = right.private
    traps = [replace(right, private=(number, how, text)) for text, _ in TRAPS.values()]
    parent = "__import__('os').kill(__import__('os').getppid(), 9)"
    traps.append(replace(right, private=(number, how, parent)))
    many = [each for trap in traps for each in (trap, right)]
    found: dict[int, list[Attempt]] = {id(trap): [] for trap in many}
    for change, attempt in trials.attempts(many, trials.tests[0], fuel=0.3):
        found[id(change)].append(attempt)
    assert [found[id(trap)][0].ended for trap in traps] == [
        *(ended for _, ended in TRAPS.values()), Ended.CRASHED
    ]  # fmt: skip
    assert [each.verdicts for each in found[id(right)]] == [{0: Verdict.PASSED}] * len(traps)
    assert all(len(found[id(trap)]) == 1 for trap in traps)


def test_what_repairs_a_program_is_told_by_a_process_of_its_own(
    trials: Trials, right: Intervention, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by one that has made other runs before, and was put back."""
    alone: list[Intervention] = []
    attempt = trials.attempt

    def counted(change: Intervention, *given: Any, **more: Any) -> Attempt:
        alone.append(change)
        return attempt(change, *given, **more)

    monkeypatch.setattr(trials, "attempt", counted)
    number, how, _ = right.private
    wrong = [replace(right, private=(number, how, f"n / {each}")) for each in range(3, 9)]
    found = list(trials.attempts([*wrong, right], trials.tests[0], fuel=2.0))
    assert [change for change, told in found if told.verdicts == {0: Verdict.PASSED}] == [right]
    assert len(found) == len(wrong) + 1
    assert alone == [right]


def test_who_stops_listening_leaves_nothing_for_the_next_question(
    trials: Trials, right: Intervention
) -> None:
    """The time was over in the middle; the next answer was one of before."""
    number, how, _ = right.private
    wrong = [replace(right, private=(number, how, f"n / {each}")) for each in range(3, 9)]
    some = trials.attempts(wrong, trials.tests[0], fuel=2.0)
    assert next(some)[0] is wrong[0]
    some.close()  # type: ignore[attr-defined]
    again = trials.attempt(right, trials.tests, fuel=2.0)
    assert again.verdicts == {0: Verdict.PASSED}

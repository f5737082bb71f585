"""A campaign: several searches with one budget, one memory, one end."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe import dd
from stripe.campaign.campaign import Campaign
from stripe.campaign.outcome_store import OutcomeStore
from stripe.campaign.problem import Problem
from stripe.campaign.progress import Progress
from stripe.dd import (
    Budget,
    BudgetExhausted,
    Configuration,
    Journal,
    Outcome,
    Reason,
    Result,
    Tester,
)
from stripe.deadline import OutOfTime
from stripe.interrupts import StopFlag
from tests.support.patience import PATIENCE


class Text:
    """A text that fails as long as ``needed`` is in it, in this order; it notes what was run."""

    def __init__(self, needed: str) -> None:
        self.needed = needed
        self.run: list[str] = []

    def __call__(self, text: str) -> Outcome:
        self.run.append(text)
        rest = iter(text)
        return Outcome.FAIL if all(letter in rest for letter in self.needed) else Outcome.PASS

    def problem(
        self, text: str, size: int = 1, improved: Callable[[str, Outcome], None] | None = None
    ) -> Problem[int]:
        """To leave out pieces of ``text`` of so many letters."""
        pieces = [text[start : start + size] for start in range(0, len(text), size)]

        def rendered(configuration: Configuration[int]) -> str:
            return "".join(pieces[number] for number in configuration)

        return Problem(
            range(len(pieces)),
            lambda configuration: self(rendered(configuration)),
            noun="letters",
            key=lambda configuration: (rendered(configuration),),
            improved=improved and (lambda kept, outcome: improved(rendered(kept), outcome)),
        )

    def left(self, problem: Problem[int], result: Result[int]) -> str:
        """What is left of the text."""
        (text,) = problem.key(result.configuration)
        return str(text)


TEXT = "abcdefghijklmnop"


def rounds(
    campaign: Campaign, test: Text, text: str = TEXT, sizes: tuple[int, ...] = (4, 1)
) -> str:
    """Leave out fours and single letters, again and again."""

    def once() -> None:
        nonlocal text
        for size in (4, 1):
            if not campaign.over:
                problem = test.problem(text, size)
                result = campaign.search(problem, dd.ddmin, counts=size == 1)
                text = test.left(problem, result)

    campaign.to_fixpoint(lambda: text, once)
    return text


USED_UP = [(MemoryError(), Reason.MEMORY), (OSError(errno.ENOSPC, "no room"), Reason.DISK)]


@pytest.mark.parametrize(("error", "reason"), USED_UP)
def test_without_room_a_search_ends_with_the_best_so_far(error: Exception, reason: Reason) -> None:
    test = Text("cm")
    problem = test.problem(TEXT)
    campaign = Campaign()

    def greedy(deltas: Sequence[int], tester: Tester[int]) -> Result[int]:
        assert tester.test(tuple(deltas)[:8]) is Outcome.PASS
        assert tester.test(tuple(deltas)[2:]) is Outcome.FAIL
        raise error

    result = campaign.search(problem, greedy)
    assert test.left(problem, result) == TEXT[2:]
    assert (campaign.reason, campaign.certified) == (reason, False)
    assert result.statistics.tests == 2


def test_another_error_of_the_system_is_nobodys_answer() -> None:
    def fails(deltas: Sequence[int], tester: Tester[int]) -> Result[int]:
        raise PermissionError(errno.EACCES, "not allowed")

    with pytest.raises(PermissionError):
        Campaign().search(Text("cm").problem(TEXT), fails)


@pytest.mark.parametrize(("error", "reason"), USED_UP)
def test_a_test_without_room_ends_a_search(error: Exception, reason: Reason) -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        if len(configuration) == 1:
            raise error
        return Outcome.FAIL if 5 in configuration else Outcome.PASS

    campaign = Campaign()
    result = campaign.search(Problem(range(16), test, noun="numbers"), dd.ddmin)
    assert campaign.reason is result.reason is reason
    assert 5 in result.configuration
    assert 1 < len(result.configuration) < 16


def test_searches_share_what_was_tested() -> None:
    test = Text("cm")
    campaign = Campaign()
    assert rounds(campaign, test) == "cm"
    assert len(test.run) == len(set(test.run)) == campaign.tests
    assert campaign.certified
    assert campaign.cached > 0
    assert campaign.rounds == 2, "the second changes nothing"


@given(st.integers(0, 40), st.sets(st.sampled_from(TEXT), min_size=1))
def test_a_budget_bounds_all_searches_together(most: int, needed: set[str]) -> None:
    test = Text("".join(sorted(needed)))
    campaign = Campaign(budget=Budget(most))
    left = rounds(campaign, test)
    assert len(test.run) == campaign.tests <= most
    assert test(left) is Outcome.FAIL
    if campaign.over:
        assert campaign.reason is Reason.MAX_TESTS
        assert not campaign.certified
        assert campaign.tests == most
    else:
        assert campaign.certified
        assert set(left) == needed


def test_a_budget_of_time_ends_all_searches() -> None:
    test = Text("cm")
    campaign = Campaign(budget=Budget(seconds=0.0))
    assert rounds(campaign, test) == TEXT
    assert (campaign.reason, test.run) == (Reason.MAX_TIME, [])


def test_a_test_that_runs_out_of_time_ends_the_campaign() -> None:
    def test(configuration: Configuration[int]) -> Outcome:
        raise OutOfTime("out-of-time", "as a backend says")

    campaign = Campaign()
    result = campaign.search(Problem(range(3), test), dd.ddmin)
    assert (campaign.reason, result.configuration) == (Reason.MAX_TIME, (0, 1, 2))


@given(st.integers(0, 50), st.lists(st.integers(0, 20), min_size=1, max_size=5))
def test_what_one_share_leaves_the_next_ones_have(tests: int, wanted: list[int]) -> None:
    whole = Budget(tests)
    spent = []
    for number, wish in enumerate(wanted):
        share = whole.share(len(wanted) - number)
        assert share.tests is not None
        spent.append(min(wish, share.tests))
        assert spent[-1] >= min(wish, tests // len(wanted))
        for _ in range(spent[-1]):
            share.spend()
    assert whole.tests == tests - sum(spent)


def test_some_time_of_a_share_is_kept_back_but_at_most_half() -> None:
    whole = Budget(seconds=3000.0)
    for keep, least, most in ((0.0, 1400, 1500), (100.0, 1300, 1400), (9999.0, 700, 750)):
        seconds = whole.share(2, keep=keep).seconds
        assert seconds is not None
        assert least < seconds <= most
    assert Budget().share(3, keep=5.0).seconds is None


def test_rounds_that_undo_each_other_end() -> None:
    states = iter("abababab")
    state = ""
    campaign = Campaign()

    def once() -> None:
        nonlocal state
        state = next(states)
        campaign.certificates.append(False)

    campaign.to_fixpoint(lambda: state, once)
    assert campaign.rounds == 3
    assert not campaign.certified


def test_rounds_go_on_once_for_a_certificate() -> None:
    campaign = Campaign()
    campaign.to_fixpoint(lambda: 0, lambda: campaign.certificates.append(campaign.rounds > 0))
    assert campaign.rounds == 2
    assert campaign.certified


def test_ctrl_c_in_the_middle_of_a_test_keeps_the_best_so_far() -> None:
    test = Text("cm")

    def cut(configuration: Configuration[int]) -> Outcome | bool:
        if len(test.run) == 12:
            raise KeyboardInterrupt
        return problem.test(configuration)

    campaign = Campaign(stop=StopFlag())
    problem = test.problem(TEXT)
    result = campaign.search(Problem(problem.deltas, cut, key=problem.key), dd.ddmin)
    assert campaign.stop is not None
    assert campaign.stop.torn
    assert campaign.reason is result.reason is Reason.STOPPED
    assert 2 < len(result.configuration) < len(TEXT)
    assert rounds(campaign, test, "cm") == "cm", "nothing is run any more"
    assert campaign.attempt(lambda: test("cm")) is None
    assert len(test.run) == 12


def test_without_a_flag_ctrl_c_is_the_callers() -> None:
    def cut(configuration: Configuration[int]) -> Outcome | bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Campaign().search(Problem(range(3), cut), dd.ddmin)


def test_a_request_ends_it_before_the_next_test() -> None:
    stop = StopFlag()
    test = Text("cm")
    campaign = Campaign(stop=stop)
    stop.requested = True
    assert rounds(campaign, test) == TEXT
    assert (campaign.reason, test.run) == (Reason.STOPPED, [])
    # The test that ran was not torn apart: what was found can be tried once more.
    assert campaign.attempt(lambda: test(TEXT)) is Outcome.FAIL
    with pytest.raises(BudgetExhausted) as caught:
        campaign.hold()
    assert caught.value.reason is Reason.STOPPED


def test_what_takes_longer_than_there_is_time_is_not_begun() -> None:
    Campaign().hold(1e9)
    campaign = Campaign(budget=Budget(seconds=1000))
    campaign.hold(1)
    with pytest.raises(BudgetExhausted) as caught:
        campaign.hold(1001)
    assert caught.value.reason is Reason.MAX_TIME


@given(st.integers(0, 60))
def test_a_journal_spares_the_tests_of_an_earlier_process(
    tmp_path_factory: pytest.TempPathFactory, most: int
) -> None:
    path = tmp_path_factory.mktemp("campaign") / "journal"
    test = Text("cm")
    with Journal[str](path, "subject") as journal:
        rounds(Campaign(budget=Budget(most), store=OutcomeStore(journal)), test)
    before, test.run = set(test.run), []
    with Journal[str](path, "subject", resume=True) as journal:
        campaign = Campaign(store=OutcomeStore(journal))
        assert rounds(campaign, test) == "cm"
    assert campaign.certified
    assert campaign.tests == len(test.run)
    # A certificate does not rest on what an earlier process said.
    assert {"c", "m"} <= set(test.run)
    assert campaign.store.resumed == len(before - set(test.run))
    alone = Text("cm")
    rounds(Campaign(), alone)
    assert before | set(test.run) == set(alone.run)


def test_a_campaign_of_one_search_need_not_remember(tmp_path: Path) -> None:
    test = Text("cm")
    problem = Problem(range(len(TEXT)), test.problem(TEXT).test)
    with Journal[int](tmp_path / "journal", "subject") as journal:
        campaign = Campaign(store=OutcomeStore(journal, remember=False))
        campaign.search(problem, dd.ddmin)
        assert campaign.store.get((2, 12)) is None
    assert len(set(test.run)) == len(test.run)
    with Journal[int](tmp_path / "journal", "subject", resume=True) as journal:
        assert journal.get((2, 12)) is Outcome.FAIL


def test_improvements_and_progress_are_told_in_order() -> None:
    told: list[str] = []
    seen: list[Progress] = []
    test = Text("cm")
    campaign = Campaign("it", progress=seen.append)

    def improved(text: str, outcome: Outcome) -> None:
        if outcome is Outcome.FAIL:
            told.append(text)

    campaign.search(test.problem(TEXT, improved=improved), dd.ddmin)
    assert told[-1] == "cm"
    assert [len(text) for text in told] == sorted({len(text) for text in told}, reverse=True)
    assert [each.tests for each in seen] == list(range(1, campaign.tests + 1))
    assert {(each.name, each.stage, each.of, each.noun) for each in seen} == {
        ("it", "searching", len(TEXT), "letters")
    }
    assert seen[-1].best == 2
    assert seen[0].to_do > 3 * len(TEXT), "a whole ddmin may be still to come"
    assert min(each.to_do for each in seen) >= 1


def test_what_grows_is_told_as_it_comes_closer() -> None:
    seen: list[Progress] = []
    test = Text("cm")
    problem = test.problem(TEXT)
    growing = Problem(problem.deltas, problem.test, key=problem.key, growing=True)
    campaign = Campaign(progress=seen.append)
    result = campaign.search(growing, lambda deltas, tester: dd.dd(deltas, tester, mode="+"))
    assert seen[-1].best == len(TEXT) - len(result.passing) == 1


def test_what_need_not_be_run_is_not() -> None:
    test = Text("cm")
    problem = test.problem(TEXT)

    def odd(configuration: Configuration[int]) -> Outcome | None:
        return Outcome.UNRESOLVED if len(configuration) % 2 else None

    campaign = Campaign()
    campaign.search(Problem(problem.deltas, problem.test, predict=odd), dd.ddmin)
    assert all(len(text) % 2 == 0 for text in test.run)
    assert campaign.counts[Outcome.UNRESOLVED] == 0


def test_tests_run_here_until_who_tests_elsewhere_is_prepared() -> None:
    """They are prepared once something was tested here, and only then test."""
    began, prepared = threading.Event(), threading.Event()
    here, there = Text("cm"), Text("cm")
    problem, other = here.problem(TEXT), there.problem(TEXT)

    def prepare() -> None:
        assert began.wait(PATIENCE)
        prepared.set()

    def local(configuration: Configuration[int]) -> Outcome:
        began.set()
        assert prepared.wait(PATIENCE)
        return problem.test(configuration)  # type: ignore[return-value]

    def remote(configuration: Configuration[int]) -> Outcome:
        assert prepared.is_set()
        return other.test(configuration)  # type: ignore[return-value]

    with ThreadPoolExecutor(2) as executor:
        campaign = Campaign(jobs=2, executor=executor)
        result = campaign.search(
            Problem(problem.deltas, local, remote=remote, prepare=prepare, key=problem.key),
            dd.ddmin,
        )
    alone = Text("cm")
    single = Campaign()
    assert single.search(alone.problem(TEXT), dd.ddmin).configuration == result.configuration
    assert campaign.tests == single.tests
    assert here.run
    assert there.run


def test_what_keeps_others_from_testing_is_told() -> None:
    test, failed = Text("cm"), threading.Event()
    problem = test.problem(TEXT)

    def prepare() -> None:
        failed.set()
        raise LookupError("another program")

    def local(configuration: Configuration[int]) -> Outcome:
        assert failed.wait(PATIENCE)
        time.sleep(0.01)
        return problem.test(configuration)  # type: ignore[return-value]

    with ThreadPoolExecutor(2) as executor, pytest.raises(LookupError):
        Campaign(jobs=2, executor=executor).search(
            Problem(problem.deltas, local, remote=problem.test, prepare=prepare), dd.ddmin
        )


def test_without_a_cache_every_question_is_a_test() -> None:
    test = Text("cm")
    campaign = Campaign(store=OutcomeStore(remember=False), cache=False)
    result = campaign.search(test.problem(TEXT), dd.ddmin)
    assert campaign.tests == len(test.run) > len(set(test.run))
    assert campaign.cached == 0
    assert result.certified


def test_single_tests_count_and_are_remembered() -> None:
    test = Text("cm")
    campaign = Campaign(budget=Budget(2))
    problem = test.problem(TEXT)
    assert campaign.test(problem, (2, 12)) is Outcome.FAIL
    assert campaign.test(problem, (2, 12)) is Outcome.FAIL
    assert campaign.test(problem, (2,)) is Outcome.PASS
    assert not campaign.over
    assert campaign.test(problem, (12,)) is None
    assert campaign.reason is Reason.MAX_TESTS
    # What has to be known to begin is asked for all the same.
    for _ in range(2):
        assert campaign.ask(("m",), lambda: test("m")) is Outcome.PASS
    assert test.run == ["cm", "c", "m"]
    assert campaign.tests == 3


@pytest.mark.parametrize("testing", [False, True])
def test_a_search_is_cut_off_in_a_test_or_in_what_it_computes(testing: bool) -> None:
    """What it has found by then is its result, and nothing more is run."""
    stop = StopFlag()
    campaign = Campaign(stop=stop)

    def cut_off() -> None:
        stop.signalled()
        stop.hurry()  # as the command does half a second later

    class Cut(Text):
        def __call__(self, text: str) -> Outcome:
            if len(text) < 8:
                cut_off()
            return super().__call__(text)

    test = Cut("ag")
    problem = test.problem(TEXT)

    def algorithm(deltas: Sequence[int], tester: Tester[int]) -> Result[int]:
        tester.test(tuple(deltas)[:8])
        if testing:
            tester.test(tuple(deltas)[:4])
        cut_off()
        raise AssertionError("it was to be cut off")

    result = campaign.search(problem, algorithm)
    assert result.reason is Reason.STOPPED
    assert not result.certified
    assert test.left(problem, result) == "abcdefgh"
    assert campaign.over
    assert campaign.attempt(lambda: 1) is None
    assert len(test.run) == 1


def test_outside_of_a_search_nothing_is_cut_off() -> None:
    stop = StopFlag()
    stop.signalled()
    stop.hurry()
    assert stop.over

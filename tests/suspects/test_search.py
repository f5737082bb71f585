"""The order of the search and what it asks, on a backend that is a table."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from stripe.dd import Budget, Reason
from stripe.deadline import OutOfTime
from stripe.interrupts import StopFlag
from stripe.interventions import (
    Attempt,
    Ended,
    Failure,
    Frame,
    Intervention,
    Line,
    Shown,
    Test,
    Verdict,
)
from stripe.report.style import Style
from stripe.report.suspects import suspects_lines
from stripe.sandbox.walls import Layer
from stripe.suspects.order import LINES_AT_ONCE, TRACEBACK, Agenda, of_traceback
from stripe.suspects.ranks import Repair
from stripe.suspects.search import MORE, Search, of_tests
from tests.support.patience import PATIENCE

FAILED, PASSED = Verdict.FAILED, Verdict.PASSED


class Table:
    """Two failing tests and three passing ones; ``repairs``: by change, the tests that pass."""

    layer = Layer.NAMESPACES
    notes: Sequence[str] = ()
    tests: Sequence[Test]
    imported: frozenset[Line] = frozenset()

    def __init__(self, changes, outcomes):
        both = frozenset({Line("m.py", 1), Line("m.py", 2)})
        one = frozenset({Line("m.py", 1)})
        self.tests = [
            Test(0, "f0", FAILED, 0.001, both),
            Test(1, "f1", FAILED, 0.002, both),
            Test(2, "p2", PASSED, 0.001, both),
            Test(3, "p3", PASSED, 0.001, one),
        ]
        self.changes, self.outcomes = changes, outcomes
        self.asked: list[tuple[str, list[int]]] = []
        self.groups: list[list[str]] = []
        self.fuels: dict[str, list[float]] = {}
        self.ran: set[int] = set()

    def offers(self, lines, failing, wanted=None):
        return self.changes

    def attempt(self, change, tests, *, fuel, stop=1):
        self.asked.append((change.words, [each.number for each in tests]))
        self.fuels.setdefault(change.words, []).append(fuel)
        passing = self.outcomes.get(change.words, ())
        if passing == "hangs":
            return Attempt({}, Ended.FUEL)
        if passing == "slow":
            if fuel < 0.05:
                return Attempt({}, Ended.FUEL)
            passing = (0, 1, 2, 3)
        how = "as ever"
        if isinstance(passing, str):
            how, passing = passing, ()
        verdicts: dict[int, Verdict] = {}
        for each in tests:
            verdicts[each.number] = PASSED if each.number in passing else FAILED
            if list(verdicts.values()).count(FAILED) == stop:
                break
        self.ran.update(verdicts)
        hows = {number: how for number, verdict in verdicts.items() if verdict is FAILED}
        return Attempt(verdicts, Ended.WHOLE, hows)

    def attempts(self, changes, test, *, fuel):
        self.groups.append([each.words for each in changes])
        for each in changes:
            yield each, self.attempt(each, [test], fuel=fuel)

    def show(self, change, test, *, fuel):
        return Shown("one\ntwo\n", "one\n2\n", ("1",), ("2",))

    def cancel(self):
        raise AssertionError("nothing runs that could be cancelled")

    def close(self):
        pass


def change(words: str, line: int, size: int = 1) -> Intervention:
    return Intervention(Line("m.py", line), line, line, "f", "operator", size, words, None)


def in_order(changes):
    """What changes are called, as they are to be tried where all lines are as suspicious."""
    lines = dict.fromkeys((each.at for each in changes), 1.0)
    return [each.words for each in Agenda(lines, {}, lambda lines: changes)]


def search(changes, outcomes, **limits):
    table = Table(changes, outcomes)
    found = Search(table, Budget(**limits), StopFlag(), 1, None)
    found.run()
    return table, found.result("m.py")


def test_where_a_change_alters_the_failure_is_before_where_none_does():
    changes = [change(word, line) for word, line in [("a", 1), ("b", 1), ("c", 2), ("d", 2)]]
    table = Table(changes, {"d": "otherwise"})
    table.tests = [each for each in table.tests if each.number != 3]
    found = Search(table, Budget(), StopFlag(), 1, None)
    found.run()
    ranking = found.result("m.py").ranking
    assert [(each.line, each.rank) for each in ranking] == [(2, 1), (1, 2)]
    assert ranking[0].ochiai == ranking[1].ochiai


def test_the_quickest_failing_test_decides_who_gets_the_rest():
    """What does not repair anything is not tried on passing tests."""
    table, result = search([change("no", 1), change("yes", 2)], {"yes": (0, 1, 2)})
    assert [each for each in table.asked if each[0] == "yes"] == [
        ("yes", [0]), ("yes", [1]), ("yes", [2])
    ]  # fmt: skip
    assert not any(3 in tests or 2 in tests for words, tests in table.asked if words == "no")
    assert [(each.line, each.words, each.kept) for each in result.places] == [(2, "yes", 2)]


def test_only_tests_that_come_to_the_place_are_run():
    """Test 3 does not execute line 2."""
    table, _ = search([change("yes", 2)], {"yes": (0, 1, 2)})
    assert all(3 not in tests for _, tests in table.asked)


def test_small_changes_are_tried_first():
    table, _ = search([change("large", 1, 4), change("small", 1, 1)], {})
    assert [words for words, tests in table.asked if tests == [0]] == ["small", "large"]


def test_names_are_tried_after_what_is_wrong_more_often():
    """There are many of them."""
    name = replace(change("name", 1), kind="variable")
    assert in_order([name, change("other", 1, 2)]) == ["name", "other"]
    assert in_order([name, change("other", 1)]) == ["other", "name"]


def test_who_asks_to_stop_does_not_wait_for_a_test_that_goes_on():
    stop, cancelled = StopFlag(), threading.Event()

    class Endless(Table):
        def attempt(self, change, tests, *, fuel, stop=1):
            asked.requested = True
            assert cancelled.wait(PATIENCE)
            raise RuntimeError("its process is gone")

        def cancel(self):
            cancelled.set()

    asked = stop
    found = Search(Endless([change("endless", 1)], {}), Budget(), stop, 1, None)
    found.run()
    assert found.result("m.py").stopped is Reason.STOPPED


def test_what_was_found_is_shown_without_more_runs_once_somebody_asked_to_stop():
    """Each may take all of its fuel, and somebody waits for the prompt."""
    stop, cancelled = StopFlag(), threading.Event()

    class Stopping(Table):
        def attempt(self, change, tests, *, fuel, stop=1):
            asked.requested = True  # as its last run ends: there is none to be cut off
            return super().attempt(change, tests, fuel=fuel, stop=stop)

        def cancel(self):
            cancelled.set()

    asked = stop
    found = Search(Stopping([change("any", 1)], {}), Budget(), stop, 1, None)
    found.run()
    assert cancelled.is_set()
    assert found.result("m.py").tried == 1


def test_looking_for_changes_is_cut_off_and_what_tests_execute_is_told():
    stop, cancelled = StopFlag(), threading.Event()

    class Reading(Table):
        def offers(self, lines, failing, wanted=None):
            stop.signalled()
            stop.hurry()  # as after LAST_TEST_SECONDS
            raise AssertionError("it is not cut off")

        def cancel(self):
            cancelled.set()

    found = Search(Reading([], {}), Budget(), stop, 1, None)
    found.run()
    result = found.result("m.py")
    assert (result.stopped, result.tried) == (Reason.STOPPED, 0)
    assert result.ranking
    assert cancelled.is_set()


def test_some_of_each_line_are_tried_before_all_of_one():
    """A line with many changes does not hold up those of others that are as suspicious."""
    many = [change(f"many {number}", 1) for number in range(20)]
    larger = replace(change("larger", 2), size=2)
    words = in_order([*many, larger])
    assert words.index("larger") == 16
    assert words[:2] == ["many 0", "many 1"]


def test_changes_for_one_test_wait_for_others():
    """Lines take turns, and tests with them: each group of changes takes a process."""
    changes = [change(f"{line}", line) for line in (1, 2) * 3]
    table = Table(changes, {})
    table.tests = [
        Test(0, "f0", FAILED, 0.001, frozenset({Line("m.py", 1)})),
        Test(1, "f1", FAILED, 0.001, frozenset({Line("m.py", 2)})),
    ]
    found = Search(table, Budget(), StopFlag(), 1, None)
    found.run()
    assert in_order(changes) == ["1", "2"] * 3
    assert table.groups == [["1"] * 3, ["2"] * 3]


def test_what_runs_out_of_fuel_is_tried_again_with_more_in_the_end():
    changes = [change("slow", 2), change("other", 2, 3)]
    table, result = search(changes, {"slow": "slow"})
    assert [each.words for each in result.places] == ["slow"]
    first, again = table.fuels["slow"][:2]
    assert again == first * MORE
    assert [words for words, tests in table.asked if tests == [0]] == ["slow", "other", "slow"]


def test_a_change_that_hangs_costs_itself_only():
    _, result = search([change("hangs", 1), change("yes", 2)], {"hangs": "hangs", "yes": (0, 1, 2)})
    assert [each.words for each in result.places] == ["yes"]
    assert (result.changes.fuel, result.changes.whole) == (1, 1)


def test_it_ends_with_its_tests_and_tells_so():
    changes = [change(str(number), 1) for number in range(20)]
    _, result = search(changes, {}, tests=6)
    assert result.stopped is Reason.MAX_TESTS
    assert result.tried < 20
    assert "Not all was tried" in result.notes[-2]


def test_what_is_left_is_told_where_all_was_tried_once():
    """That 0 of 2,648 changes were not tried was said in 84 of 215 reports."""
    changes = [change(str(number), 1) for number in range(8)]
    _, result = search(changes, {}, tests=10)
    assert (result.stopped, result.tried) == (Reason.MAX_TESTS, 8)
    assert not any("0 of" in each for each in result.notes)
    assert any("not all tried on the other failing tests" in each for each in result.notes)
    _, result = search([*changes, change("slow", 2)], {"slow": "hangs"}, tests=17)
    assert (result.stopped, result.tried) == (Reason.MAX_TESTS, 9)
    assert any("1 of 9 changes ran out of processor time" in each for each in result.notes)


def test_what_breaks_the_passing_tests_is_no_suspect():
    _, result = search(
        [change("spoils", 1), change("yes", 2)], {"spoils": (0, 1), "yes": (0, 1, 2)}
    )
    assert [each.words for each in result.places] == ["yes"]


def test_the_ranking_has_all_lines_that_failing_tests_execute():
    _, result = search([change("no", 1)], {})
    assert {each.line for each in result.ranking} == {1, 2}
    assert result.places == ()
    assert "No single small change" in result.notes[-1]


@pytest.mark.parametrize(
    ("changes", "says"), [([], "nothing that a small change is made of"), (["a"], "1 of 1 changes")]
)
def test_where_nothing_was_tried_nothing_is_said_of_changes_that_were(changes, says):
    _, result = search([change(each, 1) for each in changes], {}, tests=0)
    assert result.tried == 0
    assert says in result.notes[-1]
    lines = list(suspects_lines(result, Style(width=100)))
    assert lines[1] == "No change was tried."
    assert not any("that was tried" in each for each in lines)


def test_changes_of_which_nobody_notices_one_show_nothing():
    same = [change(str(number), 1) for number in range(12)]
    _, result = search(same, {})
    assert "None of the 12 changes that were tried made any difference" in result.notes[-1]
    assert "could not be tried" in result.notes[-1]
    _, result = search(same, {"7": "in another way"})
    assert "No single small change" in result.notes[-1]


def test_the_diff_and_the_values_are_told():
    _, result = search([change("yes", 2)], {"yes": (0, 1, 2)})
    place = result.places[0]
    assert place.diff == "--- a/m.py\n+++ b/m.py\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    assert (place.values.before, place.values.after) == (("1",), ("2",))


def test_addresses_are_not_told(monkeypatch):
    """They are others in each run."""
    table = Table([change("yes", 2)], {"yes": (0, 1, 2)})
    told = "<built-in method upper of str object at 0x7f035878b750>"
    shown = Shown("one\ntwo\n", None, (told,), ("a at 0x7f035878b750",))
    monkeypatch.setattr(table, "show", lambda *_, fuel: shown)
    found = Search(table, Budget(), StopFlag(), 1, None)
    found.run()
    place = found.result("m.py").places[0]
    assert place.values.before == ("<built-in method upper of str object>",)
    assert place.values.after == ("a at 0x7f035878b750",), "a text of the program"


@pytest.mark.parametrize(
    ("file", "helper"),
    [
        ("tests/__init__.py", True),
        ("src/shop/test/base.py", True),
        ("conftest.py", True),
        ("shop/test_helpers.py", True),
        ("shop/base_test.py", True),
        ("shop/testing.py", False),
        ("tests.py", False),
        ("tests/../shop/__init__.py", False),
        ("latest.py", False),
    ],
)
def test_what_belongs_to_tests(file, helper):
    assert of_tests(file) is helper


def test_tests_that_end_otherwise_are_named():
    """Also where a change does not repair the quickest failing test, but another."""
    changes = [change("slower", 2), change("breaks", 1)]
    table = Table(changes, {"slower": (1, 2, 4, 5, 6), "breaks": (0, 1, 2, 4, 5, 6)})
    one = frozenset({Line("m.py", 1)})
    table.tests = [*table.tests, *(Test(n, f"p{n}", PASSED, 0.001, one) for n in (4, 5, 6))]
    found = Search(table, Budget(), StopFlag(), 1, None)
    found.run()
    told = {each.words: (each.righted, each.spoiled) for each in found.result("m.py").places}
    assert told == {"breaks": (("f0", "f1"), ("p3",)), "slower": (("f1",), ())}


@pytest.mark.parametrize(
    ("broken", "told", "ran"), [(9, 9, 400), (10, None, 361), (15, None, 241), (400, None, 10)]
)
def test_as_many_tests_are_broken_as_is_told(broken, told, ran):
    """After ten it ends; that was told as ten of each that breaks more."""
    at = frozenset({Line("m.py", 2)})
    tests = [
        Test(0, "f", FAILED, 0.001, at),
        *(Test(n, f"p{n}", PASSED, n, at) for n in range(1, 401)),
    ]
    spread = {1 + n * 400 // broken for n in range(broken)}
    table = Table([change("yes", 2)], {"yes": {*range(401)} - spread})
    table.tests = tests
    found = Search(table, Budget(), StopFlag(), 1, None)
    found.run()
    result = found.result("m.py")
    assert [(each.broken, len(each.spoiled)) for each in result.places] == (
        [] if told is None else [(told, told)]
    )
    assert [each.repairs for each in result.ranking] == [int(told is not None)]
    assert len(table.ran) == 1 + ran


def lazily(scores):
    """An agenda of lines with a change each, and the lines that it has asked about."""
    asked = []

    def listing(lines):
        asked.extend(lines)
        return [change(f"{each.line}", each.line) for each in lines]

    known = {Line("m.py", line): score for line, score in scores.items()}
    return Agenda(known, {}, listing), asked


def test_changes_of_lines_are_listed_when_it_is_their_turn():
    """To list 145,000 of click's took most of a minute, of which 1,500 are tried in one."""
    many = 3 * LINES_AT_ONCE
    agenda, asked = lazily({line: 1.0 if line <= LINES_AT_ONCE else 0.2 for line in range(1, many)})
    order = iter(agenda)
    assert next(order).words == "1"
    assert len(asked) == LINES_AT_ONCE
    assert len(agenda.unlisted) == many - 1 - LINES_AT_ONCE
    assert len([*order]) == many - 2
    assert not agenda.unlisted
    assert sorted(asked) == [Line("m.py", line) for line in range(1, many)]


def test_what_could_be_as_good_is_listed_before():
    """A small change of a line that is a little less suspicious is before a large one."""
    agenda, _ = lazily(dict.fromkeys(range(1, LINES_AT_ONCE + 1), 1.0) | {1000: 0.9})
    large = [replace(change("large", 1), size=4)]
    agenda._listing = lambda lines: large if len(lines) > 1 else [change("small", 1000)]
    assert [each.words for each in agenda] == ["small", "large"]


def test_what_was_not_come_to_is_told():
    lines = frozenset(Line("m.py", line) for line in range(1, 3 * LINES_AT_ONCE))

    class Many(Table):
        def offers(self, lines, failing, wanted=None):
            return [change("a", each.line) for each in wanted]

    table = Many([], {})
    table.tests = [Test(0, "f0", FAILED, 0.001, lines)]
    found = Search(table, Budget(3), StopFlag(), 1, None)
    found.run()
    result = found.result("m.py")
    assert result.offered == LINES_AT_ONCE
    assert any(
        f"nor were those of {2 * LINES_AT_ONCE - 1} less suspicious lines listed" in each
        for each in result.notes
    )


def test_where_time_is_over_while_more_is_listed_what_was_found_is_told():
    lines = [Line("m.py", line) for line in range(1, 3 * LINES_AT_ONCE)]

    class Late(Table):
        def offers(self, lines, failing, wanted=None):
            if wanted[0].line > LINES_AT_ONCE:
                raise OutOfTime("over", "The time is over.", "Give it more.")
            return [change("a", each.line, 4) for each in wanted]

    table = Late([], {"a": (0,)})
    table.tests = [Test(0, "f0", FAILED, 0.001, frozenset(lines))]
    found = Search(table, Budget(), StopFlag(), 1, None)
    found.run()
    result = found.result("m.py")
    assert result.stopped is Reason.MAX_TIME
    assert result.offered == LINES_AT_ONCE
    assert any("less suspicious lines listed" in each for each in result.notes)


def test_lines_that_importing_alone_executes_are_ranked_if_they_have_changes_or_none_were_listed():
    lines = frozenset(Line("m.py", line) for line in range(1, LINES_AT_ONCE + 1))
    once = [Line("m.py", line) for line in range(1000, 1100)]

    class Importing(Table):
        def offers(self, lines, failing, wanted=None):
            return [change("a", each.line) for each in wanted if each != once[0]]

    table = Importing([], {})
    table.tests, table.imported = [Test(0, "f0", FAILED, 0.001, lines)], frozenset(once)
    for most in (3, None):
        found = Search(table, Budget(most), StopFlag(), 1, None)
        found.run()
        ranked = {Line(each.file, each.line) for each in found.result("m.py").ranking}
        assert ranked >= {*lines, *once[1:]}
        assert (once[0] in ranked) is (most is not None)


def failing_along(*frames, seconds=0.1):
    lines = frozenset(Line("m.py", line) for line in range(1, 5))
    failure = Failure("E", "", tuple(Frame(file, line, "f") for file, line in frames))
    return Test(0, "f0", FAILED, seconds, lines, own="test_m.py", failure=failure)


def test_where_the_traceback_ends_comes_earlier_and_who_called_it_half_of_that():
    failing = failing_along(("test_m.py", 9), ("m.py", 4), ("library.py", 1), ("m.py", 2))
    slower = failing_along(("m.py", 1), seconds=1.0)
    assert of_traceback([slower, failing]) == {
        Line("m.py", 2): TRACEBACK, Line("m.py", 4): TRACEBACK / 2
    }  # fmt: skip
    assert of_traceback([failing_along(("test_m.py", 9))]) == {}


def test_changes_where_the_traceback_ends_are_tried_first_and_its_line_is_first():
    table = Table([replace(change("there", 4), size=3), change("else", 1, 2)], {})
    table.tests = [failing_along(("m.py", 4))]
    found = Search(table, Budget(), StopFlag(), 1, None)
    found.run()
    assert table.groups == [["there", "else"]]
    assert found.result("m.py").ranking[0].line == 4


def test_the_same_statement_put_in_at_several_lines_is_one_place():
    words = ["insert `x = 1` before this", "insert `x = 1` after this"]
    changes = [change(each, line) for line, each in enumerate(words, 1)]
    _, result = search(changes, dict.fromkeys(words, (0, 1, 2, 3)))
    assert len(result.places) == 1
    assert result.places[0].line == result.ranking[0].line


def test_lines_are_told_as_soon_as_they_are_found_if_none_known_is_better():
    told: list[Repair] = []
    changes = [change(word, line) for word, line in [("one", 1), ("both", 2), ("late", 1)]]
    changes = [replace(each, size=size) for each, size in zip(changes, (1, 3, 5), strict=True)]
    table = Table([*changes, replace(change("again", 2), size=4)], {
        "one": (0, 2, 3), "both": (0, 1, 2, 3), "late": (0, 2, 3), "again": (0, 1, 2, 3),
    })  # fmt: skip
    found = Search(table, Budget(), StopFlag(), 1, None, began=0.0, found=told.append)
    found.run()
    assert [each.change.words for each in told] == ["one", "both"]
    result = found.result("m.py")
    assert [place.words for place in result.places] == ["both", "one"]
    assert (result.first_place, result.final_place) == (told[0].seconds, told[1].seconds)
    assert 0 < told[0].seconds <= told[1].seconds <= result.seconds


def test_where_nothing_repairs_there_is_no_time_until_it_was_found():
    _, result = search([change("a", 1)], {})
    assert (result.first_place, result.final_place) == (None, None)

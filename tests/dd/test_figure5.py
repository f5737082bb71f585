"""Golden test: Figure 5 of Cleve & Zeller (AADEBUG 2000), test by test."""

from __future__ import annotations

from stripe.dd import Outcome, Tester, TestEvent, ddmin
from stripe.dd.published import ddmin_textbook
from tests.dd.paper_sample import DRAWN, stepping
from tests.dd.vectors import figure5

UNIVERSE = range(1, 40)  # 37 drawn events and two that are not


def bits(configuration: tuple[int, ...]) -> str:
    return "".join("1" if event in configuration else "0" for event in range(1, DRAWN + 1))


def test_all_176_rows_come_out_in_order() -> None:
    events: list[TestEvent[int]] = []
    tester = Tester(stepping, listeners=[events.append])

    result = ddmin(UNIVERSE, tester, check=False)

    run = [event for event in events if not event.cached]
    # A test of undrawn events only draws no row.
    drawn = [event for event in run if "1" in bits(event.configuration)]
    *rows, answer = figure5()
    assert [(bits(e.configuration), e.outcome is Outcome.UNRESOLVED) for e in drawn] == rows
    assert bits(result.configuration) == answer[0]
    assert (len(run), len(drawn)) == (179, 176)
    assert result.statistics.tests == 179


def test_the_answer_is_certified_without_a_further_test() -> None:
    result = ddmin(UNIVERSE, stepping)

    assert result.certified
    assert set(result.certificate) == set(result.configuration)
    assert Outcome.FAIL not in result.certificate.values()


def test_the_textbook_rule_needs_259_tests() -> None:
    assert ddmin_textbook(UNIVERSE, stepping, check=False).statistics.tests == 259

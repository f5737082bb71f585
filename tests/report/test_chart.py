"""The picture of a search: tables of the ESEC/FSE 1999 paper, drawn from the runs they print."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from stripe import dd
from stripe.campaign.campaign import Campaign
from stripe.campaign.problem import Problem
from stripe.changes.log import ChangesLog
from stripe.dd import Configuration, Outcome
from stripe.dd.published import dd1999
from stripe.report import tests as terminal
from stripe.report.chart import Chart
from stripe.report.html.chart import drawing
from stripe.report.markup import template
from stripe.report.style import Style
from stripe.report.words import WORDS
from tests.dd.test_conformance import FSE_TESTS
from tests.dd.vectors import vectors

SEARCHES: dict[str, Callable[..., dd.Result[int]]] = {
    "FSE Table 1": dd1999,
    "FSE Table 2": dd1999,
    "FSE Table 3": dd1999,
    "FSE Tables 5+6": dd.dd_plus,
    "FSE Table 7": dd.dd_plus,
}


def chart_of(name: str) -> Chart:
    """The chart of the run that a table prints; changes are numbered from 0."""
    log = ChangesLog(range(1, 9))

    def predict(changes: Configuration[int]) -> Outcome | None:
        if name != "FSE Table 7" or changes == tuple(range(1, len(changes) + 1)):
            return None
        log.foretell(changes)
        return Outcome.UNRESOLVED

    problem: Problem[int] = Problem(
        range(1, 9), lambda changes: FSE_TESTS[name](set(changes)), predict=predict
    )
    result = Campaign().search(
        problem,
        lambda deltas, tester: SEARCHES[name](deltas, tester, check=False, certify=False),
        listeners=[log.listener("", lambda changes: changes)],
    )
    answer = [range(each - 1, each) for each in result.configuration]
    return Chart(log.entries, 8, answer, "change", "answer", falls=True)


def expected(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = vectors()[name]["expected_sequence"]
    return rows


@pytest.mark.parametrize("name", SEARCHES)
def test_a_row_for_each_row_of_the_table(name: str) -> None:
    table = expected(name)
    lines = list(terminal.tests(chart_of(name), Style()))
    for row, line in zip(table, lines, strict=False):
        _, dots, said = line.split("│")
        assert [place for place, dot in enumerate(dots, 1) if dot == "•"] == row["c"]
        if name == "FSE Table 7" and row["outcome"] == "UNRESOLVED":
            assert said.endswith("not run")
        else:
            assert said.endswith(WORDS[Outcome[row["outcome"]]])
    assert len(lines) > len(table), "the answer is the last one"
    answer = [place for place, dot in enumerate(lines[-1].split("│")[1], 1) if dot == "•"]
    assert answer == vectors()[name]["expected_result"]


@pytest.mark.parametrize("name", SEARCHES)
def test_the_size_of_the_best_answer_falls_as_the_table_says(name: str) -> None:
    smallest, sizes = 8, []
    for row in expected(name):
        if row["outcome"] == "FAIL":
            smallest = min(smallest, len(row["c"]))
        sizes.append(smallest)
    chart = chart_of(name)
    assert [left for _, left in chart.left(chart.log)][: len(sizes)] == sizes


def test_what_was_predicted_is_no_test() -> None:
    """Of the five rows of Table 7, three were run."""
    log = chart_of("FSE Table 7").log
    assert [entry.predicted for entry in log] == [False, True, False, True, False]
    assert [entry.number for entry in log] == [1, 1, 2, 2, 3]


def test_the_page_draws_the_same_rows() -> None:
    picture = drawing(chart_of("FSE Tables 5+6"))
    text = template("html/chart.svg.jinja").render(drawing=picture, chart=picture.chart, number=0)
    rows = re.findall(r'<g class="t (\w+)" data-n="(\d+)" data-k="(\d+)">', text)
    table = expected("FSE Tables 5+6")
    assert [kind.upper() for kind, _, _ in rows] == [row["outcome"] for row in table]
    assert [int(size) for _, _, size in rows] == [len(row["c"]) for row in table]
    falls = re.search(r'<g class="falls".*?<path d="([^"]*)"', text)
    assert falls is not None
    places = [float(x) for x in re.findall(r"[ML]([\d.]+) ", falls[1])]
    assert places == sorted(places, reverse=True)
    assert len(places) == len(table) + 1, "and the answer"


def test_what_several_levels_predict_is_drawn_once() -> None:
    log = ChangesLog(range(3))
    for level in ("hunk", "line"):
        log.foretell((0, 1))
        log.record_outcome(level, (0, 1), Outcome.UNRESOLVED, ran=False)
        log.record_outcome(level, (0, 1), Outcome.UNRESOLVED, ran=False)
    assert [(entry.predicted, entry.level) for entry in log.entries] == [(True, "hunk")]

"""SARIF: valid by the schema, the slice first, then the whole run with what matters."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import stripe
from stripe.reduce import Result
from stripe.report.sarif import LAST_COLUMN, MOST, sarif
from stripe.report.sarif_causes import sarif as sarif_of_causes
from tests.states.answers import answer, sample
from tests.support.needs import LEFT_OUT
from tests.support.results import result_of, slice_of, trace_of

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "examples" / "sample_programs"
SCHEMA = json.loads((HERE / "sarif-schema" / "sarif-2.1.0.json").read_text("utf-8"))


def valid(result: Result) -> Any:
    """The one run of a result, after the log has been held against the schema."""
    log = sarif(result)
    json.dumps(log)
    jsonschema.validators.validator_for(SCHEMA)(SCHEMA).validate(log)
    [run] = log["runs"]
    return run


@pytest.fixture(scope="module")
def crash() -> Result:
    return stripe.trace("crash.py", directory=SAMPLES, check=["exception", "stderr"])


def steps(run: Any, result: int, flow: int) -> list[Any]:
    [thread] = run["results"][result]["codeFlows"][flow]["threadFlows"]
    return list(thread["locations"])


def test_the_slice_comes_first(crash: Result) -> None:
    run = valid(crash)
    orders = [each["executionOrder"] for each in steps(run, 0, 0)]
    assert orders == [event + 1 for event in crash.slices[0].events]
    assert {each["importance"] for each in steps(run, 0, 0)} == {"essential"}


def test_then_the_whole_run_with_what_matters(crash: Result) -> None:
    run = valid(crash)
    whole = steps(run, 0, 1)
    assert [each["executionOrder"] for each in whole] == list(range(1, len(crash.trace) + 1))
    essential = [each["executionOrder"] for each in whole if each["importance"] == "essential"]
    assert essential == [event + 1 for event in crash.slices[0].events]


def test_nesting_and_state(crash: Result) -> None:
    run = valid(crash)
    last = steps(run, 0, 0)[-1]
    assert last["location"]["physicalLocation"]["region"] == {"startLine": 15, "startColumn": 5}
    assert last["nestingLevel"] == 3
    assert last["state"] == {
        "total": {"text": "0"}, "marks": {"text": "[]"}, "len(marks)": {"text": "0"},
    }  # fmt: skip
    assert last["location"]["logicalLocations"] == [{"name": "average", "kind": "function"}]
    assert steps(run, 0, 0)[0]["nestingLevel"] == 0


def test_a_crash_is_shown_where_it_was_raised(crash: Result) -> None:
    [location] = valid(crash)["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "crash.py"
    assert location["physicalLocation"]["region"]["startLine"] == 15


def test_every_index_and_base_leads_somewhere(crash: Result) -> None:
    run = valid(crash)
    assert run["originalUriBaseIds"]["PROGRAM"]["uri"].endswith("/sample_programs/")
    for each in steps(run, 1, 1):
        place = each["location"]["physicalLocation"]["artifactLocation"]
        assert run["artifacts"][place["index"]]["location"]["uri"] == place["uri"]


def test_columns_count_characters_and_paths_are_quoted() -> None:
    trace = trace_of([1], "ä = 1\n", "a folder/größe.py")
    trace.statements = [
        type(trace.statements[0])(0, 0, "Expr", 1, 1, 1, len("ä = ".encode()), "<module>")
    ]
    run = valid(result_of(trace, slice_of(trace, [0])))
    place = steps(run, 0, 0)[0]["location"]["physicalLocation"]
    assert place["region"]["startColumn"] == 5
    assert place["artifactLocation"]["uri"] == "a%20folder/gr%C3%B6%C3%9Fe.py"


def test_a_long_run_is_folded_to_what_viewers_take() -> None:
    trace = trace_of([1, 2] * 20_000, "x = 1\ny = 2\n")
    run = valid(result_of(trace, slice_of(trace, [0, 500, 39_999])))
    whole = [each["executionOrder"] for each in steps(run, 0, 1)]
    assert whole == [1, 2, 500, 501, 502, 39_999, 40_000]
    [run] = sarif(result_of(trace, slice_of(trace, range(30_000))))["runs"]
    assert len(steps(run, 0, 0)) == len(steps(run, 0, 1)) == MOST


def test_a_slice_of_nothing() -> None:
    trace = trace_of([1], "x = 1\n")
    assert len(valid(result_of(trace, slice_of(trace, [])))["results"][0]["codeFlows"]) == 1


def test_names_of_files_that_are_no_utf_8() -> None:
    trace = trace_of([1], "a = 1\n", "\udcff.py")
    run = valid(result_of(trace, slice_of(trace, [0])))
    assert run["artifacts"][0]["location"]["uri"] == "%FF.py"


def test_columns_far_to_the_right_are_left_out() -> None:
    trace = trace_of([1], "é" * 60_000 + "\n")
    trace.statements = [replace(trace.statements[0], column=LAST_COLUMN + 1)]
    run = valid(result_of(trace, slice_of(trace, [0])))
    assert steps(run, 0, 0)[0]["location"]["physicalLocation"]["region"] == {"startLine": 1}


def test_each_cause_transition_is_a_finding_with_the_chain_as_its_flow() -> None:
    log = sarif_of_causes(sample())
    jsonschema.validators.validator_for(SCHEMA)(SCHEMA).validate(log)
    (run,) = log["runs"]
    rules = [each["id"] for each in run["tool"]["driver"]["rules"]]
    found = run["results"]
    assert [each["ruleId"] for each in found] == ["cause", "cause-transition", "cause-transition"]
    assert [rules[each["ruleIndex"]] for each in found] == [each["ruleId"] for each in found]
    lines = [
        [place["physicalLocation"]["region"]["startLine"] for place in each["locations"]]
        for each in found
    ]
    assert lines == [[3], [5], [9]]
    assert found[1]["message"]["text"].startswith(
        "The cause passes on: at main:3, `n` was 3 instead of 4; hence at work:5, `a[1]` was 5"
    )
    (flow,) = found[1]["codeFlows"]
    (thread,) = flow["threadFlows"]
    assert [each["importance"] for each in thread["locations"]] == [
        "important", "essential", "important",
    ]  # fmt: skip
    assert run["invocations"][0]["executionSuccessful"] is True


def test_a_search_without_a_cause_is_valid_too() -> None:
    log = sarif_of_causes(answer())
    jsonschema.validators.validator_for(SCHEMA)(SCHEMA).validate(log)
    assert log["runs"][0]["results"] == []


def test_lines_that_ran_where_nothing_is_recorded_are_noted(tmp_path: Path) -> None:
    (tmp_path / "aside.py").write_text(
        "import threading\ndef work():\n    seen.append(1)\nseen = []\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\nprint(seen)\n"
    )
    found = stripe.trace("aside.py", directory=tmp_path)
    assert found.trace.files[0].elsewhere == (3,)
    [invocation] = valid(found)["invocations"]
    note = invocation["toolExecutionNotifications"][-1]
    assert note["message"]["text"].startswith("1 line ran, not recorded: before a test, ")
    [place] = note["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "aside.py"
    assert place["physicalLocation"]["region"] == {"startLine": 3}

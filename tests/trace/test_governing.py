"""Conditions that decided that kept events ran are marked, in every face, without a test."""

from __future__ import annotations

from pathlib import Path

import pytest

import stripe
from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.reduce.reading import from_json
from stripe.report import Style, fragment, render
from stripe.report.html import page
from stripe.report.sarif import sarif
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.results import reduced

FEE = """\
def fee(total):
    if total > 50:
        return 0
    return 5

total = 50
if total:
    print("fee", fee(total))
if total < 0:
    total = 0
"""


def deciding(result: Result) -> list[str]:
    return [result.trace.name(event) for event in result.slices[0].governing]


def test_the_loop_and_not_its_last_look() -> None:
    result = reduced(SAMPLE, "stdout:/^sum/", stdin=SAMPLE_INPUT)
    # Five of six rounds are kept, and the first of the six led to the second.
    assert deciding(result) == ["5_5", "5_9", "5_13", "5_17", "5_21", "5_25"]
    assert "conditions     +6, on 1 line" in render(result)


def test_what_is_kept_is_no_condition_beside_it() -> None:
    result = reduced(SAMPLE, "stdout:/^sum/", stdin=SAMPLE_INPUT, control="program")
    assert deciding(result) == []
    assert "conditions" not in render(result)


@pytest.mark.parametrize("known", [True, False])
def test_the_condition_around_a_call_and_not_one_that_decided_nothing(known: bool) -> None:
    result = reduced(FEE, "stdout")
    data = result.to_json()
    if not known:
        del data["slices"][0]["governing"]  # as in a result of an earlier version
    found = deciding(from_json(data))
    assert "7_3" in found
    assert not any(name.startswith("9_") for name in found)
    if known:
        assert found == deciding(result)


PREDICATE = """\
def small(number):
    if number > 9:
        return False
    return number < 3

def name(number):
    return "two"

if small(2):
    print(name(2))
"""


def test_what_gave_the_result_that_decided(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PREDICATE)
    result = stripe.trace("program.py", directory=tmp_path, check="stdout")
    assert deciding(result) == ["9_3", "2_4", "4_5"]


def test_every_face_marks_them() -> None:
    result = reduced(FEE, "stdout")
    text = render(result, ["source", "table"], Style())
    assert " ▷   7 +1/1  │ if total:\n" in text
    assert "     9  0/1  │ if total < 0:\n" in text
    assert " ▷ +k/m: k of m are not kept, but decided that kept ones ran\n" in text
    assert "  7_3    if total:                       ◦\n" in text
    ascii_text = render(result, ["source"], Style(unicode=False))
    assert " +   7 +1/1  | if total:\n" in ascii_text
    assert '<tr id="f0l7" class="g0 x">' in page(result)
    assert "○" in page(result)
    assert '<tr class="governs"><td>7</td>' in fragment(result)
    flow = sarif(result)["runs"][0]["results"][0]["codeFlows"][1]["threadFlows"][0]
    assert flow["locations"][2]["importance"] == "important"


def test_a_document_in_which_a_condition_is_kept_as_well_is_refused() -> None:
    data = reduced(FEE, "stdout").to_json()
    found = data["slices"][0]
    found["governing"] = found["events"][:1]
    with pytest.raises(UsageError, match="an event that is not kept"):
        from_json(data)

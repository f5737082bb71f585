"""What goes with some events and what stays without them: the search asks the same either way."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from stripe.reduce import incremental_slice
from tests.reduce.test_guided import LIES, guided, python, with_flows
from tests.support.fake import SAMPLE, SAMPLE_INPUT, record

CALLS = """
    def note(things, one):
        things.append(one)
        return len(things)
    def total(things):
        found = 0
        for each in things:
            if each % 3:
                found += each
        return found
    table = {}
    seen = []
    for n in range(12):
        table[n % 4] = table.get(n % 4, 0) + n
        count = note(seen, n)
        if n % 5 == 0:
            seen = [total(seen)]
    print(count, table)
    print(total(seen))
"""


@pytest.fixture
def many(monkeypatch):
    """Has every configuration count as a large one, or none; or only what is not too large."""

    def choose(number: int, most: int = incremental_slice.MOST) -> None:
        monkeypatch.setattr(incremental_slice, "MANY", number)
        monkeypatch.setattr(incremental_slice, "MOST", most)

    return choose


@given(LIES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_tests_are_the_same_whatever_the_analysis_says(many, flows):
    logs = []
    for number in ((1,), (1 << 30,), (1, 40)):
        many(*number)
        recording = record(SAMPLE, SAMPLE_INPUT)
        with_flows(recording, flows)
        logs.append(guided(recording).slices[0].log)
    assert logs[0] == logs[1] == logs[2]


@pytest.mark.parametrize("check", ["stdout:/^[0-9]+ /", r"stdout:/^[0-9]+$/"])
def test_the_tests_are_the_same_for_a_program_with_calls(tmp_path, many, check):
    logs = []
    for number in ((1,), (1 << 30,), (1, 40)):
        many(*number)
        (found,) = python(tmp_path, CALLS, b"", check).slices
        assert found.certified
        logs.append([(each.outcome, list(each.kept())) for each in found.log])
    assert logs[0] == logs[1] == logs[2]

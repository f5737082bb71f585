"""What a slice tells of its events: values, and what they depend on."""

from __future__ import annotations

from pathlib import Path

import stripe

SAMPLES = Path(__file__).parents[2] / "examples" / "sample_programs"


def test_values_are_those_of_the_slice_alone() -> None:
    """Without the other additions, `sum` is what the kept ones make it."""
    result = stripe.trace("sample.py", directory=SAMPLES, stdin="0\n5\n", check="stdout:/^mul/")
    [found] = result.slices
    seen = {result.trace.name(event): dict(values) for event, values in found.values.items()}
    assert seen == {
        "4_2": {"mul": "1"},
        "5_3": {"a": "0"},
        "9_7": {"mul": "0", "a": "0"},
        "12_31": {"mul": "0"},
    }


def test_dependences_name_the_variables() -> None:
    result = stripe.trace(
        "sample.py", directory=SAMPLES, stdin="0\n5\n", check="stdout:/^mul/", watch=False
    )
    [found] = result.slices
    name = result.trace.name
    assert [
        (name(each.event), name(each.on), each.kind, each.names) for each in found.dependences
    ] == [
        ("9_7", "4_2", "data", ("mul",)),
        ("9_7", "5_3", "data", ("a",)),
        ("12_31", "9_7", "data", ("mul",)),
    ]
    assert found.values == {}

"""Dead values of a traced program: in the result, as JSON, on the terminal, on the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stripe
from stripe.errors import UsageError
from stripe.reduce.reading import from_json
from stripe.report.html import page
from stripe.report.style import Style
from stripe.report.terminal import render

PROGRAM = """\
def total(items):
    found = 0
    for item in items:
        found = item * 2
    return found

def main(rate):
    rate = rate + 1.42
    rate = 2 * 1.0
    return total([1, 2, 3]) * rate

print(main(2))
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> stripe.Result:
    folder = tmp_path_factory.mktemp("program")
    (folder / "prog.py").write_text(PROGRAM)
    return stripe.trace("prog.py", directory=folder, check="stdout", algorithm="ddmin")


def test_what_was_computed_and_what_became_of_it(result: stripe.Result) -> None:
    name = result.trace.name
    assert [
        (each.name, each.value, name(each.event), name(each.overwritten or 0), each.times)
        for each in result.dead_values
    ] == [("found", "4", "4_11", "4_13", 2), ("rate", "3.42", "8_4", "9_5", 1)]


def test_a_result_that_was_read_again_has_them(result: stripe.Result) -> None:
    read = from_json(json.loads(json.dumps(result.to_json())))
    assert tuple(read.dead_values) == tuple(result.dead_values)


def test_events_that_are_not_there_are_refused(result: stripe.Result) -> None:
    data = result.to_json()
    data["dead_values"][0]["overwritten"] = len(result.trace)
    with pytest.raises(UsageError) as caught:
        from_json(data)
    assert "dead_values" in str(caught.value)


def test_reports_tell_of_them(result: stripe.Result) -> None:
    told = [
        "computed rate = 3.42; line 9 overwrote it, and nothing had read it",
        "computed found = 4; line 4 again overwrote it, and nothing had read it (2 values of "
        "this line)",
    ]
    text, html = render(result, ["source"], Style(width=200)), page(result)
    for each in told:
        assert each in text
        assert each in html
    assert "never read" not in render(result, ["summary"], Style(width=200))


def test_at_most_five_fill_the_terminal(tmp_path: Path) -> None:
    lines = [f"    x{n} = n + {n}\n    x{n} = n\n" for n in range(7)]
    used = " + ".join(f"x{n}" for n in range(7))
    (tmp_path / "prog.py").write_text(
        f"def f(n):\n{''.join(lines)}    return {used}\nprint(f(1))\n"
    )
    result = stripe.trace("prog.py", directory=tmp_path, check="stdout", algorithm="ddmin")
    text = render(result, ["source"], Style(width=200))
    assert text.count("nothing had read it") == 5
    assert "2 more. --show all shows everything." in text
    assert text.index("computed x6 = 7") < text.index("computed x5 = 6")

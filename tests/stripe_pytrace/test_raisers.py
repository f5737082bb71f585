"""The recorded event that raised the exception a run ended with, and that a slice keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

import stripe
from stripe.backend import End
from tests.support.recordings import recorded

QUEUE = """\
queue = []
queue.append("job")
while True:
    job = queue.pop()
"""

RAISERS = {
    "the second time": (QUEUE, "4_6"),
    "in a library that user code calls": (
        "import json\nfor text in ['1', '[', '2']:\n    json.loads(text)\n",
        "3_5",
    ),
    "in a callback of a library": (
        "import functools\ndef add(a, b):\n    return a + b\n"
        "print(functools.reduce(add, [1, 2, None]))\n",
        "3_5",
    ),
    "through a handler that raises it again": (
        "def f(n):\n    return 1 / n\n"
        "for n in [1, 0]:\n    try:\n        f(n)\n    except ZeroDivisionError:\n"
        "        print('no')\n        raise\n    finally:\n        print(n)\n",
        "2_8",
    ),
    "past one raised and caught on its way": (
        "def f(n):\n    return 1 / n\n"
        "try:\n    f(0)\nfinally:\n    try:\n        f(0)\n    except ZeroDivisionError:\n"
        "        pass\n",
        "2_3",
    ),
    "from another": (
        "def f(n):\n    return 1 / n\n"
        "try:\n    f(0)\nexcept ZeroDivisionError as error:\n    raise ValueError(1) from error\n",
        "6_4",
    ),
    "raised a second time, elsewhere": (
        "error = ValueError(1)\ntry:\n    raise error\nexcept ValueError:\n    pass\n"
        "raise error.with_traceback(None)\n",
        "6_4",
    ),
    "a group": (
        "errors = []\nfor n in [1, 2]:\n    try:\n        raise ValueError(n)\n"
        "    except ValueError as error:\n        errors.append(error)\n"
        "raise ExceptionGroup('both', errors)\n",
        "7_9",
    ),
    "what a group leaves": (
        "try:\n    raise ExceptionGroup('both', [ValueError(1), KeyError(2)])\n"
        "except* ValueError:\n    print('one')\n",
        "2_1",
    ),
    "in a generator": (
        "def each():\n    for n in [1, 0]:\n        yield 1 / n\nfor x in each():\n    print(x)\n",
        "3_8",
    ),
    "thrown into a generator": (
        "def each():\n    while True:\n        yield 1\n"
        "source = each()\nnext(source)\nnext(source)\nsource.throw(ValueError(1))\n",
        "3_8",
    ),
    "at the depth where recursion ends": (
        "def f(n):\n    return f(n + 1)\nf(0)\n",
        "",  # whichever it is, it is known
    ),
    "in a module": (
        "import sys, types\nfor n in [1, 0]:\n    class C:\n        x = 1 / n\n",
        "4_7",
    ),
}


@pytest.mark.parametrize("case", RAISERS)
def test_the_event_that_raised(tmp_path: Path, case: str) -> None:
    program, expected = RAISERS[case]
    with recorded(tmp_path, program) as recording:
        exception = recording.recorded.exception
        assert exception is not None
        assert exception.event is not None
        assert recording.trace.name(exception.event).endswith(expected)
        everything = range(len(recording.trace))
        for strict in (False, True):
            with recording.replay(everything, strict=strict, fresh=strict) as run:
                assert run.exception == exception
                assert run.fault == recording.recorded.fault


def test_it_is_told_where_the_program_raised_it_and_not_a_library(tmp_path: Path) -> None:
    with recorded(tmp_path, "import json\ndef f(x):\n    json.loads(x)\nf('?')\n") as recording:
        exception = recording.recorded.exception
        assert exception is not None
        assert (exception.type, exception.file, exception.line) == (
            "json.decoder.JSONDecodeError",
            "prog.py",
            3,
        )


def test_another_event_of_the_statement_is_another_one(tmp_path: Path) -> None:
    with recorded(tmp_path, QUEUE) as recording, recording.replay([0, 3]) as run:
        assert (run.end, run.exception and run.exception.event) == (End.EXITED, 3)


@pytest.mark.parametrize("control", ["trace", "program"])
def test_what_had_worked_does_not_stand_for_what_fails(tmp_path: Path, control: str) -> None:
    (tmp_path / "prog.py").write_text(QUEUE)
    result = stripe.trace("prog.py", directory=tmp_path, control=control)
    (found,) = result.slices
    kept = [result.trace.name(event) for event in found.events]
    assert "4_6" in kept
    assert ("4_4" in kept) is ("2_2" in kept)  # what takes the job away, if it is there at all


def test_what_ends_outside_of_the_program_has_no_event(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("print('x')\nraise SystemExit('bye')\n")
    result = stripe.trace("prog.py", directory=tmp_path, check="exit+stderr:/bye/")
    assert [result.trace.name(event) for event in result.slices[0].events] == ["2_2"]


PARTS = {
    "an item of an item": (
        "rows = []\nrows.append([1, 2])\nrows.append([3])\ndef get(i, j):\n    return rows[i][j]\n"
        "print(get(0, 1))\nprint(get(1, 1))\n",
        "1 2 3 4 7 5",
    ),
    "an operand of two that are alike": (
        "pairs = {'a': {}, 'b': {}}\npairs['a']['x'] = 1\n"
        "print(\n    pairs['a']['x'] +\n    pairs['b']['x'])\n",
        "1 2 3",
    ),
}
"""Programs that would fail with the same words in another expression of the same event."""


@pytest.mark.parametrize("name", PARTS)
def test_another_expression_of_the_statement_is_another_failure(name: str, tmp_path: Path) -> None:
    text, lines = PARTS[name]
    (tmp_path / "prog.py").write_text(text)
    result = stripe.trace("prog.py", directory=tmp_path)
    [found] = result.slices
    assert found.certified
    assert [result.trace.name(event).partition("_")[0] for event in found.events] == lines.split()

"""Recording and replaying in one process: what it answers, and that runs are kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import stripe
from tests.stripe_wasm.playground import Playground, missing

COURSE = Path(__file__).parents[2] / "docs" / "course" / "programs"


@pytest.fixture(scope="module")
def playground() -> Iterator[Playground]:
    if why := missing():
        pytest.skip(why)
    playground = Playground()
    yield playground
    playground.close()


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("discount.py", ""),
        ("parcel.py", "stdout:/^price/"),
        ("wages.py", "stdout:/^cleo/"),
        ("heating.py", "stdout:/^power/"),
        ("alarm.py", "stdout:/^alarm/"),
    ],
)
def test_slices_are_those_of_the_command(playground, name, check):
    program = (COURSE / name).read_text(encoding="utf-8")
    found = playground.ask("trace", program=program, stdin="", check=check)
    result = stripe.trace(name, directory=COURSE, check=check or ())
    expected = result.slices[0]
    lines = {result.trace.statements[result.trace.statement[e]].line for e in expected.events}
    assert found["lines"] == sorted(lines)
    assert (found["kept"], found["of"]) == (len(expected.events), expected.of)
    assert found["certified"]
    assert found["verified"]


def test_a_crash_has_its_slice(playground):
    program = "x = 0\ny = 5\n\ndef f(a):\n    b = 1\n    return a / x\n\nprint(f(y))\n"
    found = playground.ask("trace", program=program, stdin="", check="")
    assert found["lines"] == [1, 2, 4, 6, 8]
    assert "ZeroDivisionError" in found["report"]


def test_the_program_finds_nothing_of_the_page(playground):
    program = (
        "import sys\n"
        "names = ('js', 'pyo', '_pyo', '_str')\n"
        "print(sorted(n for n, m in sys.modules.items() if m and n.startswith(names)))\n"
        "del names\n"
        "print([n for n in globals() if not n.startswith('__')])\n"
        "for name in ('js', 'pyodide_js', '_pyodide_core'):\n"
        "    try:\n        __import__(name)\n        print('found', name)\n"
        "    except ImportError:\n        print('no', name)\n"
    )
    ran = playground.ask("run", program=program, stdin="")
    assert ran["stdout"] == ("[]\n['sys']\nno js\nno pyodide_js\nno _pyodide_core\n")


@pytest.mark.parametrize(
    "harm",
    [
        "import json, decimal\nx = [1] * 1000000\n",
        "open('left.txt', 'w').write('x')\nimport os\nos.mkdir('folder')\n",
        "import os\nos.dup2(os.open('/dev/null', 1), 1)\nos.close(2)\n",
        "import os\nos._exit(3)\n",
        "import builtins, sys\nbuiltins.len = None\nsys.stdout = None\n",
        "x = bytearray(200_000_000)\n",
        "import sys\nsys.setrecursionlimit(10)\n",
        "import os\nos.chdir('/')\nos.environ['A'] = 'b'\n",
    ],
)
def test_a_run_leaves_nothing_to_the_next(playground, harm):
    """Memory is put back to the byte, and so are files and descriptors."""
    before = playground.ask("state")
    playground.ask("run", program=harm, stdin="")
    after = playground.ask("state")
    assert after == before
    assert after["clear"]


@pytest.mark.parametrize(
    ("program", "slug"),
    [
        ("import random\nprint(random.random())\n", "nondeterministic"),
        ("while True:\n    pass\n", "too-long-here"),
        ("import threading\nthreading.Thread(target=print).start()\n", "needs-processes"),
        ("import posix\nprint('x', flush=True)\nposix._exit(0)\n", "lost-recording"),
        ("import os\nprint('x')\nos.kill(os.getpid(), 9)\n", "interpreter-ended"),
        ("print(\n", "syntax-error"),
    ],
)
def test_what_cannot_be_done_is_said(playground, program, slug):
    assert playground.ask("trace", program=program, stdin="", check="")["error"] == slug


def test_after_all_that_it_still_answers(playground):
    found = playground.ask("trace", program="a = 1\nb = 2\nprint(b)\n", stdin="", check="")
    assert found["lines"] == [2, 3]


def test_delta_debugging_by_hand(playground):
    program = (COURSE / "recipe.py").read_text(encoding="utf-8")
    begun = playground.ask("begin", program=program, stdin="", check="stdout:/^dough/")
    assert [each["text"] for each in begun["events"]][:2] == ["flour = 500", "sugar = 100"]
    everything = list(range(len(begun["events"])))
    assert playground.ask("test", kept=everything)["outcome"] == "FAIL"
    nothing = playground.ask("test", kept=[])
    assert (nothing["outcome"], nothing["stdout"]) == ("UNRESOLVED", "")
    without_eggs = [each for each in everything if each != 2]
    asked = playground.ask("test", kept=without_eggs)
    assert asked["outcome"] == "UNRESOLVED"
    assert asked["why"] == "NameError in line 5"
    minimal = playground.ask("trace", program=program, stdin="", check="stdout:/^dough/")
    assert playground.ask("certify", kept=everything)["more"], "price and time can go"
    kept = [n for n, each in enumerate(begun["events"]) if each["line"] in minimal["lines"]]
    assert playground.ask("certify", kept=kept) == {
        "minimal": True, "shown": True, "more": [], "tests": len(kept),
    }  # fmt: skip


def test_the_tests_of_figure_5_can_be_played(playground):
    samples = Path(__file__).parents[2] / "examples" / "sample_programs"
    program = (samples / "sample.py").read_text(encoding="utf-8")
    asked = {"program": program, "stdin": "0\n5\n", "check": "stdout", "algorithm": "ddmin"}
    found = playground.ask("trace", **asked)
    assert 'class="play"' in found["page"]
    result = stripe.trace(
        "sample.py", directory=samples, stdin="0\n5\n", check="stdout", algorithm="ddmin"
    )
    assert found["tests"] == result.slices[0].tests

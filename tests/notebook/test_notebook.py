"""A notebook that is really executed: the magic, its errors, and how results look."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stripe.report import fragment
from tests.notebook.executing import run_cells, shown
from tests.support.needs import LEFT_OUT
from tests.support.patience import PATIENCE, wait_until
from tests.support.results import result_of, slice_of, trace_of

PLUGINS = Path(__file__).parents[2] / "plugins"

pytest.importorskip("nbformat", reason=LEFT_OUT)

CELLS = [
    "%load_ext stripe_magic",
    "%%stripe --check 'stdout:/^b/'\na = 1\nb = 2\nprint('a', a)\nprint('b', b)\n",
    "%%stripe --check var:x@cell.py:2 --json cell.json -- one two\nimport sys\nx = sys.argv[1:]\n",
    "%%stripe --chek stdout\nprint(1)\n",
    "%%stripe\nx = 1\n",
    "%%stripe\nimport data\nprint(open('note.txt').read(), data.N)\n",
    "import stripe\nresult = stripe.trace('prog.py')\nresult",
    "print('a' in dir())",
    "import math\nlimit = 3\ndef half(x):\n    return x / 2\n",
    "%%stripe\ndef f():\n    return half(limit)\nprint(f())\n",
    "%%stripe\nlimit = 4\nhalf = len\nprint('own', limit, [x for x in range(2)])\n",
    "%load_ext stripe",
    "%%stripe --json -\nprint(1)\n",
    "%%stripe --help\npass\n",
    "%%stripe 'unfinished\nprint(1)\n",
    "%%stripe --check stdout\nprint(1)\n",
    "found = _\nprint(len(found.result['slices']), found)\n",
    "%%stripe --check stdout --include\nprint(1)\n",
    "%%stripe --include -- one\nprint(1)\n",
    "%%stripe\ndef f(x):\n    return x[0]\nf([])\n",
    "import os; os.environ['STRIPE_COMMAND'] = '/nowhere/stripe'",
    "%%stripe\nprint(1)\n",
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """The directory of an executed notebook, and what each of its cells shows."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "note.txt").write_text("noted")
    (folder / "data.py").write_text("N = 5\n")
    (folder / "prog.py").write_text("y = 1\nz = 2\nprint(z)\n")
    return folder, run_cells(CELLS, folder, tmp_path_factory.mktemp("outer"))


def test_a_cell_is_traced(outputs: tuple[Path, list[Any]]) -> None:
    html = shown(outputs[1][1])
    assert "2 of 4 events kept" in html
    assert "1-minimal: yes" in html
    assert "b = 2" in html
    assert "<script" not in html


def test_a_cell_has_arguments_and_reports(outputs: tuple[Path, list[Any]]) -> None:
    folder, cells = outputs
    assert "x = [&#39;one&#39;, &#39;two&#39;]" in shown(cells[2])
    data = json.loads((folder / "cell.json").read_text())
    assert [file["path"] for file in data["files"]] == ["cell.py"]
    assert data["target"] is None


@pytest.mark.parametrize(
    ("cell", "slug"),
    [
        (3, "unknown-option"),
        (4, "no-output"),
        (12, "bad-option"),
        (14, "bad-option"),
        (17, "bad-option"),
        (18, "bad-option"),
    ],
)
def test_errors_are_sentences(outputs: tuple[Path, list[Any]], cell: int, slug: str) -> None:
    text = json.dumps(outputs[1][cell])
    assert f"[{slug}]" in text
    assert "Traceback" not in text


def test_a_cell_finds_the_files_of_the_notebook(outputs: tuple[Path, list[Any]]) -> None:
    assert "noted" not in shown(outputs[1][5])
    assert "open(" in shown(outputs[1][5])


def test_a_result_shows_itself(outputs: tuple[Path, list[Any]]) -> None:
    html = shown(outputs[1][6])
    assert "2 of 3 events kept" in html
    assert "z = 2" in html


def test_a_cell_leaves_the_notebook_alone(outputs: tuple[Path, list[Any]]) -> None:
    assert outputs[1][7][0]["text"] == "False\n"


def test_a_cell_that_uses_names_of_others_is_refused(outputs: tuple[Path, list[Any]]) -> None:
    """Its own NameError is no answer."""
    text = " ".join(json.dumps(outputs[1][9]).replace("\\n", " ").split())
    assert "The cell uses half, limit, which other cells define" in text
    assert "[names-of-cells]" in text
    assert "NameError" not in text


def test_the_output_of_a_cell_stays(outputs: tuple[Path, list[Any]]) -> None:
    texts = [each for each in outputs[1][10] if each["output_type"] == "stream"]
    assert "own 4 [0, 1]" in "".join(each["text"] for each in texts)


@pytest.mark.parametrize("cell", [17, 18])
def test_an_option_without_its_value_takes_nothing_else_for_that(
    cell: int, outputs: tuple[Path, list[Any]]
) -> None:
    text = json.dumps(outputs[1][cell])
    assert "--include needs a value" in text
    assert "no program" not in text


def test_a_traceback_names_the_cell(outputs: tuple[Path, list[Any]]) -> None:
    text = json.dumps(outputs[1][19])
    assert 'File \\"cell.py\\", line 2, in f' in text
    assert "/cell.py" not in text


def test_the_text_of_a_result_is_short(outputs: tuple[Path, list[Any]]) -> None:
    [output] = [each for each in outputs[1][1] if each["output_type"] == "execute_result"]
    assert output["data"]["text/plain"] == "stdout:/^b/: 2 of 4 events kept, 1-minimal"


def test_the_former_name_of_the_extension_is_refused_by_name(
    outputs: tuple[Path, list[Any]],
) -> None:
    text = json.dumps(outputs[1][11])
    assert "is loaded by %load_ext stripe_magic: pip install pytest-stripe-trace" in text
    assert "Traceback" not in text


def test_help_is_that_of_trace(outputs: tuple[Path, list[Any]]) -> None:
    [output] = outputs[1][13]
    plain = re.sub(r"\x1b\[[\d;]*m", "", output["text"])  # argparse has colours from 3.14 on
    assert plain.startswith("usage: stripe trace")


def test_the_slices_of_a_cell_are_data_too(outputs: tuple[Path, list[Any]]) -> None:
    [output] = outputs[1][16]
    assert output["text"] == "1 stdout: 1 of 1 events kept, 1-minimal\n"


SLOW = """\
import signal, sys, time
def end(number, frame):
    print("found so far")
    sys.exit(0)
signal.signal(signal.SIGINT, end)
sys.stdin.read()
open("ready", "w").close()
time.sleep(600)
"""


def test_ctrl_c_ends_the_search_and_its_answer_is_shown(tmp_path: Path) -> None:
    """Only the kernel is told, as some front ends do it."""
    (tmp_path / "slow.py").write_text(SLOW)
    code = "import sys; from stripe_magic import ask; print(ask([sys.executable, 'slow.py'], 'x'))"
    environment = {**os.environ, "PYTHONPATH": str(PLUGINS)}
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, stdout=subprocess.PIPE
    )
    with process:
        wait_until((tmp_path / "ready").exists)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert out.decode() == "(0, 'found so far\\n', '')\n"


def test_a_missing_command_is_told(outputs: tuple[Path, list[Any]]) -> None:
    text = json.dumps(outputs[1][21])
    assert "The command stripe of stripe-trace was not found" in text
    assert "Traceback" not in text


def test_text_of_the_program_is_no_markup() -> None:
    evil = "<script>alert(1)</script>"
    trace = trace_of([1], f"a = '{evil}'\n", f"{evil}.py")
    html = fragment(result_of(trace, slice_of(trace, [0], evil), notes=[evil]))
    assert "<script" not in html
    assert result_of(trace)._repr_html_() == fragment(result_of(trace))

"""Lines that ran where nothing is recorded are told as such, not as "not executed"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stripe.api import trace
from stripe.reduce import Result
from stripe.reduce.reading import from_json
from stripe.report import fragment
from stripe.report.source import ELSEWHERE, lines_of

BODY = """\
def work(n):
    s = 0
    for i in range(n):
        s += i
    if s < 0:
        s = 1
    return s
"""
THREAD = (
    "import threading\n"
    + BODY
    + ("t = threading.Thread(target=work, args=(3,))\nt.start()\nt.join()\nprint('end')\n")
)
POOL = (
    "from concurrent.futures import ThreadPoolExecutor\n"
    + BODY
    + ("with ThreadPoolExecutor(2) as pool:\n    print(list(pool.map(work, [2, 3, 4])))\n")
)


def traced(folder: Path, text: str) -> Result:
    (folder / "prog.py").write_text(text)
    return trace("prog.py", directory=folder, watch=False)


@pytest.mark.parametrize("text", [THREAD, POOL])
def test_lines_of_other_threads_ran(tmp_path: Path, text: str) -> None:
    result = traced(tmp_path, text)
    (lines,) = lines_of(result.trace, result.slices[0]).values()
    assert [number for number, line in lines.items() if line.elsewhere] == [3, 4, 5, 6, 8]
    assert not any(line.executed for line in lines.values() if line.elsewhere)
    assert any("call it in the main thread" in note for note in result.notes)
    data = json.loads(json.dumps(result.to_json()))
    assert data["files"][0]["elsewhere"] == [3, 4, 5, 6, 8]
    assert from_json(data).trace.files == result.trace.files
    assert f'{ELSEWHERE}">~<' in fragment(result)


def test_a_program_without_threads_has_none(tmp_path: Path) -> None:
    result = traced(tmp_path, BODY + "print(work(3))\n")
    assert result.trace.files[0].elsewhere == ()
    assert "elsewhere" not in result.to_json()["files"][0]


def test_what_processes_run_is_told_as_not_recorded(tmp_path: Path) -> None:
    text = (
        "import os\n"
        + BODY
        + ("pid = os.fork()\nif not pid:\n    os._exit(work(2))\nos.wait()\nprint('end')\n")
    )
    result = traced(tmp_path, text)
    (note,) = [each for each in result.notes if "os.fork:" in each]
    assert "not recorded" in note
    ran = set(result.trace.files[0].elsewhere)
    assert {3, 4, 5, 6, 8, 11} <= ran
    assert 7 not in ran


POOL_OF_PROCESSES = (
    "from multiprocessing import get_context\n"
    + BODY
    + "if __name__ == '__main__':\n"
    + "    with get_context('fork').Pool(2) as pool:\n"
    + "        print(pool.map(work, [1, 2]))\n"
)


def test_lines_of_a_pool_of_processes_ran(tmp_path: Path) -> None:
    """They append to one file, and leave nothing of theirs behind."""
    result = traced(tmp_path, POOL_OF_PROCESSES)
    assert result.trace.files[0].elsewhere == (3, 4, 5, 6, 8)
    assert result.slices[0].certified

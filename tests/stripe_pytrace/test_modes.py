"""The modes of a replay: the documents' table is the code's, and each replay says which it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe_pytrace.agent.replaying import modes
from stripe_pytrace.backend import PythonBackend

ROOT = Path(__file__).parents[2]
AGENT = ROOT / "backends/stripe_pytrace/agent"


def rows(columns: int) -> list[list[str]]:
    """The rows of the tables of so many columns, below the heading for modes."""
    text = (ROOT / "docs/python-backend.md").read_text()
    section = text.partition("## Modes of a replay\n")[2].partition("\n## ")[0]
    tables = [table.splitlines() for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)]
    cells = [
        [cell.strip() for cell in row.split("|")[1:-1]] for table in tables for row in table[2:]
    ]
    return [row for row in cells if len(row) == columns]


def test_the_documents_have_the_table_of_the_code():
    assert dict(rows(2)) == modes.NEEDED
    assert rows(4) == [
        [faster, modes.FASTER[faster], other, why]
        for faster, others in modes.EXCLUDED.items()
        for other, why in others.items()
    ]


def test_each_mode_is_an_object_in_the_file_that_the_documents_name():
    for name, file, *_ in rows(5):
        (path,) = [*AGENT.glob(f"replaying/{file.strip('`')}"), *AGENT.glob(file.strip("`"))]
        constant = next(each for each, value in vars(modes).items() if value == name)
        assert re.search(rf"\(Mode\):(?:.|\n)*\n    name = {constant}\n", path.read_text()), path


def test_the_table_knows_all_modes_and_no_others():
    known = {*modes.NEEDED, *modes.FASTER}
    assert modes.EXCLUDED.keys() == modes.FASTER.keys()
    assert all(others.keys() <= known for others in modes.EXCLUDED.values())
    assert modes.goes_with(modes.FORKED, ())
    assert not modes.goes_with(modes.FORKED, (modes.THREADED, modes.CUT))


CALLS = "def f(x):\n    return x + 1\nprint(f(1))\n"
THREADS = "import threading\n" + CALLS + "t = threading.Thread(target=int)\nt.start()\nt.join()\n"
DEEP = "def r():\n    r()\ntry:\n    r()\nexcept RecursionError:\n    print(1)\n"


@pytest.mark.parametrize(
    ("text", "how", "strict", "told"),
    [
        (CALLS, {}, False, "path-following"),
        (CALLS, {}, True, "path-following, strict"),
        (CALLS, {"window": "1.."}, False, "windowed, path-following"),
        (THREADS, {}, False, "path-following, threaded"),
        (DEEP, {}, False, "path-following, deep"),
    ],
)
def test_a_replay_names_its_modes(tmp_path, monkeypatch, text, how, strict, told):
    log = tmp_path / "log"
    monkeypatch.setenv("STRIPE_LOG", f"replay={log}")
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "p.py").write_text(text)
    recording = PythonBackend().record(Target("p.py", directory=folder, **how))
    try:
        log.write_text("")
        with recording.replay(range(len(recording.trace)), strict=strict):
            pass
    finally:
        recording.close()
    assert re.findall(r"modes: (.*)", log.read_text()) == [told]

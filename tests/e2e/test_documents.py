"""What the documents show works: what commands and examples print, and where links lead.

The lesson has tests of its own, in ``test_course.py``, and so have commands with a picture, in
``tests/docs/test_pictures.py``.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from docs.pictures.refresh import TERMINALS
from stripe.cli.verbs import VERBS, verb
from tests.e2e.harness import Room
from tests.e2e.shown import commands_shown, must_print, names
from tests.stripe_gdb.native import needs_cc, needs_gdb
from tests.support.slugs import slugs

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "examples" / "sample_programs"
DOCUMENTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
}

SHOWN = [each for text in DOCUMENTS.values() for each in commands_shown(text)]
COMMANDS = [each for each in SHOWN if each[0] not in TERMINALS.values()]
PYTHON = [
    (name, code)
    for name, text in DOCUMENTS.items()
    for code in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
]


def needing(line: str, shown: str) -> Any:
    """The test of a command, which may need a debugger and a compiler."""
    return pytest.param(line, shown, marks=[needs_gdb, needs_cc] if ".c " in line else [])


@pytest.mark.parametrize(
    ("line", "shown"), [needing(*each) for each in COMMANDS], ids=names(COMMANDS)
)
def test_a_command(room: Room, line: str, shown: str) -> None:
    must_print(room, SAMPLES, line, shown)


def test_all_commands_are_tried() -> None:
    assert len(COMMANDS) >= 8
    prompts = sum(len(re.findall(r"^\$ ", text, re.MULTILINE)) for text in DOCUMENTS.values())
    assert len(SHOWN) == prompts


@pytest.mark.parametrize(("name", "code"), PYTHON, ids=[name for name, _ in PYTHON])
def test_an_example_of_the_library(
    name: str,
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Behind ``print(...)  #`` stands what it prints."""
    monkeypatch.chdir(shutil.copytree(SAMPLES, tmp_path / "samples"))
    exec(compile(code, f"<{name}>", "exec"), {"__name__": "example"})
    said = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
    assert said
    assert capsys.readouterr().out.splitlines()[: len(said)] == said


def test_every_error_has_its_line() -> None:
    """Each slug of the sources is explained, and no other."""
    explained = set()
    for row in re.findall(r"^\| (`.*?) \|", DOCUMENTS["docs/errors.md"], re.MULTILINE):
        explained.update(re.findall(r"`([a-z-]+)`", row))
    assert explained == slugs()


def test_each_error_is_named_by_a_test() -> None:
    sources = (path for kind in ("py", "toml") for path in (ROOT / "tests").rglob(f"*.{kind}"))
    texts = (path.read_text("utf-8", errors="replace") for path in sources)
    words = {word for text in texts for word in re.findall(r"[\w-]+", text)}
    assert sorted(slugs() - words) == []


def test_every_option_is_explained() -> None:
    """Each option of a verb stands on the page that explains the verb, or on that of options."""
    pages = {
        "input": "inputs",
        "changes": "changes",
        "causes": "causes",
        "suspects": "suspects",
        "lsp": "editors",
        "debug": "debugging",
        "mcp": "assistants",
        "why": "why",
        "completion": "install",
    }
    for name in VERBS:
        page = DOCUMENTS[f"docs/{pages.get(name, 'options')}.md"] + DOCUMENTS["docs/options.md"]
        named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", page))
        options = verb(name).build_parser().takes_value
        assert set(options) - named == set(), name


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", DOCUMENTS[name]):
        assert ((ROOT / name).parent / target).exists(), target


def test_the_readme_is_a_door_and_not_the_house() -> None:
    assert len(DOCUMENTS["README.md"].splitlines()) <= 150

"""Files in which nothing was recorded are not instrumented for replays."""

from __future__ import annotations

from pathlib import Path
from types import CodeType

import pytest

from stripe.backend import End
from stripe_pytrace.agent.compiling.code import Counts, Sources, UserFile
from stripe_pytrace.agent.compiling.dialects import Placeholder, Recording
from stripe_pytrace.agent.compiling.linker import Function
from tests.stripe_pytrace.test_first_event import recorded_test
from tests.support import corpus

RULES = """\
class Rule:
    pass

def fallback():
    return 3

ALL = {Rule(), Rule()}
DEFAULT = fallback()
"""
SHOP = """\
from rules import DEFAULT, fallback

def total(prices):
    found = sum(prices)
    return found or fallback()
"""
TEST = """\
from shop import total

def test_total():
    prices = [0]
    prices = [DEFAULT := 2]
    assert total(prices) == 6
"""


def prepared(path: Path, *, aside: bool, unused: Counts | None = None) -> UserFile:
    """A file of the corpus, by sources that have read another one before."""
    sources = Sources(
        Recording({Placeholder.NUMBERED: bool}), lambda path: True, [], lambda file: None
    )
    sources.prepare("before.py", b"def f(): pass\n")
    return sources.prepare(str(path), path.read_bytes(), aside=aside, unused=unused)


def functions(code: CodeType) -> set[tuple[str, int]]:
    """The tracked functions in a code object, by name and line."""
    found = set()
    for each in code.co_consts:
        if isinstance(each, Function):
            found.add((code.co_qualname, code.co_firstlineno))
        elif isinstance(each, CodeType):
            found |= functions(each)
    return found


@pytest.mark.parametrize("aside", [False, True])
def test_the_same_functions_are_tracked(aside):
    """So what the recorded run did not call is known in the same way as in other files."""
    paths = [each.path for each in corpus.programs() if each.path.suffix == ".py"]
    several = 0
    for path in paths:
        whole = prepared(path, aside=aside)
        unused = prepared(path, aside=aside, unused=whole.counts)
        assert functions(unused.code) == functions(whole.code), path
        assert unused.counts == whole.counts
        numbers = [each.number for each in unused.tracked]
        assert len(set(numbers)) == len(numbers)
        assert set(numbers) <= set(range(2, 2 + whole.counts[2]))  # those before are another file's
        assert not unused.sites
        several += len(numbers) > 1
    assert several > 100


def test_what_was_not_recorded_ends_the_replay(tmp_path, monkeypatch):
    files = {"shop": SHOP, "test_shop": TEST, "rules": RULES}
    with recorded_test(tmp_path, monkeypatch, **files) as recording:
        unused = {path: counts is not None for path, _, _, counts in recording._sources}
        assert unused == {
            "conftest.py": True,
            "rules.py": True,
            "shop.py": False,
            "test_shop.py": False,
        }
        trace = recording.trace
        everything = range(len(trace))
        second = next(
            each.id
            for each in trace.statements
            if each.line == 5 and trace.files[each.file].path == "test_shop.py"
        )
        kept = trace.close(each for each in everything if trace.statement[each] != second)
        for fresh in (False, True):
            with recording.replay(everything, fresh=fresh) as run:
                assert run.stderr == recording.plain.stderr
            with recording.replay(kept, fresh=fresh) as run:
                assert run.end is End.DIVERGED
                assert "calls fallback() (rules.py:4), which the recorded run did not" in run.detail


def test_a_library_that_looks_at_the_program_is_imported_by_it(
    tmp_path, tmp_path_factory, monkeypatch
):
    """As SQLAlchemy's plugin of pytest does: others are imported ahead all the same."""
    library = tmp_path_factory.mktemp("library")
    (library / "looking.py").write_text("import sys\nSEEN = 'conftest' in sys.modules\n")
    monkeypatch.setenv("PYTHONPATH", str(library))
    test = "import looking\n\ndef test_total():\n    seen = looking.SEEN\n    assert not seen\n"
    files = {"conftest": "import looking\n", "test_shop": test}
    with recorded_test(tmp_path, monkeypatch, **files) as recording:
        assert recording._modules == recording._before
        assert "_pytest.main" in recording._modules
        assert "looking" not in recording._modules
        with recording.replay(range(len(recording.trace))) as run:
            assert run.stderr == recording.plain.stderr

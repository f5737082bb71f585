"""The parts of the language server that need no client."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from stripe.errors import UsageError
from stripe.lsp import lenses
from stripe.lsp.dependences import LONGEST, origins
from stripe.lsp.job import Job, understand
from stripe.lsp.settings import Configuration, EditorSettings, read
from stripe.lsp.slices import MOST, FoundSlices, Sliced
from stripe.lsp.view import View, code
from stripe.reduce import Dependence
from stripe.report.sarif import place
from tests.support.results import result_of, slice_of, trace_of


def test_settings() -> None:
    assert read(None) == read([]) == read({}) == (EditorSettings(), [])
    settings, complaints = read(
        {"stripe": {"maxTime": 5, "maxTests": True, "jobs": 0, "trace": {"server": "off"},
                    "python": None,
                    "configurations": [{"name": "a", "program": "b", "check": "c"}]}}
    )  # fmt: skip
    assert settings == EditorSettings(
        max_time=5.0, configurations=(Configuration("a", "b", check=("c",)),)
    )
    # What is not ours (an extension's own keys) is nobody's mistake.
    assert complaints == [
        "stripe: 'maxTests' must be a whole number from 1, not True.",
        "stripe: 'jobs' must be a whole number from 1, not 0.",
    ]


def test_where_a_job_runs(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()

    def job(settings: EditorSettings, *folders: Path, **request: Any) -> Job:
        return understand([request], settings, folders)[0]

    uri = (inner / "a.py").as_uri()
    assert job(EditorSettings(), uri=uri).directory == str(inner)
    found = job(EditorSettings(python="venv/bin/python"), tmp_path, uri=uri, args=["x"], stdin="y")
    assert (found.program, found.directory) == ("inner/a.py", str(tmp_path))
    assert found.python == str(tmp_path / "venv/bin/python")
    assert job(EditorSettings(python="3.12"), tmp_path, inner, uri=uri).directory == str(inner)
    assert job(EditorSettings(python="3.12"), tmp_path, uri=uri).python == "3.12"
    assert Job.from_json(found.to_json()) == found

    module = Configuration("m", "json.tool", module=True, cwd="inner")
    found = job(EditorSettings(configurations=(module,)), tmp_path, configuration="m")
    assert (found.program, found.module, found.directory) == ("json.tool", True, str(inner))
    lost = Configuration("m", "x.py", cwd="nowhere")
    with pytest.raises(UsageError) as error:
        job(EditorSettings(configurations=(lost,)), tmp_path, configuration="m")
    assert error.value.slug == "no-such-directory"
    with pytest.raises(UsageError) as error:
        job(EditorSettings(configurations=(module,)), configuration="m")
    assert error.value.slug == "no-workspace"


def test_the_tests_in_a_file() -> None:
    text = """\
import unittest
def helper(): pass
class TestA:
    @mark
    def test_b(self): pass
    class TestC:
        async def test_d(self): pass
class Case(unittest.TestCase):
    def test_e(self): pass
class Other:
    def test_f(self): pass
def test_g():
    def test_h(): pass
"""
    found = [(3, "TestA::test_b"), (6, "TestA::TestC::test_d"), (8, "Case::test_e"), (11, "test_g")]
    assert lenses.tests("test_x.py", text) == lenses.tests("x_test.py", text) == found
    assert lenses.tests("x.py", text) == []
    assert lenses.tests("test_x.py", "def test_a(:") == []


def test_a_line_as_a_pattern() -> None:
    assert lenses.pattern("sum = 1.5 [a/b] \\ $") == r"sum = 1\.5 \[a\/b\] \\ \$"


def test_text_of_the_program_means_nothing_in_markdown() -> None:
    assert code("a`b``c") == "```a`b``c```"
    assert code("`") == "`` ` ``"
    assert code("a\x1bb\nc") == "`a\\x1bb\\nc`"


def test_the_chain_goes_back_in_time_and_names_each_place_once() -> None:
    trace = trace_of([1, 2, 2, 2, 3, 4], "a = 0\na += 1\nb = 1\nprint(a)\n")
    found = slice_of(
        trace, range(6), values={5: {"a": "3"}},
        dependences=[
            Dependence(5, 3, "data", ("a",)), Dependence(3, 2, "data", ("a",)),
            Dependence(2, 1, "data", ("a",)), Dependence(1, 0, "data", ("a",)),
            Dependence(5, 5, "data", ("a",)),
        ],
    )  # fmt: skip
    result = result_of(trace, found)
    assert [text for _, text in origins(result, found, place(result, found))] == [
        "4_6: a = 3", "2_4, for 4_6 (a)", "1_1, for 2_2 (a)", "3_5",
    ]  # fmt: skip
    wide = trace_of(list(range(1, 301)), "x\n" * 300)
    found = slice_of(wide, range(300))
    assert len(list(origins(result_of(wide, found), found, wide.statements[0]))) == LONGEST


def test_hovers_of_a_line_with_many_executions_are_short(tmp_path: Path) -> None:
    trace = trace_of([1] * 1000, "x\n", str(tmp_path / "prog.py"))
    sliced = Sliced(result_of(trace, slice_of(trace, range(0, 1000, 2))), {}, str(tmp_path))
    view = View(sliced, sliced.paths[0], ["x", ""], len)
    text = view.hover(1) or ""
    assert text.count("\n- `") == 6
    assert "- … 494 more" in text
    assert "What variables held is not known" in text
    assert [each.label for each in view.hints(1, 1)] == ["500 of 1000x"]
    assert list(view.hints(2, 9)) == []


def test_what_is_on_the_shelf_is_shown_for_the_text_it_is_of(tmp_path: Path) -> None:
    program = tmp_path / "prog.py"
    program.write_bytes(b"\xef\xbb\xbfx\r\ny\r\n")
    path = os.path.realpath(program)
    opened: dict[str, str] = {}
    slices = FoundSlices(opened.get)

    def sliced(text: str, request: Any) -> Sliced:
        trace = trace_of([1], text, "prog.py")
        return Sliced(result_of(trace, slice_of(trace, [0])), request, str(tmp_path))

    first = sliced("x\ny\n", 1)
    slices.add(first)
    assert slices.shown(path) is first
    opened[path] = "x\n"
    assert slices.shown(path) is None
    opened[path] = "x\ny\n"
    assert slices.shown(path) is first
    # The latest is shown or none: nobody has asked for an older one again.
    slices.add(sliced("other", 2))
    assert slices.shown(path) is None
    slices.clear(str(tmp_path / "elsewhere"))
    second = sliced("x\ny\n", 2)
    slices.add(second)
    assert slices.shown(path) is second
    slices.clear(path)
    assert slices.shown(path) is None
    for number in range(2 * MOST):
        slices.add(sliced("x\ny\n", number))
    assert len(slices._found) == MOST
    del opened[path]
    program.unlink()
    assert slices.shown(path) is None

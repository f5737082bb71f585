"""The logs of the Debugging Book's chapter, text for text, and its numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest

from stripe.inputs import DeltaDebugger
from tests.dd.book import (
    HTML_MARKUP,
    MARKUP_TEST,
    Nodes,
    list_error,
    mystery,
    string_error,
)
from tests.dd.vectors import vectors

type Vector = dict[str, Any]

MYSTERY = 'V"/+!aF-(V4EOz*+s/Q,7)2@0_'


COVERED = {
    "dd '-' mystery log=2",
    "min_args mystery",
    "max_args mystery",
    "min_arg_diff mystery",
    "remove_html_markup",
    "string_error order ['s2', 's1']",
    "list_error",
    "myeval -",
    "myeval +",
    "myeval +-",
    "code characters",
    "AST nodes, delete only",
    "AST nodes, with transforms",
}
"""The vectors run here. `ddmin` alone is in tests/dd."""


def test_every_verified_vector_of_the_book_is_run() -> None:
    names = {
        name.removeprefix("debuggingbook ")
        for name, vector in vectors().items()
        if name.startswith("debuggingbook ") and vector["verified"]
    }
    assert names == COVERED | {"ddmin mystery"}


def myeval(inp: str) -> Any:
    return eval(inp)


def html_markup() -> Callable[[str], str]:
    namespace: dict[str, Any] = {}
    exec(HTML_MARKUP, namespace)
    return namespace["remove_html_markup"]


def expected(vector: Vector) -> list[str]:
    return vector["expected_sequence"]


@pytest.mark.parametrize("method", ["min_args", "max_args", "min_arg_diff"])
def test_mystery(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    vector = vectors()[f"debuggingbook {method} mystery"]
    with DeltaDebugger(log=True) as dd:
        mystery(MYSTERY)
    found = getattr(dd, method)()

    assert capsys.readouterr().out.splitlines() == expected(vector)
    passing, failing, difference = vector["expected_result"]
    assert (
        found
        == {
            "min_args": failing,
            "max_args": passing,
            "min_arg_diff": (passing, failing, difference),
        }[method]
    )
    assert dd.tests == vector["expected_counts"]["tests"]
    assert dd.certified


def test_dd_alone_with_its_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    vector = vectors()["debuggingbook dd '-' mystery log=2"]
    with DeltaDebugger(log=2) as dd:
        mystery(MYSTERY)
    found = dd.dd("inp", {"inp": MYSTERY})

    _observed, *lines = capsys.readouterr().out.splitlines()
    assert lines == expected(vector)
    assert list(found) == vector["expected_result"]
    assert dd.tests == vector["expected_counts"]["tests"]


def test_remove_html_markup(capsys: pytest.CaptureFixture[str]) -> None:
    vector = vectors()["debuggingbook remove_html_markup"]
    remove_html_markup = html_markup()
    with DeltaDebugger(log=True) as dd:
        remove_html_markup('"x > y"')

    assert dd.min_args() == vector["expected_result"]
    assert capsys.readouterr().out.splitlines() == expected(vector)


def test_several_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    vector = vectors()["debuggingbook string_error order ['s2', 's1']"]
    with DeltaDebugger(log=True, order=["s2"]) as dd:
        string_error("foo", "foobar")

    assert dd.min_args() == vector["expected_result"]
    assert capsys.readouterr().out.splitlines() == expected(vector)


def test_lists() -> None:
    vector = vectors()["debuggingbook list_error"]
    with DeltaDebugger(cache=False) as dd:
        list_error(l1=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], l2=[1, 2, 3], maxlen=5)

    assert dd.min_args() == vector["expected_result"]
    assert dd.tests == vector["expected_counts"]["tests_of_port"]


@pytest.mark.parametrize(
    ("mode", "method"), [("-", "min_args"), ("+", "max_args"), ("+-", "min_arg_diff")]
)
def test_myeval(mode: str, method: str) -> None:
    vector = vectors()[f"debuggingbook myeval {mode}"]
    with DeltaDebugger() as dd:
        myeval("1 + 2 * 3 / 0")
    found = getattr(dd, method)()

    assert (list(found) if isinstance(found, tuple) else found) == vector["expected_result"]
    assert dd.tests == vector["expected_counts"]["tests_of_port"]


def test_code_characters() -> None:
    vector = vectors()["debuggingbook code characters"]

    def compile_and_test(lines: list[str]) -> None:
        exec("".join(lines) + MARKUP_TEST, {}, {})

    lines = [line for line in HTML_MARKUP.splitlines(keepends=True) if line.strip()]
    lines = [line for line in lines if "postcondition" not in line and "assert" not in line]
    # As in the book: lists are not cached, their elements not looked into.
    with DeltaDebugger(cache=False, depth=1, isolate=False) as dd:
        compile_and_test(list("".join(lines)))
    left = dd.min_args()["lines"]

    assert "".join(left).strip() == vector["expected_result"].strip()
    assert dd.tests == vector["expected_counts"]["tests"] == 1278


@pytest.mark.parametrize("how", ["delete only", "with transforms"])
def test_syntax_trees(how: str) -> None:
    vector = vectors()[f"debuggingbook AST nodes, {how}"]
    nodes = Nodes(transform=how == "with transforms")

    def compile_and_test(tree: ast.AST, keep_list: list[ast.AST]) -> None:
        nodes.tree = tree  # type: ignore[assignment]
        nodes.run(keep_list)

    with DeltaDebugger(cache=False, isolate=False) as dd:
        compile_and_test(nodes.tree, nodes.all())
    reduced = dd.min_args()

    counts = vector["expected_counts"]
    assert dd.tests == counts.get("tests", counts.get("tests_of_port"))
    assert len(reduced["keep_list"]) == counts.get("left", counts.get("left_of_port"))
    if nodes.transform:
        nodes.tree = reduced["tree"]
        assert ast.unparse(nodes.reduced(reduced["keep_list"])) == vector["expected_result"]


def test_cached_lists_need_fewer_tests() -> None:
    def fails(characters: list[str]) -> None:
        mystery("".join(characters))

    tests = []
    for cache in (False, True):
        with DeltaDebugger(cache=cache, depth=1) as dd:
            fails(list(MYSTERY))
        assert dd.min_args() == {"characters": ["(", ")"]}
        tests.append(dd.tests)
    assert tests[1] < tests[0]

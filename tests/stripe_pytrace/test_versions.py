"""The rows on versions of CPython say what the interpreter that runs this has."""

from __future__ import annotations

import dis
import sys
from types import CodeType
from typing import Any

import pytest

from stripe_pytrace.agent.compiling import versions
from stripe_pytrace.agent.compiling.versions import HERE, OLDEST, VERSIONS, at_exhausted, at_start

KNOWN = sys.version_info[:2] in [row.number for row in VERSIONS]
OTHERS = {
    "use_tool_id", "free_tool_id", "get_tool", "register_callback", "restart_events", "_all_events",
}  # fmt: skip


def test_rows_are_in_order_and_one_for_each_version() -> None:
    numbers = [row.number for row in VERSIONS]
    assert numbers == sorted(set(numbers))
    assert str(OLDEST) == "3.12"


@pytest.mark.skipif(not KNOWN, reason="a version that has no row")
def test_the_row_is_that_of_this_interpreter() -> None:
    assert HERE.number == sys.version_info[:2]
    named = {*HERE.fetching, *HERE.exhausted, HERE.async_end, HERE.start}
    assert named <= set(dis.opmap)
    functions = {name for name, each in vars(sys.monitoring).items() if callable(each)}
    assert functions - OTHERS == set(HERE.by_tool)


@pytest.mark.parametrize(
    ("number", "row"), [((3, 11), "3.12"), ((3, 13), "3.13"), ((3, 99), str(VERSIONS[-1]))]
)
def test_what_has_no_row_goes_by_the_nearest(number: tuple[int, int], row: str) -> None:
    assert str(versions.version(number)) == row


def code_of(text: str) -> CodeType:
    module = compile(text, "prog.py", "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))


def at(code: CodeType, name: str) -> list[int]:
    return [each.offset for each in dis.get_instructions(code) if each.opname == name]


def test_ends_of_iterators_and_starts_are_told() -> None:
    code = code_of("def f():\n    for x in y:\n        pass\n    yield from z\n")
    assert all(at_exhausted(code, each) for each in (*at(code, "FOR_ITER"), *at(code, "SEND")))
    assert at_start(code, at(code, "RESUME")[0])
    assert not at_exhausted(code, at(code, "RESUME")[0])


def test_loops_are_found_where_they_fetch() -> None:
    # At the statement, or at what it iterates over: the instrumenter names both.
    code = code_of("def f():\n    for x in range(9):\n        pass\n")
    places = {(2, 3, 4, 12): 7, (2, 2, 13, 21): 7}
    assert versions.fetch_offsets(code, places) == {at(code, "FOR_ITER")[0]: 7}


def test_a_loop_whose_end_is_far_away_may_be_come_back_to_in_two_places() -> None:
    """At the instruction that fetches, or at the first of those before it that lengthen it."""
    for body, prefixes in ((90, 1), (12_000, 2)):
        code = code_of(f"def f():\n    a = a\n    for x in y: {'a = b[c];' * body}\n")
        (fetch,) = at(code, "FOR_ITER")
        assert at(code, "EXTENDED_ARG")[0] == fetch - 2 * prefixes
        (place,) = [each for offset, each in versions.places(code) if offset == fetch]
        found = versions.fetch_offsets(code, {place: 7})  # type: ignore[dict-item]
        assert found == {fetch - 2 * prefixes: 7, fetch: 7}


def test_an_async_loop_ends_in_its_header_only() -> None:
    code = code_of("async def f():\n    async for x in y:\n        g(x)\n    await h()\n")
    (fetch,) = at(code, "GET_ANEXT")
    headers = versions.async_headers(code)
    assert any(fetch in header for header in headers)
    assert not any(at(code, "CALL")[0] in header for header in headers)


def test_exception_tables_are_read_as_dis_reads_them() -> None:
    statements = "".join(f"    a{each} = {each}\n" for each in range(5_000))  # far away
    tries = "    try:\n        f()\n    finally:\n        g()\n" * 100
    awaits = "    async with a as b, c:\n        async for x in y:\n            await x\n"
    for body in ("    pass\n", f"{tries}{statements}{tries}", awaits):
        code = code_of(f"async def f():\n{body}")
        told = [
            (range(each.start, each.end), each.target)
            for each in dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]
        ]
        assert versions.handlers(code) == told


@pytest.mark.parametrize("body", ["pass", "field: int"])
def test_that_annotations_were_asked_for_is_forgotten(body: str) -> None:
    namespace: dict[str, Any] = {}
    exec(compile(f"class Each: {body}", "prog.py", "exec", dont_inherit=True), namespace)
    each = namespace["Each"]
    before = set(vars(each))
    if versions.was_asked(each):
        assert "__annotations__" in before  # evaluated with the class, as until 3.13
        return
    for _ in range(2):
        assert each.__annotations__ == ({} if body == "pass" else {"field": int})
        assert versions.was_asked(each)
        versions.forget_annotations(each)
        assert set(vars(each)) == before


def test_what_finds_annotations_is_put_back() -> None:
    """To set it has a class of 3.14 forget what it found; here it may be a class like those."""

    def find(form: int) -> dict[str, Any]:
        return {}

    each: Any = type("Each", (), {"__annotate_func__": find})
    versions.forget_annotations(each)
    assert each.__annotate__ is find

"""What is wrong with a document is said with its place, and what could be there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest

from stripe.backend import End
from stripe.errors import UsageError
from stripe.reduce.passes import PASSES
from stripe.reduce.reading import from_json, parse
from stripe.results import slices
from stripe.results.wrong import ascending, describe
from stripe.trace.levels import LEVELS
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.results import reduced

DOCUMENT = json.dumps(reduced(SAMPLE, "stdout:/mul/", stdin=SAMPLE_INPUT).to_json())


def complaint(change: Callable[[Any], object]) -> str:
    """Why a changed document is refused."""
    data = json.loads(DOCUMENT)
    change(data)
    with pytest.raises(UsageError) as caught:
        from_json(data, "r.json")
    assert caught.value.slug == "not-a-result"
    head, separator, why = caught.value.message.partition("r.json is no result of stripe: ")
    assert (head, bool(separator)) == ("", True)
    return why


def put(*path: Any) -> Callable[[Any], object]:
    """Put the last of ``path`` where the others lead."""

    def change(data: Any) -> None:
        *way, key, value = path
        for each in way:
            data = data[each]
        data[key] = value

    return change


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("statements", 0, "line", 1.0),
         "statements[0].line: expected an integer, not the number 1.0."),
        (("statements", 0, "line", True), "statements[0].line: expected an integer, not true."),
        (("statements", 0, "line", 0), "statements[0].line: expected an integer >= 1, not 0."),
        (("statements", 2, "line", 10**30), "statements[2].line: expected an integer <= 10000000, "
         "not an integer of 100 bits."),
        (("statements", 2, "header_end", 10**7), "statements[2].header_end: expected line, "),
        (("statements", 1, "parent", 1), "statements[1].parent: expected an earlier statement"),
        (("statements", 1, "file", 1), "statements[1].file: expected a number below 1, not 1."),
        (("slices", 0, "events", 3, 2.0), "slices[0].events[3]: expected an integer from 0"),
        (("slices", 0, "events", 0, 99), "slices[0].events[0]: expected a number below 31, not 99"),
        (("slices", 0, "events", 1, 0), "slices[0].events[1]: expected a number above"),
        (("slices", 0, "statements", 0, "kept", 9), "slices[0].statements: expected the "),
        (("slices", 0, "log", 0, "size", 3), "slices[0].log[0].size: expected the number of"),
        (("slices", 0, "log", 0, "ranges", [0]), "slices[0].log[0].ranges: expected an end"),
        (("slices", 0, "stopped", []), "slices[0].stopped: expected a text, not a list of 0."),
        (("slices", 0, "stopped", "x"), "slices[0].stopped: invalid enum value 'x'."),
        (("slices", 0, "seconds", float("nan")), "slices[0].seconds: expected a number >= 0"),
        (("slices", 0, "seconds", 10**400), "slices[0].seconds: number out of range."),
        (("slices", 0, "verified", "yes"),
         "slices[0].verified: expected true or false, or null, not 'yes'."),
        (("slices", 0, "values", [[7, {"a": 1}]]), "slices[0].values[0][1][...]: expected a text."),
        (("slices", 0, "tests", "cached", -1),
         "slices[0].tests.cached: expected an integer >= 0, not -1."),
        (("slices", 0, "tests", "executed", 9), "slices[0].tests.executed: expected the sum"),
        (("trace", "scope", 3, 3), "trace.scope[3]: expected an earlier event, not 3."),
        (("trace", "caller", []), "trace.caller: expected a list of 31, one for each event"),
        (("trace", "control", [0]), "trace.control: expected null, for the control mode is trace"),
        (("control", "program"), "trace.control: expected a list of 31, for the control mode is"),
        (("trace", "statement", []), "trace.statement: expected at least one event"),
        (("recorded", "digests", ["x", "y"]), "recorded.digests[0]: expected a text of 64 hex"),
        (("recorded", "stdout", "x" * 20_001), "recorded.stdout: expected a text of length <= "
         "20000, not a text of 20001 characters."),
        (("files", 0, "text", "\ud800"), "files[0].text: expected a text without lone surrogates"),
        (("files", 0, "path", "a\0b"), "files[0].path: expected a text that a path or an argument"),
        (("command", 0, "\ud800"), "command[0]: expected a text that a path or an argument can"),
        (("notes", ["x" * 100_001]), "notes[0]: expected a text of length <= 100000"),
        (("extra", 1), "all of it: object contains unknown member 'extra'."),
        (("slices", {}), "slices: expected a list, not an object of 0 members."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(path: tuple[Any, ...], expected: str) -> None:
    assert complaint(put(*path)).startswith(expected)


def test_members_that_are_missing() -> None:
    assert complaint(lambda data: data.pop("notes")).startswith(
        "all of it: object missing required member 'notes'."
    )


TARGET = {
    "program": "p.py", "arguments": [], "module": False, "directory": "/d", "stdin": "",
    "python": None, "include": [], "exclude": [], "timeout": None, "memory": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            {"directory": "d"},
            "target.directory: expected a text that is an absolute path, not 'd'.",
        ),
        ({"program": ""}, "target.program: expected a text that is not empty"),
        ({"stdin": "*"}, "target.stdin: invalid base64"),
        ({"stdin": "ü"}, "target.stdin: invalid base64"),
        ({"timeout": 0}, "target.timeout: expected a number >= 1e-09, not 0."),
        ({"memory": 1.5}, "target.memory: expected an integer, or null, not the number 1.5."),
        ({"arguments": ["\0"]}, "target.arguments[0]: expected a text that a path or an argument"),
    ],
)
def test_what_cannot_be_run(facts: Any, expected: str) -> None:
    assert complaint(put("target", {**TARGET, **facts})).startswith(expected)


def test_targets_of_earlier_versions_are_read() -> None:
    data = json.loads(DOCUMENT)
    data["target"] = TARGET
    target = from_json(data).target
    assert target is not None
    assert (target.engine, target.tty) == (None, False)


def test_names_of_files_need_not_be_utf_8() -> None:
    data = json.loads(DOCUMENT)
    data["files"][0]["path"] = "\udcff.py"
    assert from_json(data).trace.files[0].path == "\udcff.py"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('{"format": "stripe-result", "format": "x"}', "the member 'format' comes twice"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("9" * 5000, "4300 digits"),
        ("[" * 100_000, "nested too deep"),
        ("\ufeff{}", "BOM"),
    ],
    ids=range(6),
)
def test_what_is_no_json_of_ours(written: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(written, "it")
    assert caught.value.slug == "not-a-result"
    assert why in caught.value.message


def test_too_many_lists() -> None:
    with pytest.raises(UsageError) as caught:
        parse("[" + "[]," * 20_000_000 + "[]]", "it")
    assert "more than 20,000,000 lists and objects" in caught.value.message


def test_a_limit_that_somebody_has_lifted_is_still_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.get_int_max_str_digits", lambda: 0)
    with pytest.raises(UsageError) as caught:
        parse("[" + "9" * 10**6 + "]", "it")
    assert "an integer has 1000000 digits" in caught.value.message


def test_versions_are_told_in_a_few_words() -> None:
    for version, shown in (([[]] * 9, "a list of 9"), (10**4000, "bits"), (2.0, "2.0")):
        with pytest.raises(UsageError) as caught:
            from_json({"format": "stripe-result", "version": version})
        assert caught.value.slug == "result-version"
        assert shown in caught.value.message
        assert len(caught.value.message) < 200


def test_more_slices_than_can_be_marked() -> None:
    data = json.loads(DOCUMENT)
    data["files"][0]["text"] = "\n" * 1_000_000
    data["slices"] *= 300
    with pytest.raises(UsageError) as caught:
        from_json(data)
    assert "slices: expected at most 199 slices of so much" in caught.value.message


def test_more_lines_of_statements_than_there_are() -> None:
    def stretch(data: Any) -> None:
        for each in data["statements"]:
            each.update(line=1, header_end=1000, end_line=1000)

    expected = "header_end: expected statements that do not cover more lines than there are"
    assert expected in complaint(stretch)


def test_texts_of_up_to_40_characters_are_quoted() -> None:
    assert describe("x" * 40) == repr("x" * 40)
    assert describe("x" * 41) == "a text of 41 characters"


def test_numbers_that_must_ascend() -> None:
    with pytest.raises(ValueError, match=r"a.b\[2\]: expected a number above 3"):
        ascending([1, 3, 3], "a", "b")


@pytest.mark.parametrize("column", ["ab", [1, 2.0], [1, True], [1, 2**31], [-1], {}, None, [[]]])
def test_columns_hold_numbers_from_0(column: Any) -> None:
    assert complaint(put("slices", 0, "governing", column)).startswith("slices[0].governing")


def test_what_hostile_names_say_is_not_believed() -> None:
    """A name that looks as the place that the library tells; and one that is very long."""
    name = "x` - at `$.slices[0].events"
    assert complaint(put(name, 1)).startswith("slices[0].events: object contains unknown member")
    assert len(complaint(put("x" * 10**6, 1))) < 300


def test_names_are_those_of_the_kinds_they_stand_for() -> None:
    assert {*get_args(slices.EndName.__value__)} < {*End.__members__}
    for named, names in (
        (slices.LevelName, LEVELS),
        (slices.PassName, PASSES),
    ):
        assert {*get_args(named.__value__)} == {*names}

"""The result of a long run points to its trace, in a file beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stripe.cli.main import main
from stripe.cli.report_options import claim_forms, write_forms
from stripe.errors import UsageError
from stripe.reduce import Result
from stripe.report import read_result
from stripe.report.schema import text
from tests.report.test_columns import some_result


class Options:
    """What a command line asks for."""

    json: str | None
    html: str | None = None
    sarif: str | None = None
    force = False

    def __init__(self, json: str) -> None:
        self.json = json


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where results are written, of runs which are long from three events on."""
    monkeypatch.setattr("stripe.cli.report_options.LONG", 3)
    monkeypatch.setattr("stripe.documents.columns.LONG", 2)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(result: Result, name: str) -> dict[str, object]:
    writing = claim_forms(Options(name), (), "result")
    write_forms(result, writing, "result", result.sources)
    writing.complain()
    found: dict[str, object] = json.loads(Path(name).read_text())
    return found


def test_what_points_to_its_trace_is_read_as_what_contains_it(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    result = some_result()
    written = write(result, "r.json")
    jsonschema.validate(written, json.loads(text("trace")))
    assert written["version"] == 4
    assert written["trace"]["statement"] == "stored"  # type: ignore[index]
    (folder / "there").mkdir()
    for name in ("r.json", "r.json.trace"):
        (folder / name).rename(folder / "there" / name)
    again = read_result("there/r.json")
    assert isinstance(again.trace.caller, memoryview)
    assert again.to_json() == result.to_json()


def test_a_short_run_is_contained(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stripe.cli.report_options.LONG", 100)
    assert write(some_result(), "r.json")["version"] == 3
    assert [each.name for each in folder.iterdir()] == ["r.json"]


def test_a_file_of_somebody_else_is_kept(folder: Path) -> None:
    Path("r.json.trace").write_text("mine")
    written = write(some_result(), "r.json")
    assert Path("r.json.trace").read_text() == "mine"
    assert written["trace"]["stored"]["name"] == "r.json-2.trace"  # type: ignore[index]
    assert len(read_result("r.json").trace) == 5


def test_writing_again_replaces_it(folder: Path) -> None:
    write(some_result(), "r.json")
    write(some_result(), "r.json")
    assert sorted(each.name for each in folder.iterdir()) == ["r.json", "r.json.trace"]


def test_show_tells_that_the_trace_is_missing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(some_result(), "r.json")
    Path("r.json.trace").unlink()
    monkeypatch.setattr("sys.argv", ["stripe", "show", "r.json"])
    assert main() == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "'r.json.trace': No such file or directory. [no-trace]" in said


@pytest.mark.parametrize(
    ("content", "slug"),
    [("changed", "no-trace"), ('{"statement": "zlib:AAAA"}', "not-a-result")],
)
def test_another_trace_is_refused(folder: Path, content: str, slug: str) -> None:
    written = write(some_result(), "r.json")
    Path("r.json.trace").write_text(content)
    if slug == "not-a-result":  # somebody means it
        import hashlib

        digest = hashlib.sha256(content.encode()).hexdigest()
        written["trace"]["stored"]["sha256"] = digest  # type: ignore[index]
        Path("r.json").write_text(json.dumps(written))
    with pytest.raises(UsageError) as caught:
        read_result("r.json")
    assert caught.value.slug == slug


@pytest.mark.parametrize("name", ["../r.json.trace", "/etc/passwd", "", 7])
def test_only_a_file_beside_it_is_read(folder: Path, name: object) -> None:
    written = write(some_result(), "r.json")
    written["trace"]["stored"]["name"] = name  # type: ignore[index]
    Path("r.json").write_text(json.dumps(written))
    with pytest.raises(UsageError, match="no name of a file beside it"):
        read_result("r.json")

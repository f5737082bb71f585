"""Results as files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.report.jsonfile import check_writable, write_json


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    target = tmp_path / "r.json"
    target.write_text("old")
    write_json({"a": "ü"}, str(target))
    assert json.loads(target.read_text()) == {"a": "ü"}
    assert os.listdir(tmp_path) == ["r.json"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real").write_text("old")
    write_json({}, str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "{}\n"


def test_devices_are_written_to() -> None:
    check_writable("/dev/null")
    write_json({}, "/dev/null")
    assert not Path("/dev/null").is_file()


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    check_writable("-")
    write_json({"a": 1}, "-")
    assert capsys.readouterr().out == '{"a":1}\n'


def test_what_cannot_be_written_is_refused_early(tmp_path: Path) -> None:
    for target, says in [(tmp_path, "directory"), (tmp_path / "no" / "x", "no directory")]:
        with pytest.raises(UsageError, match=says) as caught:
            check_writable(str(target))
        assert caught.value.slug == "cannot-write"

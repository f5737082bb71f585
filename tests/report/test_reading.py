"""Reading files that anybody may have written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stripe
from stripe.errors import UsageError
from stripe.report import reading
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.results import reduced


def refused(source: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        stripe.read_result(source)
    return caught.value


def test_a_result_is_read(tmp_path: Path) -> None:
    result = reduced(SAMPLE, "stdout:/mul/", stdin=SAMPLE_INPUT)
    path = tmp_path / "r.json"
    path.write_text(json.dumps(result.to_json()))
    assert stripe.read_result(str(path)).to_json() == result.to_json()


def test_what_has_no_end_is_not_read_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 5 << 20)
    error = refused("/dev/zero")
    assert (error.slug, "5 MiB" in error.message) == ("result-too-large", True)
    assert error.hint


def test_what_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(b'{"format": "\xff"}')
    error = refused(str(path))
    assert (error.slug, "byte 12" in error.message) == ("not-a-result", True)


@pytest.mark.parametrize("source", ["nowhere.json", "/", "a\0b", "x" * 5000])
def test_what_cannot_be_opened(source: str) -> None:
    assert refused(source).slug == "no-input"


@pytest.mark.parametrize("kind", [["stripe-why-result"], {}, None, "os", "stripe.results.why"])
def test_what_says_that_it_is_something_else(tmp_path: Path, kind: object) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"format": kind}))
    for read in (reading.read_any, reading.read_verifiable):
        with pytest.raises(UsageError) as caught:
            read(str(path))
        assert caught.value.slug == "not-a-result"


def test_who_reads_a_kind_reads_no_other(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    for kind in reading.READERS:
        path.write_text(json.dumps({"format": kind, "version": 99}))
        with pytest.raises(UsageError) as caught:
            reading.read_any(str(path))
        assert caught.value.slug == "result-version"

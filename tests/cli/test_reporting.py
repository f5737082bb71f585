"""Nobody is left alone with a long result: until its first line is written, they are told why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.cli import trace
from stripe.report.progress import Reporter
from tests.support.results import result_of, slice_of, trace_of


def test_a_report_is_made_while_what_is_done_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    happened: list[str] = []

    class Watched(Reporter):
        def doing(self, what: str, *, long: bool = False) -> None:
            happened.append(what)

        def __exit__(self, *exc_info: object) -> None:
            happened.append("over")
            super().__exit__(*exc_info)

    def lines(*arguments: object) -> Iterator[str]:
        happened.append("made")
        yield "the report"

    recorded = trace_of([1], "x = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(trace, "Reporter", Watched)
    monkeypatch.setattr(trace, "lines", lines)
    result = result_of(recorded, slice_of(recorded, [0]))
    monkeypatch.setattr(trace, "perform", lambda *arguments, **named: result)
    trace.run(["prog.py"])
    assert happened == ["writing the reports", "made", "over"]
    assert "the report" in capsys.readouterr().out

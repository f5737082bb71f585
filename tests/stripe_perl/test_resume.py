"""Outcomes of an earlier search are used again as long as nothing has changed that the run read."""

from __future__ import annotations

from pathlib import Path

import stripe
from stripe import Result
from tests.stripe_perl.perl import needs_perl

pytestmark = needs_perl

MODULE = "package Mine;\nsub f { return shift() + 1 }\n1;\n"
PROGRAM = (
    "use lib '.';\nuse Mine;\nmy $x = 0;\nfor my $i (1 .. 5) {\n  $x = Mine::f($x);\n}\n"
    "open my $in, '<', 'number' or die;\n$x += <$in>;\nprint $x;\n"
)


def search(folder: Path, **options: object) -> Result:
    return stripe.trace(
        "prog.pl",
        directory=folder / "work",
        journals=folder / "journals",
        algorithm="ddmin",
        **options,  # type: ignore[arg-type]
    )


def test_a_search_goes_on_where_it_ended(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    for name, text in (("prog.pl", PROGRAM), ("Mine.pm", MODULE), ("number", "7\n")):
        (work / name).write_text(text, "utf-8")
    search(tmp_path, max_tests=4)
    found = search(tmp_path, resume=True)
    assert found.slices[0].resumed == 4
    assert found.slices[0].verified
    (work / "Mine.pm").write_text(MODULE.replace("+ 1", "+ 1 + 0"), "utf-8")
    assert search(tmp_path, resume=True, max_tests=4).slices[0].resumed == 0
    (work / "number").write_text("7.0\n", "utf-8")
    assert search(tmp_path, resume=True, max_tests=4).slices[0].resumed == 0

"""Controls: what no search can show by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.changes import find_changes
from stripe.changes.universe import Universe
from stripe.dd import Outcome
from stripe.report.changes import minimality
from stripe.results.changes import from_json
from stripe.results.model import changed
from tests.changes.answers import answer_to, divides, interfering
from tests.changes.histories import history
from tests.changes.test_change_search import search_in


def test_a_test_that_changes_for_good_certifies_nothing(tmp_path: Path) -> None:
    """It keeps count where the sandbox lets it, and says no more than that from the eighth on."""
    for name, text in (("good", "1\n"), ("bad", "2\n")):
        (tmp_path / name).mkdir()
        for file in "abcd":
            (tmp_path / name / file).write_text(text)
    count = "echo >> calls; if [ $(wc -l < calls) -gt 7 ]; then cp a out; fi"
    result = find_changes(
        str(tmp_path / "good"),
        str(tmp_path / "bad"),
        test="cat a; if [ $(wc -l < calls) -gt 7 ]; then exit 3; fi; ! grep 2 a",
        build=count,
        journals=tmp_path,
    )
    assert result.untried
    assert not result.certified
    assert minimality(result).startswith("could not be tried: with all of the changes applied")


def test_what_cannot_be_tried_is_kept_in_the_result() -> None:
    result = changed(answer_to(interfering(), divides), untried="with all", certified=False)
    assert from_json(result.to_json()).untried == "with all"
    assert minimality(result) == "could not be tried: with all"


@pytest.mark.parametrize(
    ("verified", "words"), [(None, "was not run once more"), (False, "then did not fail")]
)
def test_a_search_that_ended_says_why_it_certifies_nothing(
    verified: bool | None, words: str
) -> None:
    """The time may be over when only the answer is left to be run; it said "not certified"."""
    result = changed(answer_to(interfering(), divides), verified=verified, certified=False)
    assert minimality(result) == f"no: the search came to its end, but the answer {words}"


def test_controls_pass_where_versions_are_as_they_were() -> None:
    universe = Universe(history({"f": "1\n"}, {"f": "2\n"}))
    search, _ = search_in(
        universe, lambda tree: Outcome.FAIL if tree["f"][1] == b"2\n" else Outcome.PASS
    )
    assert search.control() == ""
    other, _ = search_in(universe, lambda tree: Outcome.FAIL)
    assert other.control().startswith("with none of the changes applied")

"""What it takes beside a cause: no more than that is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.results.causes import CausesResult
from stripe.states.causes import Input, find_causes
from tests.support.fake import FakeBackend

PROGRAM = """\
import sys
many, few, fine, far = map(int, sys.argv[1:])
total = many - few
if many > 5 and few > 5 and total < fine * 100:
    raise ValueError("bad")
print("well")
"""


def searched(program: str, directory: Path, failing: str, passing: str) -> CausesResult:
    (directory / "prog.py").write_text(program)
    given = [Input(tuple(each.split()), text=each) for each in (failing, passing)]
    return find_causes("prog.py", failing=given[0], passing=given[1], directory=directory)


def test_what_a_cause_takes_as_well_is_told_and_nothing_else(tmp_path: Path) -> None:
    result = searched(PROGRAM, tmp_path, "9 8 1 70", "2 3 2 80")
    assert result.certified
    for cause in result.chain:
        told = {each.name for each in (*cause.variables, *cause.context)}
        assert len(cause.variables) == 1
        if cause.line in (3, 4):
            assert told == {"many", "few"}


def test_a_cause_that_is_enough_is_told_alone(tmp_path: Path) -> None:
    result = searched(PROGRAM.replace("and few > 5 ", ""), tmp_path, "9 8 1 70", "2 3 2 80")
    assert result.chain
    assert all(not each.context for each in result.chain)
    assert {each.name for cause in result.chain[1:] for each in cause.variables} == {"many"}


def test_a_backend_that_knows_no_states_is_told(tmp_path: Path) -> None:
    given = [Input((each,), text=each) for each in "12"]
    with pytest.raises(UsageError) as refused:
        find_causes(
            "prog.py", failing=given[0], passing=given[1], directory=tmp_path, backend=FakeBackend()
        )
    assert refused.value.slug == "no-states"


BESIDE = """\
import sys
fair, many, fine, few, far, full = map(int, sys.argv[1:])
print("begun")
if many > 5 and few > 5:
    raise ValueError("bad")
"""


def test_what_only_happened_to_be_beside_a_cause_is_not_told(tmp_path: Path) -> None:
    """The search leaves far and full with few, as runs with these pass as well."""
    result = searched(BESIDE, tmp_path, "9 9 9 9 9 9", "1 1 1 1 1 1")
    assert [
        ([each.name for each in cause.variables], [each.name for each in cause.context])
        for cause in result.chain
        if cause.line > 2
    ] == [(["many"], ["few"])] * 2

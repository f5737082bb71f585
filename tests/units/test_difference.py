"""Two inputs as edits: none of them give the one, all of them the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stripe.units.difference import edits

TEXT = st.lists(st.sampled_from([b"a", b"b", b"c\n", b"\n", b"d d\n"])).map(b"".join)


@pytest.mark.parametrize("kind", ["lines", "chars", "tokens", "bytes"])
@given(passing=TEXT, failing=TEXT)
def test_edits_lead_from_one_to_the_other(kind: str, passing: bytes, failing: bytes) -> None:
    found = edits(passing, failing, kind)
    assert found.render(()) == passing
    assert found.render(tuple(range(len(found)))) == failing


def test_only_what_differs_is_an_edit() -> None:
    found = edits(b"one\ntwo\nthree\n", b"one\n2wo\nthree\n", "chars")
    assert len(found) == 2
    assert {found.render((0,)), found.render((1,))} == {
        b"one\nwo\nthree\n",
        b"one\n2two\nthree\n",
    } or {found.render((0,)), found.render((1,))} == {b"one\nwo\nthree\n", b"one\nt2wo\nthree\n"}


def test_large_inputs_that_have_nothing_in_common_are_not_aligned() -> None:
    found = edits(b"a" * 3000, b"b" * 3000, "chars")
    assert len(found) == 6000

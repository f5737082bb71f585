"""Moving pieces between an inner and an outer configuration."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stripe.dd.bracket import Bracket


@given(data=st.data())
def test_it_does_what_sets_do(data: st.DataObject) -> None:
    upper = sorted(data.draw(st.sets(st.integers(0, 30), min_size=1)))
    lower = sorted(data.draw(st.sets(st.sampled_from(upper))))
    gap = Bracket[int](lambda delta: delta, tuple(lower), tuple(upper))
    difference = gap.difference()
    assert difference == tuple(sorted(set(upper) - set(lower)))
    if not difference:
        return
    piece = tuple(sorted(data.draw(st.sets(st.sampled_from(difference), min_size=1))))

    assert gap.lower_with(piece) == tuple(sorted({*lower, *piece}))
    assert gap.upper_without(piece) == tuple(sorted(set(upper) - set(piece)))


def test_contiguous_pieces_are_exchanged_as_spans() -> None:
    gap = Bracket[int](lambda delta: delta, (1, 4, 9), (0, 1, 2, 3, 4, 5, 9))

    assert gap.lower_with((2, 3, 5)) == (1, 2, 3, 4, 5, 9)
    assert gap.upper_without((2, 3, 5)) == (0, 1, 4, 9)

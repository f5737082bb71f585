"""The formula of the rank, and what it is told by."""

from __future__ import annotations

import random

import pytest

from stripe.why.evidence import Evidence, Kind
from stripe.why.rank import PLACES, WEIGHTS, ranked


def found(kind, line, function="f", file="m.py", strength=1.0):
    return Evidence(kind, "slice", file, line, function, "said", strength)


def test_evidence_of_several_kinds_is_added_and_of_one_kind_the_strongest_counts():
    (place,) = ranked(
        [found(Kind.KEPT, 3), found(Kind.KEPT, 3, strength=0.5), found(Kind.RAISED, 3)]
    )
    assert place.score == WEIGHTS[Kind.KEPT] + WEIGHTS[Kind.RAISED]
    assert [each.kind for each in place.evidence] == [Kind.RAISED, Kind.KEPT]


def test_a_change_that_was_tried_outweighs_all_that_the_recorded_run_shows():
    places = ranked(
        [
            *(found(kind, 3) for kind in (Kind.RAISED, Kind.KEPT, Kind.DECIDES, Kind.COVERED)),
            found(Kind.REPAIRED, 9, "g"),
        ]
    )
    assert [each.line for each in places] == [9, 3]


def test_a_function_is_told_once_by_its_best_line():
    places = ranked([found(Kind.KEPT, 3), found(Kind.RAISED, 4), found(Kind.KEPT, 9, "g")])
    assert [(each.line, each.function) for each in places] == [(4, "f"), (9, "g")]


def test_lines_of_one_function_support_it_and_so_many_of_them_count():
    alone = found(Kind.KEPT, 1, "getter", strength=0.8)
    few = [found(Kind.KEPT, line, "f", strength=0.6) for line in (5, 6, 7)]
    assert [each.function for each in ranked([alone, *few])] == ["f", "getter"]
    many = [found(Kind.KEPT, line, "g", strength=0.3) for line in range(10, 60)]
    assert [each.function for each in ranked([alone, *few, *many])] == ["f", "getter", "g"]


def test_lines_outside_of_functions_do_not_support_each_other_like_that():
    alone = found(Kind.KEPT, 1, "f", strength=0.8)
    module = [found(Kind.KEPT, line, "<module>", strength=0.6) for line in (5, 6, 7)]
    assert [each.function for each in ranked([alone, *module])] == ["f", "<module>"]


def test_no_more_places_than_fit():
    assert len(ranked([found(Kind.KEPT, line, f"f{line}") for line in range(1, 9)])) == PLACES


def test_declarations_count_only_if_they_were_changed():
    declarations = {("m.py", 1)}
    kept, changed = found(Kind.KEPT, 1), found(Kind.CHANGED, 1)
    assert not ranked([kept], declarations=declarations)
    assert ranked([kept, changed], declarations=declarations)


def test_lines_of_tests_are_told_only_if_changed_or_if_there_is_nothing_else():
    kept = found(Kind.KEPT, 3, file="test_m.py")
    other = found(Kind.DECIDES, 7, strength=0.1)
    assert [each.file for each in ranked([kept, other], tests={"test_m.py"})] == ["m.py"]
    assert [each.file for each in ranked([kept], tests={"test_m.py"})] == ["test_m.py"]
    changed = found(Kind.CHANGED, 3, file="test_m.py")
    assert ranked([changed, other], tests={"test_m.py"})[0].file == "test_m.py"


def test_where_it_was_raised_is_among_the_places_whatever_else_was_found():
    """So it is never worse than the last line of the traceback."""
    others = [found(Kind.REPAIRED, line, f"f{line}") for line in range(1, 9)]
    places = ranked([*others, found(Kind.RAISED, 50, "g")])
    assert [each.function for each in places] == ["f1", "f2", "g"]
    came_through = found(Kind.RAISED, 50, "g", strength=0.25)
    assert "g" not in {each.function for each in ranked([*others, came_through])}


@pytest.mark.parametrize("seed", range(50))
def test_it_is_among_them_in_any_evidence(seed):
    chance = random.Random(seed)
    evidence = [
        found(
            chance.choice([*Kind]), chance.randrange(40), f"f{chance.randrange(9)}",
            f"m{chance.randrange(3)}.py", chance.random(),
        )
        for _ in range(chance.randrange(60))
    ]  # fmt: skip
    raised = found(Kind.RAISED, 99, "raising", "m0.py")
    assert "raising" in {each.function for each in ranked([*evidence, raised])}

"""Both graphs laid over each other: what is matched once, what differs, and what matters of it."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given

from stripe.results.causes import Edge, Role, Side, Vertex
from stripe.results.limits import LONGEST_LABEL, MOST_VERTICES
from stripe.snapshots import Kind
from stripe.states.deltas import compare, differences
from stripe.states.overlay import LONGEST_PATH, overlay
from tests.states.answers import laid_over, state
from tests.states.memory import SOME, chain, graphs


def named(found):
    """Each edge as the labels on its way: source, key, target's values and side."""
    return [
        (each.key, found.vertices[each.target].passing, found.vertices[each.target].failing,
         found.vertices[each.target].side.value)
        for each in found.edges
    ]  # fmt: skip


def test_of_a_large_state_alone_what_is_nearest_is_kept() -> None:
    """Nothing differs, and only the root was kept."""
    one = state({"f": {"rows": [[n] for n in range(100)], "n": 1}})
    found = overlay(compare(one, one), (), ())
    assert len(found.vertices) == MOST_VERTICES
    assert {each.side for each in found.vertices} == {Side.BOTH}
    (rows,) = (each for each in found.vertices if each.kind is Kind.SEQUENCE and each.equal > 1)
    assert rows.equal == 100 - (MOST_VERTICES - 4), "beside the root, f, rows and n"


def test_what_is_the_same_is_there_once_and_what_changed_has_both_values():
    found = laid_over(state({"f": {"x": 1, "y": 2}}), state({"f": {"x": 1, "y": 3}}), ["y"])
    assert named(found) == [
        ("", "", "", "both"), ("x", "1", "1", "both"), ("y", "2", "3", "changed"),
    ]  # fmt: skip
    assert [each.role for each in found.vertices] == [None, None, None, Role.CAUSE]
    assert (found.passing, found.failing) == (4, 4)


def test_what_one_run_has_alone():
    found = laid_over(state({"f": {"x": [7]}}), state({"f": {"x": None, "z": 1}}), ["x"])
    sides = {(each.failing or each.passing): each.side for each in found.vertices}
    assert sides["None"] is sides["1"] is Side.FAILING
    assert sides["7"] is Side.PASSING
    links = [(each.key, each.side, each.role) for each in found.edges[1:4]]
    assert links == [
        ("x", Side.PASSING, Role.CAUSE), ("x", Side.FAILING, Role.CAUSE), ("z", Side.FAILING, None),
    ]  # fmt: skip


def test_the_list_of_the_book():
    """14, 18, 20, 22 and 14, 15, 18, 22: matched as drawn, with delta 15 and delta 20."""
    found = differences(chain(14, 18, 20, 22), chain(14, 15, 18, 22))
    both = overlay(found, [0], [1])
    assert [(each.failing or each.passing, each.side.value) for each in both.vertices[1:]] == [
        ("14", "both"), ("15", "failing"), ("18", "both"), ("22", "both"), ("20", "passing"),
    ]  # fmt: skip
    ends = [(each.source, each.target, each.side.value) for each in both.edges]
    assert ends == [
        (0, 1, "both"), (1, 3, "passing"), (1, 2, "failing"), (2, 3, "failing"),
        (3, 5, "passing"), (3, 4, "failing"), (5, 4, "passing"),
    ]  # fmt: skip


def test_elements_that_moved_tell_where_they_were():
    found = laid_over(state({"f": {"a": [1, 2]}}), state({"f": {"a": [9, 1, 2]}}))
    keys = [(each.key, each.was, each.side) for each in found.edges[2:]]
    assert keys == [(0, None, Side.FAILING), (1, 0, Side.BOTH), (2, 1, Side.BOTH)]


def test_context_is_told_from_the_cause():
    found = laid_over(state({"f": {"x": 1, "y": 1}}), state({"f": {"x": 2, "y": 2}}), ["x"], ["y"])
    assert [each.role for each in found.vertices[2:]] == [Role.CAUSE, Role.CONTEXT]


def test_of_large_states_what_differs_and_how_it_is_reached():
    several = [[n] for n in range(300)]
    passing: dict[str, dict[str, object]] = {"f": {"a": several, "b": 1}, "g": {"c": 1}}
    failing = {**passing, "f": {"a": [*several[:200], [200, 5], *several[201:]], "b": 1}}
    found = laid_over(state(passing), state(failing))
    assert [each.key for each in found.edges] == ["", "a", 200, 1]
    root, frame, outer, inner, new = found.vertices
    assert (root.equal, frame.equal, outer.equal, inner.equal) == (1, 1, 299, 1)
    assert new.side is Side.FAILING
    assert not any(each.different for each in found.vertices)


def test_the_cause_comes_first_where_not_all_can_be_kept():
    passing = {"f": {f"v{n}": n for n in range(200)}}
    failing = {"f": {f"v{n}": -n - 1 for n in range(200)}}
    found = laid_over(state(passing), state(failing), ["v150"], ["v199"])
    assert len(found.vertices) == MOST_VERTICES
    roles = {each.role: each.passing for each in found.vertices if each.role}
    assert roles == {Role.CAUSE: "150", Role.CONTEXT: "199"}
    assert found.vertices[1].different == 200 - (MOST_VERTICES - 2)


def test_the_middle_of_a_long_path_is_left_out():
    long = list(range(100))
    found = differences(chain(*long), chain(*long[:-1], 5))
    both = overlay(found, [0], [])
    assert len(both.vertices) <= LONGEST_PATH + 1
    (gap,) = [each for each in both.edges if each.skipped]
    assert gap.skipped == 101 - LONGEST_PATH
    assert not any(each.equal or each.different for each in both.vertices)


def test_a_long_list_of_which_all_is_different_is_no_larger_a_picture():
    many = list(range(300))
    found = differences(chain(*many), chain(*(-n - 1 for n in many)))
    both = overlay(found, [len(found.deltas) - 1], [])
    assert LONGEST_PATH < len(both.vertices) <= MOST_VERTICES
    assert both.vertices[1].different == 0


def test_what_refers_back_to_what_is_left_out_is_no_difference():
    def ring(last):
        nodes: list[dict[str, object]] = [{"n": n} for n in range(60)]
        for one, other in pairwise(nodes):
            one["next"], other["up"] = other, one
        nodes[-1]["n"] = last
        return state({"f": {"x": nodes[0]}})

    found = laid_over(ring(1), ring(2))
    assert [each.skipped for each in found.edges if each.skipped]
    assert not any(each.different for each in found.vertices)


def test_long_texts_are_cut():
    found = laid_over(state({"f": {"x": "a" * 999}}), state({"f": {"x": "b" * 999}}))
    assert len(found.vertices[2].passing) == len(found.vertices[2].failing) == LONGEST_LABEL


@SOME
@given(graphs(), graphs())
def test_it_is_bounded_and_whole_for_any_two_graphs(passing, failing):
    found = differences(passing, failing)
    both = overlay(found, [each.number for each in found.deltas[:1]], [])
    assert both.vertices[0].kind is Kind.ROOT
    assert len(both.vertices) <= max(MOST_VERTICES, 40)
    reached = {0}
    for _ in both.vertices:
        reached |= {each.target for each in both.edges if each.source in reached}
    assert reached == set(range(len(both.vertices)))
    marked: list[Vertex | Edge] = [*both.vertices, *both.edges]
    different = [each for each in marked if each.side is not Side.BOTH]
    assert bool(different) == bool(found.deltas) or any(each.was is not None for each in both.edges)
    if found.deltas:
        assert [each for each in marked if each.role is Role.CAUSE]
